"""Page text in a terminal does nothing but be read."""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest

from cdp_typed import Session, connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.printable import visible
from cdp_typed.protocol import runtime, target


@pytest.fixture
async def page(chromium: LaunchedBrowser) -> AsyncIterator[Session]:
    async with connect(chromium) as connection:
        opened = await connection.send(target.CreateTarget(url="about:blank"))
        yield await connection.attach(opened.target_id)
        await connection.send(target.CloseTarget(target_id=opened.target_id))


def batched(points: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(points[::2], points[1::2], strict=False)


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
        ("selector \U000e0100\U000e01ef", r"selector \U000e0100\U000e01ef"),
        ("emoji \u2764\ufe0f", "emoji \u2764\\ufe0f"),
        ("text \u2764\ufe0e", "text \u2764\\ufe0e"),
        ("joiner \u034f", r"joiner \u034f"),
        ("fillers \u3164\uffa0\u115f", r"fillers \u3164\uffa0\u115f"),
        ("dots of Braille \u2800\u2801", r"dots of Braille \u2800" + "\u2801"),
        ("mongolian \u180b\u180f", r"mongolian \u180b\u180f"),
        ("khmer \u17b4", r"khmer \u17b4"),
        ("private \ue000\U0010fffd", r"private \ue000\U0010fffd"),
        ("unassigned \u0378\U000e0fff\uffff", r"unassigned \u0378\U000e0fff\uffff"),
        ("soft\xadhyphen", r"soft\xadhyphen"),
        *(
            (ordinary, ordinary)
            for ordinary in (
                "e\u0301 \u0928\u093f \u05d1\u05bc \u0e01\u0e34",
                "\u4f60\u597d \u0645\u0631\u062d\u0628\u0627 \U0001f600",
                "spaces \xa0\u3000",
            )
        ),
    ],
)
def test_what_could_act_on_a_terminal_is_shown_as_an_escape_and_other_text_stays(text: str, shown: str) -> None:
    assert visible(text) == shown


async def test_all_that_a_browser_says_cannot_be_seen_is_an_escape(page: Session) -> None:
    """Every code point of all planes, by the Unicode of the browser; Python may know fewer characters than that has."""
    script = r"""
        const hidden = /^[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u, edges = [];
        for (let point = 0, before = false; point < 0x110000; point++) {
            const now = hidden.test(String.fromCodePoint(point));
            if (now !== before) edges.push(point);
            before = now;
        }
        edges
    """
    edges = (await page.send(runtime.Evaluate(expression=script, return_by_value=True))).result.value
    by_browser = {point for begin, end in batched([*edges, 0x110000]) for point in range(begin, end)}

    ours = {point for point in range(0x110000) if visible(chr(point)) != chr(point)}

    assert by_browser - ours == set()
    blank_sign = {0x2800}
    assert {unicodedata.category(chr(point)) for point in ours - by_browser - blank_sign} <= {"Cn"}


def test_a_long_text_is_cut_and_the_rest_counted() -> None:
    assert visible("x" * 250) == "x" * 200 + "... (50 more characters)"
    assert visible("abcdef", limit=3) == "abc... (3 more characters)"
