"""The mock's JavaScript: what it supports, it evaluates as a browser does."""

from __future__ import annotations

import math

import pytest
from msgspec import UNSET

from cdp_typed.mock.js.effects import (
    ConsoleCall,
    LoopForever,
    OpenDialog,
    PauseInDebugger,
    RemoveIframe,
    Returned,
    ScriptEnvironment,
    ScriptRequest,
    SendSyncRequest,
    SetTimeout,
    SettlePromise,
    SyncResponse,
    Threw,
)
from cdp_typed.mock.js.interpreter import run
from cdp_typed.mock.js.numbers import narrow
from cdp_typed.mock.js.operators import binary, compare_or_none
from cdp_typed.mock.js.shown.remote_values import remote_object
from cdp_typed.mock.js.syntax.parser import parse
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import (
    Binding,
    ClickableElement,
    Failure,
    FetchResponse,
    IframeElement,
    OpaqueObject,
    PromiseValue,
    XmlHttpRequest,
)

ENVIRONMENT = ScriptEnvironment(title="T", url="http://x/", variables={"n": 3, "text": "a"}, iframes={"f": "F1"})


def test_a_dialog_stops_a_program_until_its_answer_is_known() -> None:
    program = parse("console.log(1); window.r = confirm('a') ? prompt('b', 'c') : 'no'; console.log(2)")

    assert run(program, ENVIRONMENT).outcome == OpenDialog("confirm", "a", "")
    assert run(program, ENVIRONMENT, (True,)).outcome == OpenDialog("prompt", "b", "c")
    done = run(program, ENVIRONMENT, (True, "text"))
    assert (done.outcome, done.variables["r"]) == (Returned(UNSET), "text")
    assert done.effects == (ConsoleCall("log", (1,), 8), ConsoleCall("log", (2,), 75))


def test_what_a_program_does_is_told_and_not_done() -> None:
    done = run(parse("document.getElementById('f').remove(); setTimeout(() => 1, 5)"), ENVIRONMENT)

    assert isinstance(done.effects[1], SetTimeout)
    assert (done.effects[0], done.effects[1].delay_ms) == (RemoveIframe("F1"), 5.0)
    assert ENVIRONMENT.variables == {"n": 3, "text": "a"}


@pytest.mark.parametrize("source", ["while(1);", "while (true) {}"])
def test_an_endless_loop_spins(source: str) -> None:
    assert run(parse(source), ENVIRONMENT).outcome == LoopForever()


# -- requests ----------------------------------------------------------------------------------------------------------

OPENED = "let x = new XMLHttpRequest(); x.open('post', '/a', false); x.setRequestHeader('A', 1); x.send('q'); "
ANSWER = SyncResponse("http://x/a", 200, "OK", (("Content-Type", "text/plain"),), "body")


def test_a_request_stops_a_program_until_its_answer_is_known() -> None:
    sends = run(parse(OPENED), ENVIRONMENT)

    assert sends.outcome == SendSyncRequest(ScriptRequest("POST", "/a", (("A", "1"),), "q"), 89)
    done = run(parse(OPENED + "[x.status, x.statusText, x.responseText, x.responseURL]"), ENVIRONMENT, (ANSWER,))
    assert done.outcome == Returned([200, "OK", "body", "http://x/a"])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x.getResponseHeader('content-type')", "text/plain"),
        ("x.getResponseHeader('nothing')", None),
        ("x.response", "body"),
        ("typeof x", "object"),
    ],
)
def test_an_answer_is_read(source: str, expected: object) -> None:
    assert run(parse(OPENED + source), ENVIRONMENT, (ANSWER,)).outcome == Returned(expected)


UNKNOWN = (
    *("new XMLHttpRequest().open('GET', '/a')", "new XMLHttpRequest().readyState", "new XMLHttpRequest().abort()"),
    *("new XMLHttpRequest().status.x", "Promise.resolve(1).finally(() => 1)", "text.nothing", "n.remove()", "n()"),
    *("setTimeout(1)", "new Map()", "n.call()", "try { new Map() } catch (e) { 1 }"),
)


@pytest.mark.parametrize(
    ("source", "name"),
    [("new XMLHttpRequest().send()", "InvalidStateError"), *((source, "MockError") for source in UNKNOWN)],
)
def test_what_is_not_understood_or_not_in_order_is_thrown(source: str, name: str) -> None:
    outcome = run(parse(source), ENVIRONMENT).outcome

    assert isinstance(outcome, Threw), outcome
    assert outcome.value.name == name


def test_an_answer_that_is_no_json_is_a_rejection() -> None:
    environment = ScriptEnvironment(
        title="", url="http://x/", iframes={}, variables={"r": FetchResponse("http://x/", 200, "OK", "{")}
    )

    (settles,) = run(parse("r.json()"), environment).effects

    assert isinstance(settles, SettlePromise)
    assert (settles.failed, settles.value.name) == (True, "SyntaxError")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (XmlHttpRequest(1), ("object", "XMLHttpRequest")),
        (FetchResponse("", 200, "", ""), ("object", "Response")),
        (PromiseValue(1), ("object", "Promise")),
        (Binding("tell"), ("function", "Function")),
        (ClickableElement("a", "link"), ("object", "HTMLAnchorElement")),
        (Failure("NetworkError", "", 0, "DOMException"), ("object", "DOMException")),
        (OpaqueObject("Window"), ("object", "Window")),
        (IframeElement("F1", "f"), ("object", "HTMLIFrameElement")),
    ],
)
def test_an_object_of_the_browser_is_shown_with_its_class(value: object, shown: tuple[str, str]) -> None:
    described = remote_object(value, object_id="1.1.1")

    assert (described["type"], described["className"], described["objectId"]) == (*shown, "1.1.1")


