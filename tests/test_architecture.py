"""ARCHITECTURE.md and tests/promises.toml name files and tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.support.runs.parts import invariants, promises

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_each_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:\w+/)+\w+\.(?:py|js))`", PAGE))
    roots = [ROOT / folder for folder in (".", "cdp_typed", "supervisor", "supervisor/core", "supervisor/tools")]

    assert named
    assert {name for name in named if not any((root / name).is_file() for root in roots)} == set()


def test_each_test_of_a_promise_or_an_invariant_is_there() -> None:
    named = {name.partition("[")[0] for name in promises() | invariants()}
    there = {file: _functions(file) for file in {name.partition("::")[0] for name in named}}

    assert len(invariants()) > 20
    assert {name for name in named if "::" in name and name.split("::")[1] not in there[name.split("::")[0]]} == set()


def _functions(file: str) -> set[str]:
    nodes = ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
