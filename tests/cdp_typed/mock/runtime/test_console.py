"""The console of the mock's pages: messages, exceptions, rejected promises, and bindings."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

SITE = {
    f"{LOCAL}/": Page(title="blank"),
    f"{LOCAL}/throws": Page(script="console.log('inline', {a: 1}); throw new TypeError('boom')"),
    f"{LOCAL}/late": Page(on_load="throw 'plain'"),
}


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


def evaluate(client: Client, session: str, expression: str, **params: Any) -> list[Params]:
    return client.send("Runtime.evaluate", {"expression": expression, **params}, session)


def messages(got: list[Params]) -> list[tuple[str, list[object]]]:
    """Return the type and the arguments of each console message."""
    events = [message["params"] for message in got if message.get("method") == "Runtime.consoleAPICalled"]
    return [(event["type"], [_shown(argument) for argument in event["args"]]) for event in events]


def _shown(argument: Params) -> object:
    return argument.get("value", argument.get("description", argument["type"]))


def thrown(got: list[Params]) -> list[Params]:
    return [
        message["params"]["exceptionDetails"] for message in got if message.get("method") == "Runtime.exceptionThrown"
    ]


# Read from Chromium 156.
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("log('a', 1, null, undefined, true)", [("log", ["a", 1, None, "undefined", True])]),
        ("log('%s x', 'a')", [("log", ["%s x", "a"])]),
        ("log('%s %d %s', [1, 'x'], 2, true, null)", [("log", ["%s %d %s", "1,x", 2, "true", None])]),
        ("log()", []),
        ("info('i')", [("info", ["i"])]),
        ("debug('d')", [("debug", ["d"])]),
        ("warn('w')", [("warning", ["w"])]),
        ("error('e')", [("error", ["e"])]),
        ("trace('t')", [("trace", ["t"])]),
        ("trace()", [("trace", ["console.trace"])]),
        ("assert(1 > 2, 'as')", [("assert", ["as"])]),
        ("assert(false)", [("assert", ["console.assert"])]),
        ("assert(true, 'as')", []),
        ("dir({a: 1})", [("dir", ["Object"])]),
        ("dirxml(1)", [("dirxml", [1])]),
        ("table([1])", [("table", ["Array(1)"])]),
        ("clear()", [("clear", ["console.clear"])]),
        ("group('g')", [("startGroup", ["g"])]),
        ("group()", [("startGroup", ["console.group"])]),
        ("groupCollapsed('g')", [("startGroupCollapsed", ["g"])]),
        ("groupEnd()", [("endGroup", ["console.groupEnd"])]),
        ("count()", [("count", ["default: 1"])]),
        ("count('k'); console.count('k')", [("count", ["k: 1"]), ("count", ["k: 2"])]),
        ("count('k'); console.countReset('k'); console.count('k')", [("count", ["k: 1"]), ("count", ["k: 1"])]),
    ],
)
def test_every_level_leaves_its_message(
    client: Client, page: str, call: str, expected: list[tuple[str, list[object]]]
) -> None:
    got = evaluate(client, page, f"console.{call}")

    assert (messages(got), got[-1]["result"]) == (expected, {"result": {"type": "undefined"}})


def test_a_method_that_the_console_does_not_have_here_is_an_exception(client: Client, page: str) -> None:
    assert "does not know this" in evaluate(client, page, "console.time('t')")[-1]["result"]["result"]["description"]


@pytest.mark.parametrize(
    ("expression", "preview"),
    [
        (
            "[1, 'x', null]",
            {
                "type": "object",
                "subtype": "array",
                "description": "Array(3)",
                "overflow": False,
                "properties": [
                    {"name": "0", "type": "number", "value": "1"},
                    {"name": "1", "type": "string", "value": "x"},
                    {"name": "2", "type": "object", "subtype": "null", "value": "null"},
                ],
            },
        ),
        (
            "({a: undefined, b: {}, c: [1], d: () => 1, e: true, f: 6})",
            {
                "type": "object",
                "description": "Object",
                "overflow": True,
                "properties": [
                    {"name": "a", "type": "undefined", "value": "undefined"},
                    {"name": "b", "type": "object", "value": "Object"},
                    {"name": "c", "type": "object", "subtype": "array", "value": "Array(1)"},
                    {"name": "d", "type": "function", "value": ""},
                    {"name": "e", "type": "boolean", "value": "true"},
                ],
            },
        ),
        (
            "new Error('z')",
            {
                "type": "object",
                "subtype": "error",
                "description": "Error: z\n    at <anonymous>:1:13",
                "overflow": False,
                "properties": [
                    {"name": "stack", "type": "string", "value": "Error: z\n    at <anonymous>:1:13"},
                    {"name": "message", "type": "string", "value": "z"},
                ],
            },
        ),
        ("1", None),
    ],
)
def test_an_object_is_previewed(client: Client, page: str, expression: str, preview: Params | None) -> None:
    got = evaluate(client, page, f"console.log({expression})")

    assert got[0]["params"]["args"][0].get("preview") == preview


def test_a_long_text_is_cut_in_a_preview(client: Client, page: str) -> None:
    (shown,) = evaluate(client, page, f"console.log(['{'a' * 60}{'b' * 60}'])")[0]["params"]["args"]

    text = shown["preview"]["properties"][0]["value"]
    assert (len(text), text[0], text[50], text[-1]) == (100, "a", "…", "b")


def test_the_script_of_a_page_tells_its_address(client: Client, page: str) -> None:
    got = client.send("Page.navigate", {"url": f"{LOCAL}/throws"}, page)

    (event,) = [message["params"] for message in got if message.get("method") == "Runtime.consoleAPICalled"]
    assert event["stackTrace"]["callFrames"][0]["url"] == f"{LOCAL}/throws"
    (details,) = thrown(got)
    assert details["exception"].pop("objectId")
    assert details["exception"].pop("preview")["properties"][1] == {
        "name": "message",
        "type": "string",
        "value": "boom",
    }
    assert {key: details[key] for key in ("text", "lineNumber", "columnNumber", "url", "exception")} == {
        "text": "Uncaught",
        "lineNumber": 0,
        "columnNumber": 31,
        "url": f"{LOCAL}/throws",
        "exception": {
            "type": "object",
            "subtype": "error",
            "className": "TypeError",
            "description": f"TypeError: boom\n    at {LOCAL}/throws:1:38",
        },
    }


def test_the_load_handler_may_throw_anything(client: Client, page: str) -> None:
    (details,) = thrown(client.send("Page.navigate", {"url": f"{LOCAL}/late"}, page))

    assert details["exception"] == {"type": "string", "value": "plain"}


def test_who_enables_runtime_later_gets_everything_but_the_previews(
    browser: MockBrowser, client: Client, page: str
) -> None:
    client.enable(page, "Log")
    client.send("Page.navigate", {"url": f"{LOCAL}/throws"}, page)
    evaluate(client, page, "fetch('http://nobody.test/').catch(e => 1)")
    late = client.attach(browser.pages[0].id, "late")

    got = client.send("Runtime.enable", {}, late)

    assert [message.get("method", "reply") for message in got] == [
        "Runtime.executionContextCreated",
        "Runtime.consoleAPICalled",
        "Runtime.exceptionThrown",
        "reply",
    ]
    assert "preview" not in got[1]["params"]["args"][1]
    assert "preview" not in got[2]["params"]["exceptionDetails"]["exception"]


# -- promises ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("Promise.resolve(1)", 1),
        ("Promise.resolve()", "undefined"),
        ("Promise.resolve(1).then(v => v + 1).then(v => v * 3)", 6),
        ("Promise.resolve(1).then(v => Promise.resolve(v + 1))", 2),
        ("Promise.resolve(1).then(null).then(v => v)", 1),
        ("Promise.reject('no').catch(e => e + '!')", "no!"),
        ("Promise.reject('no').then(v => 1, e => 2)", 2),
        ("Promise.resolve(1).then(v => { throw 'no' }).catch(e => e)", "no"),
    ],
)
def test_a_promise_is_awaited(client: Client, page: str, expression: str, expected: object) -> None:
    got = evaluate(client, page, expression, awaitPromise=True)

    assert [_shown(message["result"]["result"]) for message in got] == [expected]


@pytest.mark.parametrize("expression", ["Promise.resolve(1).then(1)", "fetch('/', 1)", "fetch('/', {mode: 'cors'})"])
def test_what_is_not_modelled_of_them_is_an_exception(client: Client, page: str, expression: str) -> None:
    assert "does not know this" in evaluate(client, page, expression)[-1]["result"]["result"]["description"]


def test_a_promise_that_nobody_awaits_is_an_object(client: Client, page: str) -> None:
    shown = evaluate(client, page, "Promise.resolve(1)")[0]["result"]["result"]

    assert (shown["subtype"], shown["className"]) == ("promise", "Promise")


def test_a_rejection_that_is_awaited_is_told_to_the_caller_only(client: Client, page: str) -> None:
    (reply,) = evaluate(client, page, "Promise.reject(new Error('r'))", awaitPromise=True)

    assert reply["result"]["exceptionDetails"]["text"] == "Uncaught (in promise) Error: r"
    (reply,) = evaluate(client, page, "Promise.reject(7)", awaitPromise=True)
    assert reply["result"]["exceptionDetails"]["text"] == "Uncaught (in promise)"


def test_a_rejection_that_nobody_awaits_is_an_exception(client: Client, page: str) -> None:
    got = evaluate(client, page, "Promise.reject(new Error('r')); 1")

    (details,) = thrown(got)
    assert (details["text"], details["exception"]["className"]) == ("Uncaught (in promise)", "Error")
    assert thrown(evaluate(client, page, "2")) == []


def test_a_promise_may_be_kept_and_awaited_later(client: Client, page: str) -> None:
    evaluate(client, page, "window.p = Promise.resolve(5)")

    (reply,) = evaluate(client, page, "p", awaitPromise=True)
    assert reply["result"]["result"]["value"] == 5
    (reply,) = evaluate(client, page, "p.then(v => v + 1)", awaitPromise=True)
    assert reply["result"]["result"]["value"] == 6


# -- bindings ----------------------------------------------------------------------------------------------------------


def calls(got: list[Params]) -> list[Params]:
    return [message["params"] for message in got if message.get("method") == "Runtime.bindingCalled"]


def test_a_context_that_is_not_there_is_not_bound(client: Client, page: str) -> None:
    assert client.error("Runtime.addBinding", {"name": "tell", "executionContextId": 999}, page) == {
        "code": -32602,
        "message": "Cannot find execution context with given executionContextId",
    }


@pytest.mark.parametrize("expression", ["tell()", "tell(1)", "tell('a', 'b')"])
def test_a_binding_takes_exactly_one_string(client: Client, page: str, expression: str) -> None:
    client.result("Runtime.addBinding", {"name": "tell"}, page)

    got = evaluate(client, page, expression)

    assert got[-1]["result"]["result"]["description"] == (
        "Error: Invalid arguments: should be exactly one string.\n    at <anonymous>:1:1"
    )


def test_a_call_reaches_those_who_added_the_binding(browser: MockBrowser, client: Client, page: str) -> None:
    other = client.attach(browser.pages[0].id, "other")
    client.enable(other, "Runtime")
    client.result("Runtime.addBinding", {"name": "tell"}, page)

    got = evaluate(client, page, "tell('x')")

    context = browser.state.frames[browser.pages[0].id].contexts[0].id
    assert calls(got) == [{"name": "tell", "payload": "x", "executionContextId": context}]
    assert evaluate(client, page, "typeof tell")[0]["result"]["result"]["value"] == "function"


def test_a_binding_is_there_in_new_documents_before_their_scripts(client: Client, page: str) -> None:
    client.result("Runtime.addBinding", {"name": "tell"}, page)
    client.result("Page.addScriptToEvaluateOnNewDocument", {"source": "tell('early')"}, page)

    got = client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)

    assert [call["payload"] for call in calls(got)] == ["early"]


def test_a_binding_may_be_for_one_world_or_one_context(browser: MockBrowser, client: Client, page: str) -> None:
    """A binding for every world is in isolated ones too."""
    client.result("Runtime.addBinding", {"name": "everywhere"}, page)
    client.result("Runtime.addBinding", {"name": "inside", "executionContextName": "w"}, page)
    params = {"frameId": browser.pages[0].id, "worldName": "w"}
    world = client.result("Page.createIsolatedWorld", params, page)["executionContextId"]
    client.result("Runtime.addBinding", {"name": "here", "executionContextId": world}, page)

    got = evaluate(client, page, "everywhere('a'); inside('b'); here('c')", contextId=world)

    assert [(call["name"], call["executionContextId"]) for call in calls(got)] == [
        ("everywhere", world),
        ("inside", world),
        ("here", world),
    ]
    assert evaluate(client, page, "typeof inside + typeof here")[0]["result"]["result"]["value"] == "undefinedundefined"
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)
    assert evaluate(client, page, "typeof everywhere + typeof here")[0]["result"]["result"]["value"] == (
        "functionundefined"
    )


def test_a_binding_that_was_removed_is_called_in_vain(client: Client, page: str) -> None:
    client.result("Runtime.addBinding", {"name": "tell"}, page)
    client.result("Runtime.removeBinding", {"name": "tell"}, page)

    got = evaluate(client, page, "tell('x')")

    assert (calls(got), got[-1]["result"]) == ([], {"result": {"type": "undefined"}})
