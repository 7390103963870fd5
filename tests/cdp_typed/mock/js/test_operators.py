"""Operators of the mock's JavaScript evaluate as Chromium's do, or are refused as unsupported."""

from __future__ import annotations

import math
from typing import Any

import pytest

from cdp_typed import connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock.js.effects import Returned, ScriptEnvironment, Threw
from cdp_typed.mock.js.interpreter import run
from cdp_typed.mock.js.operators import binary, compare_or_none
from cdp_typed.mock.js.parser import parse
from cdp_typed.mock.js.syntax_tree import Unsupported
from cdp_typed.protocol import runtime

TABLE: dict[str, Any] = {
    "-0": -0.0,
    "-null": -0.0,
    "-'2'": -2,
    "+'5'": 5,
    "+' '": 0,
    "+'x'": math.nan,
    "+undefined": math.nan,
    "!''": True,
    "true + 1": 2,
    "null + 1": 1,
    "1 + '1'": "11",
    "[1] + 2": "12",
    "({}) + 'x'": "[object Object]x",
    "5 - '2'": 3,
    "-7 % 3": -1,
    "5 % 0": math.nan,
    "(1 / 0) % 2": math.nan,
    "7 / 2": 3.5,
    "1 / 0": math.inf,
    "-1 / 0": -math.inf,
    "1 / -0": -math.inf,
    "0 / 0": math.nan,
    "2 ** 1024": math.inf,
    "0 ** -1": math.inf,
    "(-8) ** 0.5": math.nan,
    "1 === '1'": False,
    "1 !== '1'": True,
    "[] === []": False,
    "null != 0": True,
    "undefined == null": True,
    "1 == 1": True,
    "1 != 2": True,
    "typeof 1": "number",
    "2 * 3": 6,
    "'b' > 'a'": True,
    "'a' >= 'a'": True,
    "'a' <= 'b'": True,
    "'1' < 2": True,
    "2 >= 3": False,
    "undefined < 1": False,
    "undefined > 1": False,
}


def alike(actual: Any, expected: Any) -> bool:
    """Compare as `Object.is` does; Python's booleans are not JavaScript's numbers."""
    if isinstance(expected, bool | str) or isinstance(actual, bool | str):
        return type(actual) is type(expected) and bool(actual == expected)
    if math.isnan(expected):
        return math.isnan(actual)
    return bool(actual == expected) and math.copysign(1, actual) == math.copysign(1, expected)


def _run(source: str) -> object:
    return run(parse(source), ScriptEnvironment(title="", url="", variables={}, iframes={})).outcome


@pytest.mark.parametrize("source", TABLE)
def test_an_operator_has_its_value(source: str) -> None:
    outcome = _run(source)

    assert isinstance(outcome, Returned)
    assert alike(outcome.value, TABLE[source]), outcome.value


async def test_the_table_is_chromiums(chromium: LaunchedBrowser) -> None:
    async with connect(chromium.ws_url) as browser, browser.new_page() as tab:
        answers = await tab.send_many([runtime.Evaluate(expression=f"({source})") for source in TABLE])

    results = {
        source: float(answer.result.unserializable_value.replace("Infinity", "inf"))
        if answer.result.unserializable_value is not None
        else answer.result.value
        for source, answer in zip(TABLE, answers, strict=True)
    }
    assert [source for source in TABLE if not alike(results[source], TABLE[source])] == []


@pytest.mark.parametrize(
    ("source", "unknown"),
    [
        ("1 == '1'", "== between different types"),
        ("[] * 2", "an object in arithmetic"),
        ("-{}", "an object in arithmetic"),
    ],
)
def test_what_needs_a_value_converted_is_unknown(source: str, unknown: str) -> None:
    outcome = _run(f"({source})")

    assert isinstance(outcome, Threw)
    assert outcome.value.message == f"cdp_typed.mock does not know this: {unknown}"


def test_other_operators_are_unknown() -> None:
    with pytest.raises(Unsupported, match="operator <<"):
        binary("<<", 1, 2)
    assert compare_or_none("<<", 1, 2) is None
