"""`js`: values come as they are, or are refused; what the page throws is raised. On a real Chromium."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from cdp_typed import CDPError, CommandTimeout, ElementError, JavaScriptError, Session, WrongType, connect
from cdp_typed.helpers import js, wait_for
from cdp_typed.mock import MockServer
from cdp_typed.protocol import runtime
from tests.cdp_typed.helpers.conftest import Helpers


@dataclass
class Point:
    x: float
    y: int


VALUES: dict[str, object] = {
    "undefined": None,
    "null": None,
    "true": True,
    "'text \\u00e9'": "text \u00e9",
    "42": 42,
    "2.5": 2.5,
    "1/0": math.inf,
    "-1/0": -math.inf,
    "2n ** 70n": 2**70,
    "new Date(0)": "1970-01-01T00:00:00.000Z",
    "({a: [1, {b: null}], c: -Infinity, d: 10n})": {"a": [1, {"b": None}], "c": -math.inf, "d": 10},
    "{ const same = {x: 1}; [same, same] }": [{"x": 1}, {"x": 1}],
    "Promise.resolve([undefined, 'later'])": [None, "later"],
    "() => 7": 7,
    "async () => ({seven: 7})": {"seven": 7},
}


async def test_values_come_as_they_are(page_helpers: Helpers) -> None:
    assert {script: await page_helpers.call("js", script) for script in VALUES} == VALUES
    nan, minus_zero, nested = await page_helpers.call("js", "[NaN, -0, {x: NaN}]")
    assert (math.isnan(nan), math.copysign(1, minus_zero), math.isnan(nested["x"])) == (True, -1.0, True)
    assert math.isnan(await page_helpers.call("js", "NaN"))


ARGUMENTS: list[object] = [None, True, "text", 1, 2.5, -0.0, math.inf, -math.inf, 2**70, [1, {"a": [None]}], {}]


async def test_arguments_arrive_as_they_are(page_helpers: Helpers) -> None:
    arrived = await page_helpers.call("js", "(...all) => all // a comment", *ARGUMENTS)
    kinds = await page_helpers.call("js", "(...all) => all.map(item => typeof item)", 1, 2**70, math.nan)

    assert arrived == ARGUMENTS
    assert math.copysign(1, arrived[5]) == -1
    assert kinds == ["number", "bigint", "number"]


async def test_a_handle_is_an_argument(tab: Session) -> None:
    body = (await tab.send(runtime.Evaluate(expression="document.body"))).result

    assert await js(tab, "element => element.tagName", body) == "BODY"


async def test_a_value_is_checked_against_its_type(page_helpers: Helpers) -> None:
    assert await page_helpers.call("js", "document.title", type=str) == ""
    assert await page_helpers.call("js", "(...all) => all", 1, 2, type=list[int]) == [1, 2]
    assert await page_helpers.call("js", "({x: 1.5, y: 2})", type=Point) == Point(1.5, 2)
    with pytest.raises(WrongType, match=r"^the value is not of type str: Expected `str`, got `null`$"):
        await page_helpers.call("js", "null", type=str)
    with pytest.raises(
        WrongType, match=r"^the value is not of type list\[str\]: Expected `str`, got `int` - at `\$\[1\]`$"
    ):
        await page_helpers.call("js", "['a', 1]", type=list[str])


async def test_what_the_page_throws_is_raised(page_helpers: Helpers) -> None:
    with pytest.raises(JavaScriptError, match=r"^TypeError: no such thing \(line 2, column 1\)$") as thrown:
        await page_helpers.call("js", "\nthrow new TypeError('no such thing')")
    assert thrown.value.text == "TypeError: no such thing"
    assert thrown.value.stack is not None
    assert thrown.value.stack.startswith("TypeError: no such thing\n    at ")
    assert (thrown.value.line, thrown.value.url) == (2, None)


@pytest.mark.parametrize(
    ("script", "args", "text"),
    [
        ("throw 'a text'", (), "a text"),
        ("throw {code: 5}", (), "Object"),
        ("throw undefined", (), "undefined"),
        ("foo bar", (), "SyntaxError: Unexpected identifier 'bar'"),
        ("Promise.reject(new Error('late'))", (), "Error: late"),
        ("async value => { throw new RangeError(value) }", ("called",), "RangeError: called"),
    ],
)
async def test_whatever_is_thrown_has_a_text(tab: Session, script: str, args: tuple[Any, ...], text: str) -> None:
    with pytest.raises(JavaScriptError) as thrown:
        await js(tab, script, *args)

    assert thrown.value.text == text


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (
            "document.body",
            "a value of type node cannot be copied; return what is needed of it, such as its textContent",
        ),
        (
            "[new Map()]",
            r"a value of type map cannot be copied; return Object.fromEntries\(map\), or Array.from\(map\)",
        ),
        ("new URL('http://a/')", "a value of type platformobject cannot be copied; return something made of objects"),
        ("({f() {}})", "a value of type function cannot be copied"),
        ("{ const a = []; a.push(a); a }", "the value contains itself and cannot be copied"),
        ("{ const a = {}; a.b = {a}; [a] }", "the value contains itself and cannot be copied"),
    ],
)
async def test_a_value_that_cannot_be_copied_is_refused(tab: Session, script: str, sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{sentence}"):
        await js(tab, script)


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        (b"bytes", "a value of type bytes cannot be sent to the page; give JSON"),
        ([math.nan], "nan inside of a list or dict cannot be sent; pass it as a separate argument"),
        ([2**60], f"{2**60} inside of a list or dict cannot be sent"),
        ({1: 2}, "a key of an object is a str, not int"),
    ],
)
async def test_an_argument_that_cannot_be_sent_is_refused(tab: Session, argument: object, sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{sentence}"):
        await js(tab, "value => value", argument)


async def test_only_a_function_takes_arguments(tab: Session) -> None:
    with pytest.raises(
        TypeError, match="the expression is no function to be called with arguments, but of type number"
    ):
        await js(tab, "1 + 1", 2)


async def test_a_browser_that_knows_no_types_of_values_is_asked_for_json() -> None:
    async with MockServer() as mock, connect(mock.url) as browser, browser.new_page() as tab:
        mock.browser.on(runtime.Evaluate, {"result": {"type": "object", "objectId": "7"}})
        mock.browser.on(runtime.CallFunctionOn, {"result": {"type": "object", "value": {"a": 1}}})

        assert await js(tab, "({a: 1})") == {"a": 1}


def test_a_value_of_another_type_is_an_error_of_this_library_and_a_type_error() -> None:
    assert issubclass(WrongType, CDPError)
    assert issubclass(WrongType, TypeError)


BLOB = "URL.createObjectURL(new Blob(['<p>a'], {type: 'text/html'}))"


@pytest.mark.parametrize(
    ("state", "change"),
    [
        ("visible", "document.body.innerHTML = '<p style=display:none>a', () => p.style.display = 'block'"),
        ("visible", "document.body.innerHTML = '<p style=visibility:hidden>a', () => p.style.visibility = ''"),
        ("visible", f"document.body.innerHTML = '', () => location = {BLOB}"),
        ("hidden", "document.body.innerHTML = '<p>a', () => p.style.display = 'none'"),
        ("hidden", "document.body.innerHTML = '<p>a', () => p.remove()"),
        ("gone", "document.body.innerHTML = '<p style=display:none>', () => p.remove()"),
    ],
)
async def test_an_element_is_waited_for(page_helpers: Helpers, state: Any, change: str) -> None:
    before, _, then = change.partition(", ")
    await js(page_helpers.tab, f"{{ {before}; 0 }}")
    with pytest.raises(ElementError, match=r'^"p": the element is (not|still) .* after 0\.5 s$'):
        await page_helpers.call("wait_for", "p", state, timeout=0.5)
    later = f"{{ const p = document.querySelector('p'); setTimeout({then}, 50); 0 }}"
    await js(page_helpers.tab, later)

    await page_helpers.call("wait_for", "p", state, timeout=20)


async def test_what_is_no_selector_or_no_state_is_refused_at_once(tab: Session) -> None:
    with pytest.raises(JavaScriptError, match="is not a valid selector"):
        await wait_for(tab, "p[", timeout=None)
    with pytest.raises(ValueError, match=r"^state must be one of visible, hidden, gone, not 'attached'$"):
        await wait_for(tab, "p", "attached")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the mistake that is tested


async def test_a_page_that_does_not_answer_ends_the_wait_too(tab: Session) -> None:
    _ = tab.send_nowait(runtime.Evaluate(expression="alert(1)"))
    with pytest.raises((ElementError, CommandTimeout), match=r"after 0\.3 s|within 0\.\d+ s"):
        await wait_for(tab, "p", timeout=0.3)