# -- try, and debugger -------------------------------------------------------------------------------------------------


def test_the_debugger_may_change_variables() -> None:
    program = parse("let a = 1; debugger; a")

    stopped = run(program, ENVIRONMENT)
    assert (stopped.outcome, stopped.variables["a"]) == (PauseInDebugger(11), 1)
    assert run(program, ENVIRONMENT, ({},)).outcome == Returned(1)
    assert run(program, ENVIRONMENT, ({"a": 7},)).outcome == Returned(7)


@pytest.mark.parametrize(
    ("source", "value", "after"),
    [
        ("n++", 3, 4),
        ("++n", 4, 4),
        ("n--", 3, 2),
        ("--n", 2, 2),
        ("n++ + 1", 4, 4),
        ("1 - --n", -1, 2),
        ("n - -n", 6, 3),
    ],
)
def test_a_step_has_the_value_before_or_after_it(source: str, value: int, after: int) -> None:
    done = run(parse(source), ENVIRONMENT)

    assert (done.outcome, done.variables["n"]) == (Returned(value), after)


def _error_after(first: str, then: str) -> str:
    """The error of the second of two scripts of a page."""
    environment = ScriptEnvironment(
        title="T", url="http://x/", variables=run(parse(first), ENVIRONMENT).variables, iframes={}
    )
    outcome = run(parse(then), environment).outcome
    assert isinstance(outcome, Threw), outcome
    return f"{outcome.value.name} {outcome.value.message}"


@pytest.mark.parametrize("first", ["let a = 1", "const a = () => 1"])
@pytest.mark.parametrize(
    "then", ["window.a", "typeof self.a", "window.a = 2", "globalThis.a()", "window.a.location = '/'"]
)
def test_what_is_no_property_of_the_window_is_refused_as_one(first: str, then: str) -> None:
    assert _error_after(first, then).startswith(
        "MockError cdp_typed.mock does not know this: window.a, where a is declared"
    )


def test_an_executor_that_asks_waits_for_its_answer() -> None:
    program = parse("new Promise(resolve => { resolve(confirm('sure?')) })")

    assert run(program, ENVIRONMENT).outcome == OpenDialog("confirm", "sure?", "")
    assert run(program, ENVIRONMENT, (True,)).effects == (SettlePromise(1, True),)


def test_a_promise_that_is_resolved_with_itself_fails() -> None:
    result = run(parse("let settle; let p = new Promise(r => { settle = r }); settle(p)"), ENVIRONMENT)

    (settled,) = result.effects
    assert isinstance(settled, SettlePromise)
    assert (settled.failed, settled.value.name) == (True, "TypeError")


def test_an_executor_of_another_kind_is_refused() -> None:
    assert _error_after("", "new Promise(({a: 1}))").endswith("new Promise with anything but a function of the page")


def test_a_call_leaves_no_variables_but_those_of_a_function_that_it_made() -> None:
    assert set(run(parse("(a => { let b = 1; return a + b })(1)"), ENVIRONMENT).variables) == {
        "n",
        "text",
        "count of scopes",
    }
    assert "scope 1 b" in run(parse("(a => { let b = 1; return () => b })(1)"), ENVIRONMENT).variables


def test_the_debugger_changes_the_variables_of_the_function_that_it_stops() -> None:
    program = parse("let a = 1; (() => { let a = 2; debugger; return a })() + a")

    stopped = run(program, ENVIRONMENT)
    assert stopped.variables["a"] == 2
    assert run(program, ENVIRONMENT, ({"a": 7},)).outcome == Returned(8)


NO_SCRIPTS = ("a b", "1 +", "(1", "'open", "`${", "{", "for (;;) 2", "a[0", "/x/", "while (n) {}", "#", "1..2")


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        *((source, "column") for source in NO_SCRIPTS),
        *((source, "a number that begins with 0") for source in ("010", "-00")),
        ("{a: 1}", "unexpected ':'"),
        ("if (n) let a = 1", "a declaration without a block"),
        ("function f() { return 1 }; f()", "a function declaration"),
        ("(function f() { return f })()", "a function that refers to itself"),
        ("async () => 1", "'async' is not understood"),
    ],
)
def test_what_is_no_script_or_would_be_understood_wrongly_is_refused(source: str, refused: str) -> None:
    with pytest.raises(Unsupported, match=refused):
        parse(source)


@pytest.mark.parametrize(
    ("source", "unknown"),
    [
        ("([] == '')", "== between an object and a text or a number"),
        ("([] * 2)", "an object in arithmetic"),
        ("(-{})", "an object in arithmetic"),
    ],
)
def test_an_operator_that_would_convert_its_values_is_unknown(source: str, unknown: str) -> None:
    assert _error_after("", source) == f"MockError cdp_typed.mock does not know this: {unknown}"


def test_other_operators_are_unknown() -> None:
    with pytest.raises(Unsupported, match="operator <<"):
        binary("<<", 1, 2)
    assert compare_or_none("<<", 1, 2) is None


def test_a_number_larger_than_all_floats_is_infinite() -> None:
    assert (narrow(10**400), narrow(-(10**400))) == (math.inf, -math.inf)


@pytest.mark.parametrize(
    "source",
    [
        *("'ab'[NaN]", "'ab'[Infinity]"),
        *("[1, 2].reduce()", "'a'.padEnd(1e30)", "'a'.repeat(1e30)", "Array.from({length: 1e30})"),
    ],
)
def test_a_number_that_is_none_or_too_large_ends_no_server(source: str) -> None:
    outcome = run(parse(source), ENVIRONMENT).outcome

    assert isinstance(outcome, Returned if source[4:5] == "[" else Threw), outcome
