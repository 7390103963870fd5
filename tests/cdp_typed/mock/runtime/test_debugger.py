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


def evaluate(client: Client, session: str, expression: str, **params: Any) -> list[str]:
    return client.lines("Runtime.evaluate", {"expression": expression, **params}, session)


def paused(client: Client) -> Params:
    return dict([item for item in client.inbox if item.get("method") == "Debugger.paused"][-1]["params"])


def evaluate_there(client: Client, session: str, expression: str, **params: Any) -> Params:
    frame = paused(client)["callFrames"][0]["callFrameId"]
    params = {"callFrameId": frame, "expression": expression, **params}
    return client.result("Debugger.evaluateOnCallFrame", params, session)


@pytest.mark.parametrize(
    ("method", "params"),
    [("resume", {}), ("evaluateOnCallFrame", {"callFrameId": "x", "expression": "1"})],
)
def test_a_page_that_runs_is_not_resumed(client: Client, debugged: str, method: str, params: Params) -> None:
    assert client.error(f"Debugger.{method}", params, debugged) == {
        "code": -32000,
        "message": "Can only perform operation while paused.",
    }


def test_a_call_frame_that_is_not_there_is_refused(client: Client, debugged: str) -> None:
    evaluate(client, debugged, "debugger")

    params = {"callFrameId": "1.1.1", "expression": "1"}
    assert client.error("Debugger.evaluateOnCallFrame", params, debugged)["message"] == "Invalid call frame id"


@pytest.mark.parametrize("skips", [False, True])
def test_it_stops_nothing_where_nobody_looks(client: Client, page: str, skips: bool) -> None:
    if skips:
        client.enable(page, "Debugger")
        client.result("Debugger.setSkipAllPauses", {"skip": True}, page)

    assert evaluate(client, page, "1; debugger; 2") == ["page reply to Runtime.evaluate = 2"]


def test_the_event_tells_where(client: Client, debugged: str) -> None:
    evaluate(client, debugged, "let v = 1; debugger; v")

    told = paused(client)
    frame = told["callFrames"][0]
    assert (told["reason"], told["hitBreakpoints"], len(told["callFrames"])) == ("other", [], 1)
    assert (frame["location"]["columnNumber"], frame["functionName"], frame["canBeRestarted"]) == (11, "", True)
    assert (frame["this"]["className"], frame["scopeChain"][0]["type"]) == ("Window", "global")


def test_the_call_hangs_and_others_do_not(browser: MockBrowser, client: Client, debugged: str) -> None:
    """Measured: while a page is paused, every call but the one that paused it is answered."""
    assert evaluate(client, debugged, "let v = 1; debugger; v") == ["page Debugger.paused other"]
    other = client.attach(browser.pages[0].id, "other")

    assert evaluate(client, debugged, "1 + 1") == ["page reply to Runtime.evaluate = 2"]
    assert evaluate(client, other, "debugger; 3") == ["other reply to Runtime.evaluate = 3"]
    assert client.lines("Page.getFrameTree", {}, debugged) == ["page reply to Page.getFrameTree"]
    assert client.lines("Debugger.resume", {}, other) == [
        "other reply to Debugger.resume",
        RESUMED,
        "page reply to Runtime.evaluate = 1",
    ]


def test_the_page_runs_nothing_of_its_own_meanwhile(browser: MockBrowser, client: Client, debugged: str) -> None:
    evaluate(client, debugged, "setTimeout(() => { window.later = 1 }, 0); debugger")
    browser.advance()

    assert evaluate(client, debugged, "window.later") == ["page reply to Runtime.evaluate = undefined"]
    client.send("Debugger.resume", {}, debugged)
    browser.advance()
    assert evaluate(client, debugged, "window.later") == ["page reply to Runtime.evaluate = 1"]


def test_a_client_may_answer_in_the_place_of_the_page(client: Client, debugged: str) -> None:
    """A dialog can be replaced in this way: the function waits for its variable."""
    evaluate(client, debugged, "window.ask = (m) => { let answer; debugger; return answer }")
    evaluate(client, debugged, "ask('sure?') + '!'")

    assert evaluate_there(client, debugged, "m")["result"]["value"] == "sure?"
    assert evaluate_there(client, debugged, "answer = ['yes']", returnByValue=True)["result"]["value"] == ["yes"]
    assert evaluate_there(client, debugged, "answer.length")["result"]["value"] == 1
    assert client.lines("Debugger.resume", {}, debugged)[-1] == "page reply to Runtime.evaluate = yes!"


@pytest.mark.parametrize("expression", ["alert(1)", "console.log(1)", "nothing.there"])
def test_what_is_evaluated_there_may_fail(client: Client, debugged: str, expression: str) -> None:
    evaluate(client, debugged, "debugger")

    assert "exceptionDetails" in evaluate_there(client, debugged, expression)


def test_a_script_of_the_page_stops_its_document(client: Client, debugged: str) -> None:
    """One pause after the other; a timer's script pauses too."""
    evaluate(client, debugged, "setTimeout(() => { debugger; debugger; console.log('done') }, 0)")

    assert client.lines("Debugger.resume", {}, debugged) == [
        "page reply to Debugger.resume",
        RESUMED,
        "page Debugger.paused other",
    ]
    assert client.lines("Debugger.resume", {}, debugged)[2] == "page Runtime.consoleAPICalled log"


def test_what_the_page_wants_to_run_meanwhile_runs_afterwards(
    browser: MockBrowser, client: Client, debugged: str
) -> None:
    evaluate(client, debugged, "debugger; 3")
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
    evaluate(client, debugged, "debugger; 1")
    evaluate(client, other, "debugger; 2")

    assert client.lines("Debugger.resume", {}, other)[-1] == "other reply to Runtime.evaluate = 2"
    assert client.lines("Debugger.resume", {}, debugged)[-1] == "page reply to Runtime.evaluate = 1"


@pytest.mark.parametrize("how", ["disable", "disconnect"])
def test_it_goes_on_when_nobody_debugs_any_more(browser: MockBrowser, client: Client, page: str, how: str) -> None:
    other = Client(browser)
    session = other.attach(browser.pages[0].id)
    other.enable(session, "Debugger")
    assert evaluate(client, page, "debugger; 3") == []

    if how == "disable":
        other.result("Debugger.disable", {}, session)
    else:
        browser.disconnect(other.connection)

    assert client.taken() == ["page reply to Runtime.evaluate = 3"]


def test_a_navigation_ends_the_pause(client: Client, debugged: str) -> None:
    evaluate(client, debugged, "debugger; 3")

    lines = client.lines("Page.navigate", {"url": f"{LOCAL}/"}, debugged)

    assert lines[2:4] == [
        "page reply to Page.navigate",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
    ]
    assert lines[-1] == "page Page.frameStoppedLoading top"
    assert client.error("Debugger.resume", {}, debugged)["code"] == -32000


def test_a_closed_page_is_not_paused_any_more(browser: MockBrowser, client: Client, debugged: str) -> None:
    evaluate(client, debugged, "debugger")

    browser.close_page(browser.pages[0].id)

    assert browser.state.pauses == ()
