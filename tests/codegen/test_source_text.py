"""Pieces of source: whatever upstream writes must come back from Python unchanged."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.emit.fields import described
from codegen.emit.source_text import docstring, quote

HOSTILE = [
    '"',
    '""',
    '"""',
    "\\",
    "ends with \\",
    'ends with "',
    '"starts',
    "a\\n",
    "'",
    "tab\there",
    "é \u2028 x",
    "{}%s",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_docstring_survives(text: str) -> None:
    assert ast.literal_eval(docstring(text)).strip() == text
    assert ast.literal_eval(docstring(f"first\n{text}")).strip() == f"first\n{text}"


@given(st.text(st.characters(codec="ascii", exclude_characters="\r\n\x0b\x0c\x1c\x1d\x1e\x85\x00")))
def test_a_string_literal_survives(text: str) -> None:
    assert ast.literal_eval(quote(text)) == text


def test_no_text_gives_no_docstring() -> None:
    assert docstring("  \n ") == ""


def test_marks_stand_behind_one_line_and_below_several() -> None:
    assert described("Text", experimental=True, deprecated=False) == "Text. Experimental."
    assert described("Text.", experimental=True, deprecated=True) == "Text. Experimental. Deprecated."
    assert described("Two\nlines.", experimental=False, deprecated=True) == "Two\nlines.\n\nDeprecated."
    assert described("", experimental=False, deprecated=False, note="Base64 text.") == "Base64 text."
