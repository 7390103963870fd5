"""The Runtime domain of the mock: values, contexts, console, exceptions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from cdp_typed import JavaScriptError, SyncSession, connect_sync
from cdp_typed.helpers.blocking import js, wait_for
from cdp_typed.mock import Failure, MockBrowser, ThreadedMockServer
from cdp_typed.mock.runtime.console import MAX_CONSOLE_ENTRIES
from tests.cdp_typed.mock.raw_client import LOCAL, Client


def evaluate(client: Client, session: str, expression: str, **params: Any) -> dict[str, Any]:
    return client.result("Runtime.evaluate", {"expression": expression, **params}, session)


@pytest.mark.parametrize("option", ["throwOnSideEffect", "generatePreview"])
def test_an_option_that_would_change_the_result_is_refused(client: Client, page: str, option: str) -> None:
    asked = {option: True}
    object_id = evaluate(client, page, "({})")["result"]["objectId"]
    called = {"functionDeclaration": "() => 1", "objectId": object_id}

    for method, params in (("Runtime.evaluate", {"expression": "1"}), ("Runtime.callFunctionOn", called)):
        assert option in client.error(method, {**params, **asked}, page)["message"]
    assert evaluate(client, page, "1", **{option: False})["result"]["value"] == 1


@pytest.mark.parametrize(
    "expression",
    [
        *("fetch()", "window.screenTop", "for(;;){}", "document.images", "`${navigator.vendor}`", "/x/", "new Date()"),
        *("Promise.resolve(1).then(1)", "fetch('/', 1)", "fetch('/', {mode: 'same-origin'})", "console.time('t')"),
    ],
)
def test_what_the_mock_does_not_know_is_an_exception_and_never_a_value(
    client: Client, page: str, expression: str
) -> None:
    got = evaluate(client, page, expression, returnByValue=True)

    description = got["exceptionDetails"]["exception"]["description"]
    assert "cdp_typed.mock does not know this" in description
    assert (
        f"use cdp_typed.launch, or script this expression: mock.browser.on_expression({expression!r}, ...)"
        in description
    )
    assert got["exceptionDetails"]["exception"]["className"] == "MockError"


ASKS: dict[str, Callable[[SyncSession], Any]] = {
    "an expression": lambda tab: js(tab, "indexedDB.open('a')\n//# sourceURL=there.js"),
    "a function": lambda tab: js(tab, "(a) => indexedDB.open(a)", "x"),
    "a helper": lambda tab: wait_for(tab, "#price"),
}


@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_the_line_that_a_refusal_prints_can_be_pasted(ask: Callable[[SyncSession], Any]) -> None:
    with ThreadedMockServer() as mock, connect_sync(mock.url) as connection, connection.new_page() as tab:
        with pytest.raises(JavaScriptError) as refused:
            ask(tab)
        line = re.search(r"mock\.browser\.on_expression\(.*, \.\.\.\)", str(refused.value))
        assert line is not None
        assert line[0] in str(mock.browser.refusals[-1])

        exec(line[0].replace("...", "True"), {"mock": mock})

        assert ask(tab) in {None, True}


def test_a_long_script_is_not_repeated_and_a_script_of_a_page_cannot_be_scripted(
    browser: MockBrowser, client: Client, page: str
) -> None:
    long = evaluate(client, page, f"document.{'a' * 100}")["result"]["description"]
    browser.run(browser.pages[0].id, "document.images")

    assert "script this expression: mock.browser.on_expression(its whole text, ...)" in long
    assert str(browser.refusals[-1]).endswith("little JavaScript: use cdp_typed.launch")


def test_a_clock_that_was_read_before_a_dialog_is_not_read_again() -> None:
    now = [1000.0]
    client = Client(MockBrowser(clock=lambda: now[0]))
    page = client.attach(client.result("Target.getTargets")["targetInfos"][0]["targetId"])
    client.enable(page, "Page")
    expression = "(() => { const begun = Date.now(); alert(1); return [begun, Date.now()] })()"

    client.send("Runtime.evaluate", {"expression": expression, "returnByValue": True}, page)
    now[0] = 1005.25
    answers = client.send("Page.handleJavaScriptDialog", {"accept": True}, page)

    values = [message["result"]["result"]["value"] for message in answers if message.get("result")]
    assert values == [[1_000_000, 1_005_250]]


def test_a_test_may_say_what_an_expression_gives(browser: MockBrowser, client: Client, page: str) -> None:
    browser.on_expression("navigator.userAgent", "a mock")
    browser.on_expression("broken()", Failure("TypeError", "broken is not a function"))

    assert evaluate(client, page, " navigator.userAgent ")["result"]["value"] == "a mock"
    assert evaluate(client, page, "broken()")["result"]["className"] == "TypeError"


def test_only_the_last_thousand_console_messages_are_kept(browser: MockBrowser, client: Client) -> None:
    session = client.attach(browser.pages[0].id)
    for number in range(MAX_CONSOLE_ENTRIES + 5):
        browser.run(browser.pages[0].id, f"console.log({number})")

    repeated = [
        message for message in client.send("Runtime.enable", {}, session) if "args" in message.get("params", {})
    ]

    assert [message["params"]["args"][0]["value"] for message in repeated] == list(range(5, MAX_CONSOLE_ENTRIES + 5))


def test_a_timer_fires_after_the_reply_and_when_it_is_due(client: Client) -> None:
    now = [1000.0]
    browser = MockBrowser(clock=lambda: now[0])
    waiting = Client(browser)
    session = waiting.attach(browser.pages[0].id)
    waiting.enable(session, "Runtime")

    at_once = waiting.evaluate(session, "setTimeout(() => console.log(1), 0)")
    assert at_once == ["page reply to Runtime.evaluate = 1", "page Runtime.consoleAPICalled log"]
    waiting.send("Runtime.evaluate", {"expression": "setTimeout(() => console.log(2), 500)"}, session)
    assert browser.next_due == 1000.5
    browser.advance()
    assert waiting.taken() == []
    now[0] = 1000.5
    browser.advance()
    assert waiting.taken() == ["page Runtime.consoleAPICalled log"]


def test_an_iframe_has_a_title_of_its_own(browser: MockBrowser, client: Client, page: str) -> None:
    client.send("Page.navigate", {"url": f"{LOCAL}/same"}, page)

    browser.run(browser.frame_named("f"), "document.title = 'inner'")

    assert (browser.state.frames[browser.frame_named("f")].title, browser.pages[0].title) == ("inner", "same")


@pytest.mark.parametrize("end", ["", "\n", "\n//# sourceURL=pptr:evaluate;here\n", " \n//# sourceURL=x"])
def test_a_scripted_expression_is_known_by_whatever_name_a_client_gives_it(
    browser: MockBrowser, client: Client, page: str, end: str
) -> None:
    browser.on_expression("cart.total()", 42)
    browser.on_expression("() => cart.total()", 43)
    context = {"uniqueContextId": browser.state.frames[browser.pages[0].id].contexts[0].unique_id}
    function = {"functionDeclaration": f"() => cart.total(){end}", **context}

    assert client.result("Runtime.evaluate", {"expression": f"cart.total(){end}"}, page)["result"]["value"] == 42
    assert client.result("Runtime.callFunctionOn", function, page)["result"]["value"] == 43


@pytest.mark.parametrize("text", ["10n", "-1n", "xyz", "nan", "inf", "1n + 1n", "{}"])
def test_an_argument_that_is_no_number_is_refused(client: Client, page: str, text: str) -> None:
    context = client.result("Page.createIsolatedWorld", {"frameId": _top(client)}, page)["executionContextId"]
    call = {
        "functionDeclaration": "a => a",
        "executionContextId": context,
        "arguments": [{"unserializableValue": text}],
    }

    assert client.error("Runtime.callFunctionOn", call, page)["message"] == (
        "cdp_typed.mock knows numbers as unserializableValue, and no BigInt or other expression"
    )


def _top(client: Client) -> str:
    return str(client.result("Target.getTargets")["targetInfos"][0]["targetId"])
