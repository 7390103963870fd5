"""The console of the mock's pages: messages, exceptions, rejected promises, and bindings."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

SITE = {
    f"{LOCAL}/": Page(title="blank"),
    f"{LOCAL}/throws": Page(script="console.log('inline', {a: 1}); throw new TypeError('boom')"),
}


def evaluate(client: Client, session: str, expression: str, **params: Any) -> list[Params]:
    return client.send("Runtime.evaluate", {"expression": expression, **params}, session)


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


@pytest.mark.parametrize(
    "expression", ["Promise.resolve(1).then(1)", "fetch('/', 1)", "fetch('/', {mode: 'cors'})", "console.time('t')"]
)
def test_what_is_not_modelled_is_an_exception(client: Client, page: str, expression: str) -> None:
    assert "does not know this" in evaluate(client, page, expression)[-1]["result"]["result"]["description"]


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
