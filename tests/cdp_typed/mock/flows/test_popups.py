"""Popups, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client, Params

PAGES_ONLY = [{"type": "browser", "exclude": True}, {"type": "tab", "exclude": True}, {}]
SITE = {
    f"{LOCAL}/": Page(title="opener"),
    f"{LOCAL}/pop": Page(title="pop"),
    f"{LOCAL}/alerts": Page(title="alerts", script="alert('inline')"),
    f"{REMOTE}/pop": Page(title="far"),
    f"{LOCAL}/opens": Page(title="opens", script="window.w = window.open('/pop')"),
}


@pytest.fixture
def page(browser: MockBrowser, client: Client) -> str:
    """Return a session of the only tab, which shows `/`, with Page enabled; new tabs are attached and wait."""
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page")
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    params = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": PAGES_ONLY}
    client.send("Target.setAutoAttach", params)
    return session


def run(client: Client, page: str, expression: str, *, gesture: bool = True) -> list[Params]:
    params = {"expression": expression, "userGesture": gesture, "returnByValue": True}
    return client.send("Runtime.evaluate", params, page)


def lines(client: Client, page: str, expression: str) -> list[str]:
    return [client.line(message) for message in run(client, page, expression)]


@pytest.fixture
def popup(client: Client, page: str) -> str:
    """Return the session of a popup that the page knows as `w`, with Page and Runtime enabled, after its release."""
    run(client, page, "window.w = window.open('/pop'); 1")
    session = client.attached("popup")
    client.enable(session, "Page", "Runtime")
    client.send("Runtime.runIfWaitingForDebugger", {}, session)
    return session


def test_a_popup_of_another_site_gets_its_own_renderer(client: Client, page: str) -> None:
    run(client, page, f"window.w = window.open('{REMOTE}/pop'); 1")
    session = client.attached("popup")
    client.enable(session, "Page", "Runtime")

    assert client.lines("Runtime.runIfWaitingForDebugger", {}, session)[4:9] == [
        "page reply to Runtime.evaluate = 1",
        "popup Runtime.executionContextsCleared",
        "popup Runtime.executionContextsCleared",
        "popup Page.frameNavigated popup Navigation",
        "popup Runtime.executionContextCreated",
    ]
    (reply,) = run(client, page, "w.alert('no')")
    assert reply["result"]["result"]["className"] == "MockError"


def test_a_popup_is_not_attached_by_its_openers_sessions(browser: MockBrowser) -> None:
    client = Client(browser)
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page")
    client.auto_attach(session)
    browser.touch(browser.pages[0].id)
    client.send("Page.navigate", {"url": f"{LOCAL}/opens"}, session)
    browser.touch(browser.pages[0].id)

    assert lines(client, session, "window.open('/pop').closed") == [
        "page Page.windowOpen",
        "page reply to Runtime.evaluate = False",
    ]


def test_a_script_sends_its_popup_to_a_fragment(client: Client, page: str, popup: str) -> None:
    assert "popup Page.navigatedWithinDocument popup fragment" in lines(client, page, "w.location = '/pop#a'; 1")


def test_a_named_window_is_opened_once(client: Client, page: str, browser: MockBrowser) -> None:
    run(client, page, "window.w = window.open('/pop', 'named', 'width=100, height=50'); 1")
    session = client.attached("popup")
    client.enable(session, "Page", "Runtime")
    client.send("Runtime.runIfWaitingForDebugger", {}, session)

    again = lines(client, page, "window.open('', 'named').closed")
    moved = lines(client, page, "window.open('/', 'named').closed")

    assert again == ["page Page.windowOpen", "page reply to Runtime.evaluate = False"]
    assert "popup Page.frameNavigated popup Navigation" in moved
    assert len(browser.pages) == 2


def test_a_script_closes_its_popup(client: Client, page: str, popup: str) -> None:
    """The renderer goes on with the opener, so that no event reports its end."""
    assert lines(client, page, "w.close(); w.closed") == [
        "page reply to Runtime.evaluate = False",
        "- Target.detachedFromTarget",
    ]
    assert lines(client, page, "w.closed") == ["page reply to Runtime.evaluate = True"]
    (reply,) = run(client, page, "w.location = '/'")
    assert reply["result"]["result"]["className"] == "MockError"


def test_the_call_that_opened_a_popup_is_never_answered_if_that_closes_first(client: Client, page: str) -> None:
    run(client, page, "window.open('/pop'); 1")
    session = client.attached("popup")

    assert client.lines("Page.close", {}, session) == ["popup reply to Page.close", "- Target.detachedFromTarget"]
    assert lines(client, page, "2") == ["page reply to Runtime.evaluate = 2"]


def test_what_a_closed_popup_still_wanted_to_do_is_forgotten(client: Client, page: str, popup: str) -> None:
    """Its navigation waits behind a dialog of the renderer that it shares with its opener."""
    run(client, popup, "location.href = '/alerts'; window.opened = 1; alert('first')")
    client.take()
    run(client, page, "1")

    client.result("Target.closeTarget", {"targetId": client.inbox[-1]["params"]["frameId"]})

    assert lines(client, page, "2")[-1] == "page reply to Runtime.evaluate = 2"


def test_what_else_a_window_can_do_is_not_guessed(client: Client, page: str, popup: str) -> None:
    (line,) = lines(client, page, "w.focus()")

    assert line.startswith("page reply to Runtime.evaluate = MockError")
