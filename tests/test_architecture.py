"""ARCHITECTURE.md names folders and tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.test_house_names import GENERATED, PACKAGES, modules

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def folders_of_the_map() -> set[str]:
    """The folders that the code map names; a name without its parents continues the row's first one."""
    folders: set[str] = set()
    for row in re.findall(r"^\| (\S.*?) \|", PAGE.partition("## Entry points")[0], re.MULTILINE):
        parent = Path()
        for name in re.findall(r"`([\w/]+)/`", row):
            parent = parent if "/" not in name and parent != Path() else Path(name).parent
            folders.add(str(Path(name) if "/" in name or parent == Path() else parent / name))
    return folders


def test_the_code_map_names_every_folder() -> None:
    there = {str(path.parent.relative_to(ROOT)) for package in PACKAGES for path in modules(ROOT, package)}
    only_packages = {"supervisor/tools"}
    assert folders_of_the_map() == there - only_packages | {*GENERATED}


def test_each_invariant_names_tests_that_are_there() -> None:
    invariants = re.findall(r"- \*\*Invariant:\*\*.*?(?=\n\n|\n- |\Z)", PAGE, re.DOTALL)
    assert len(invariants) > 20
    for invariant in invariants:
        named = re.findall(r"`((?:tests|evals)/[\w/]+\.py)::(\w+)`", invariant)
        assert named, invariant
        for file, test in named:
            functions = ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
            names = {node.name for node in functions if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
            assert test in names, f"{file}::{test}"


def test_each_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:\w+/)+\w+\.(?:py|js))`", PAGE))
    roots = (
        ROOT,
        ROOT / "cdp_typed",
        ROOT / "supervisor",
        ROOT / "supervisor" / "core",
        ROOT / "supervisor" / "tools",
        ROOT / "cdp_typed" / "mock",
    )

    assert named
    assert {name for name in named if not any((root / name).is_file() for root in roots)} == set()
