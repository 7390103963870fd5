"""Numbers of the mock's JavaScript are read and printed as Chromium reads and prints them."""

from __future__ import annotations

import math
from typing import Final

import pytest

from cdp_typed import connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock.js.effects import Returned, ScriptEnvironment
from cdp_typed.mock.js.interpreter import run
from cdp_typed.mock.js.numbers import narrow
from cdp_typed.mock.js.parser import parse
from cdp_typed.mock.js.syntax_tree import Unsupported
from cdp_typed.protocol import runtime

READ: Final = {
    "'1_0'": "NaN", "'0x1F'": "31", "'0B11'": "3", "'0o17'": "15", "'-0x1'": "NaN", "'0x'": "NaN", "'010'": "10",
    "'Infinity'": "Infinity", "'-Infinity'": "-Infinity", "'infinity'": "NaN", "'inf'": "NaN", "'nan'": "NaN",
    "'.5'": "0.5", "'5.'": "5", "'.'": "NaN", "'1e'": "NaN", "'+-5'": "NaN", "'1 2'": "NaN", "'1e400'": "Infinity",
    r"'\u00a05\ufeff'": "5", r"'\u0085'": "NaN", r"'\u0661'": "NaN", "' '": "0",
}  # fmt: skip
"""`+text`, as text."""

PRINTED: Final = {
    "1e-6": "0.000001", "1e-7": "1e-7", "1.5e-9": "1.5e-9", "123456789012345680000": "123456789012345680000",
    "1e21": "1e+21", "12345e20": "1.2345e+24", "9007199254740993": "9007199254740992",
    "2 ** 53 + 1": "9007199254740992",
    "0.1 + 0.2": "0.30000000000000004", "100": "100", "12.5": "12.5", "-0.25": "-0.25", "0 * -1": "0",
    "5e-324": "5e-324",
    "1 / (0 * -1)": "-Infinity", "1 ** (1 / 0)": "NaN", "(-0) ** -1": "-Infinity", "(-10) ** 1001": "-Infinity",
    "(-8) ** 0.5": "NaN", "-(0 / 0)": "NaN", "'\U0001f600'.length": "2", r"'\ud83d\ude00' === '😀'": "true",
}  # fmt: skip
"""`'' + value`."""

SAID: Final = {
    **{f"'' + (+{text})": value for text, value in READ.items()},
    **{f"'' + ({source})": value for source, value in PRINTED.items()},
}


@pytest.mark.parametrize("source", SAID)
def test_a_number_is_read_and_printed(source: str) -> None:
    outcome = run(parse(source), ScriptEnvironment(title="", url="", variables={}, iframes={})).outcome

    assert outcome == Returned(SAID[source])


async def test_these_are_chromiums(chromium: LaunchedBrowser) -> None:
    async with connect(chromium.ws_url) as browser, browser.new_page() as tab:
        answers = await tab.send_many([runtime.Evaluate(expression=source) for source in SAID])

    assert {source: answer.result.value for source, answer in zip(SAID, answers, strict=True)} == SAID


def test_a_number_larger_than_all_floats_is_infinite() -> None:
    assert (narrow(10**400), narrow(-(10**400))) == (math.inf, -math.inf)


@pytest.mark.parametrize("source", ["010", "-00"])
def test_a_number_that_begins_with_zero_is_not_guessed(source: str) -> None:
    with pytest.raises(Unsupported, match="a number that begins with 0"):
        parse(source)
