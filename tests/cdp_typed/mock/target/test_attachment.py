"""Targets and sessions: attaching, waiting, discovering, detaching."""

from __future__ import annotations

import json

import pytest

from cdp_typed.mock import MockBrowser, WireFrame
from cdp_typed.mock.state.messages import Hangup
from tests.cdp_typed.mock.raw_client import LOCAL, Client

NO_PAGES = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": "page", "exclude": True}, {}],
}


def test_a_client_that_leaves_lets_go_of_what_it_held(browser: MockBrowser, client: Client) -> None:
    other = Client(browser)
    other.auto_attach(None)
    client.auto_attach(None, wait=False)
    client.send("Target.createTarget", {"url": f"{LOCAL}/"})
    own_session = client.attached("mine")
    client.enable(own_session, "Page")

    browser.disconnect(other.connection)

    assert client.taken()[-1] == "mine Page.frameStoppedLoading mine"


def test_sessions_that_are_not_flat_are_refused_as_the_mocks_own_limit(browser: MockBrowser, client: Client) -> None:
    error = client.error("Target.attachToTarget", {"targetId": browser.pages[0].id})

    assert error["message"] == "cdp_typed.mock models flat sessions only: pass flatten=true"


def test_a_client_may_have_a_session_of_the_browser(client: Client) -> None:
    announced, reply = client.send("Target.attachToBrowserTarget")

    session = reply["result"]["sessionId"]
    assert (announced["params"]["sessionId"], announced["params"]["targetInfo"]["type"]) == (session, "browser")
    assert [info["type"] for info in client.result("Target.getTargets", {}, session)["targetInfos"]] == ["page"]
    assert client.result("Target.detachFromTarget", {"sessionId": session}) == {}


def test_what_is_in_flight_on_a_detached_session_is_never_answered(
    browser: MockBrowser, client: Client, page: str
) -> None:
    client.post("Runtime.evaluate", {"expression": "alert(1)"}, page)
    client.take()

    browser.detach(page)

    assert client.taken() == ["- Target.detachedFromTarget"]


def test_the_browser_says_what_it_is(client: Client) -> None:
    assert client.result("Browser.getVersion")["product"].startswith("MockChrome/")
    assert client.result("Target.getTargetInfo")["targetInfo"]["type"] == "browser"


@pytest.mark.parametrize("text", ["{", '{"id":', "[" * 100_000, '{"id":1,"method":"x"}}', '{"id":' + "9" * 5_000 + "}"])
def test_what_is_no_json_is_refused_without_an_id(client: Client, text: str) -> None:
    client.text(text)

    (answer,) = client.take()
    assert ("id" in answer, answer["error"]["code"]) == (False, -32700)


def test_a_session_made_through_another_goes_with_it(browser: MockBrowser, client: Client) -> None:
    """Both are of the closed page; only the end of the outer one is emitted, to the browser's session."""
    top = browser.pages[0].id
    outer = client.attach(top, "outer")
    inner = client.result("Target.attachToTarget", {"targetId": top, "flatten": True}, outer)["sessionId"]
    client.take()

    browser.close_page(top)

    detached = [message["params"]["sessionId"] for message in client.take() if "Target.detached" in message["method"]]
    assert detached == [outer]
    assert inner not in browser.state.sessions


def test_the_connection_of_a_page_alone_ends_with_the_page(browser: MockBrowser) -> None:
    top = browser.pages[0].id
    browser.connect(top)

    browser.close_page(top)

    *said, end = browser.sent
    reasons = [json.loads(item.data)["params"]["reason"] for item in said if isinstance(item, WireFrame)]
    assert reasons == ["Render process gone.", "target_closed"]
    assert end == Hangup(1)
    assert dict(browser.state.sessions) == {}


def test_a_new_page_comes_with_a_tab_that_waits(client: Client) -> None:
    client.send("Target.setAutoAttach", NO_PAGES)
    client.attached("tab")
    client.send("Target.setDiscoverTargets", {"discover": True, "filter": [{}]})

    lines = client.lines("Target.createTarget", {"url": f"{LOCAL}/"})

    new = client.attached("new tab")
    assert lines == [
        "- Target.targetCreated new frame",
        "- Target.targetInfoChanged new frame",
        "- Target.attachedToTarget new frame True",
        "- Target.targetCreated new frame",
        "- reply to Target.createTarget",
        "- Target.targetInfoChanged new frame",
    ]
    assert client.result("Runtime.runIfWaitingForDebugger", {}, new) == {}
    assert client.result("Target.getTargetInfo", {}, new)["targetInfo"]["url"] == f"{LOCAL}/"
