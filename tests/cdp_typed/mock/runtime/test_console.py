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


@pytest.mark.parametrize("expression", ["Promise.resolve(1).then(1)", "fetch('/', 1)", "fetch('/', {mode: 'cors'})"])
def test_what_is_not_modelled_of_them_is_an_exception(client: Client, page: str, expression: str) -> None:
    assert "does not know this" in evaluate(client, page, expression)[-1]["result"]["result"]["description"]


# -- bindings ----------------------------------------------------------------------------------------------------------


def calls(got: list[Params]) -> list[Params]:
    return [message["params"] for message in got if message.get("method") == "Runtime.bindingCalled"]


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
