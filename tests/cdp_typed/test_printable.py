"""Page text in a terminal does nothing but be read."""

from __future__ import annotations

import pytest

from cdp_typed.printable import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with Umlaut \u00e4 and \u2603", "plain, with Umlaut \u00e4 and \u2603"),
        ("two\nlines\tand a tab", r"two\nlines\tand a tab"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\u202eevil\u2066", r"\u202eevil\u2066"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("tag \U000e0041", r"tag \U000e0041"),
        ("line\u2028separator", r"line\u2028separator"),
        ("lone \ud800", r"lone \ud800"),
        ("c1 \x9b31m", r"c1 \x9b31m"),
    ],
)
def test_what_could_act_on_a_terminal_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_what_is_shown_can_always_be_written() -> None:
    """A lone surrogate would end the program that prints it."""
    assert visible("\ud800").encode()


def test_a_long_text_is_cut_and_the_rest_counted() -> None:
    assert visible("x" * 250) == "x" * 200 + "... (50 more characters)"
    assert visible("abcdef", limit=3) == "abc... (3 more characters)"
