"""JSON and tables that do nothing to a terminal, and that any pipe can carry."""

from __future__ import annotations

import io
import json
import sys

import pytest

from cdp_typed.cli.output import json_line, json_text, table

HOSTILE = "\ud800 \u202e \x1b[31m \x9b \u2028 \U000e0041 \u00e4 \u2603"


class Terminal(io.TextIOWrapper):
    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding)

    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_ascii_indented_or_on_one_line() -> None:
    text = json_text({"a": HOSTILE})

    assert text.isascii()
    assert json.loads(text) == {"a": HOSTILE}
    assert json_text({"a": [1]}) == '{\n  "a": [\n    1\n  ]\n}'
    assert json_line({"a": "x\ny"}) == r'{"a": "x\ny"}'


def test_a_terminal_gets_letters_as_they_are_and_the_rest_as_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal("utf-8"))

    text = json_line({"a": HOSTILE})

    assert text == r'{"a": "\ud800 \u202e \u001b[31m \u009b \u2028 \udb40\udc41 ä ☃"}'
    assert json.loads(text) == {"a": HOSTILE}
    monkeypatch.setattr(sys, "stdout", Terminal("latin-1"))
    assert json_line("ä") == r'"\u00e4"'


def test_a_table_has_columns_and_shows_what_is_hidden() -> None:
    assert table([("A", "B"), ("long", "\x1b[31m")]) == "A     B\nlong  \\x1b[31m"
