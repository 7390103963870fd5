"""`debugger` in the mock pauses a script while a session has enabled Debugger, and clients may evaluate."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

RESUMED = "page Debugger.resumed"


@pytest.fixture
def debugged(client: Client, page: str) -> str:
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)
    client.enable(page, "Debugger")
    return page


def paused(client: Client) -> Params:
    return dict([item for item in client.inbox if item.get("method") == "Debugger.paused"][-1]["params"])


def evaluate_there(client: Client, session: str, expression: str, **params: Any) -> Params:
    frame = paused(client)["callFrames"][0]["callFrameId"]
    params = {"callFrameId": frame, "expression": expression, **params}
    return client.result("Debugger.evaluateOnCallFrame", params, session)


@pytest.mark.parametrize("skips", [False, True])
def test_it_stops_nothing_where_nobody_looks(client: Client, page: str, skips: bool) -> None:
    if skips:
        client.enable(page, "Debugger")
        client.result("Debugger.setSkipAllPauses", {"skip": True}, page)

    assert client.evaluate(page, "1; debugger; 2") == ["page reply to Runtime.evaluate = 2"]


@pytest.mark.parametrize("expression", ["alert(1)", "console.log(1)", "nothing.there"])
def test_what_is_evaluated_there_may_fail(client: Client, debugged: str, expression: str) -> None:
    client.evaluate(debugged, "debugger")

    assert "exceptionDetails" in evaluate_there(client, debugged, expression)


def test_what_the_page_wants_to_run_meanwhile_runs_afterwards(
    browser: MockBrowser, client: Client, debugged: str
) -> None:
    client.evaluate(debugged, "debugger; 3")
    browser.run(browser.pages[0].id, "console.log('later')")

    assert client.lines("Debugger.resume", {}, debugged) == [
        "page reply to Debugger.resume",
        RESUMED,
        "page reply to Runtime.evaluate = 3",
        "page Runtime.consoleAPICalled log",
    ]


def test_two_tabs_pause_independently(browser: MockBrowser, client: Client, debugged: str) -> None:
    other = client.attach(browser.open_page(f"{LOCAL}/"), "other")
    client.enable(other, "Debugger")
    client.evaluate(debugged, "debugger; 1")
    client.evaluate(other, "debugger; 2")

    assert client.lines("Debugger.resume", {}, other)[-1] == "other reply to Runtime.evaluate = 2"
    assert client.lines("Debugger.resume", {}, debugged)[-1] == "page reply to Runtime.evaluate = 1"


def test_a_closed_page_is_not_paused_any_more(browser: MockBrowser, client: Client, debugged: str) -> None:
    client.evaluate(debugged, "debugger")

    browser.close_page(browser.pages[0].id)

    assert browser.state.pauses == ()
