"""The texts that people and models read have none of the phrases that make English hard to read."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("cdp_typed", "supervisor", "codegen", "website", "examples", "benchmarks")
GENERATED = ROOT / "cdp_typed" / "protocol"
"""The protocol's own descriptions, whose words are Chromium's."""

HABITS = re.compile(
    r"\b(?:is|are|was|were|be) told\b|\bof (?:its|their|our|your) own\b|\bof (?:ours|yours)\b|\bas it is\b"
    r"|\bsuch as there are\b|\bgoes? (?:together )?with\b|\bstands?\b",
    re.IGNORECASE,
)
"""Phrases that have to be read twice, and that keep coming back."""


def habits_in(text: str) -> list[str]:
    """The phrases of the prose; code and tables, which are short of room, may have them."""
    blocks = re.sub(r"^```.*?^```|^\|.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    return [found[0] for found in HABITS.finditer(" ".join(re.sub(r"`[^`]*`", "", blocks).split()))]


def texts_of(source: str) -> Iterator[str]:
    """Docstrings, errors, descriptions and other strings of a module; its comments as one text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield " ".join(token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT)


def test_the_guides_have_none_of_the_habits_that_make_english_hard_to_read() -> None:
    guides = {*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")} - {ROOT / "CHANGELOG.md"}

    assert {path.name: habits for path in guides if (habits := habits_in(path.read_text("utf-8")))} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_comments_errors_and_descriptions_have_none_of_them(package: str) -> None:
    modules = [path for path in (ROOT / package).rglob("*.py") if not path.is_relative_to(GENERATED)]
    found = {
        str(path.relative_to(ROOT)): habits
        for path in modules
        if (habits := [habit for text in texts_of(path.read_text("utf-8")) for habit in habits_in(text)])
    }

    assert modules
    assert found == {}


def test_habits_are_found_in_prose_only() -> None:
    assert habits_in("It stands\nin a file of its own, and that is told.") == ["stands", "of its own", "is told"]
    assert habits_in("| it is told |\n```\nof its own\n```\nA `goes with` b.") == []


def test_every_kind_of_text_of_a_module_is_read() -> None:
    source = '"""Of its\n    own."""\n# It is\n# told.\nraise TypeError(f"{1} goes "\n                f"with {2}")\n'

    assert {habit for text in texts_of(source) for habit in habits_in(text)} == {"Of its own", "goes with", "is told"}
