"""Popups, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client, Params

PAGES_ONLY = [{"type": "browser", "exclude": True}, {"type": "tab", "exclude": True}, {}]
FEATURES = ["menubar", "toolbar", "status", "scrollbars", "resizable"]
SITE = {
    f"{LOCAL}/": Page(title="opener"),
    f"{LOCAL}/pop": Page(title="pop"),
    f"{LOCAL}/alerts": Page(title="alerts", script="alert('inline')"),
    f"{REMOTE}/pop": Page(title="far"),
    f"{LOCAL}/opens": Page(title="opens", script="window.w = window.open('/pop')"),
}
LOADED = ["popup Page.domContentEventFired", "popup Page.loadEventFired", "popup Page.frameStoppedLoading popup"]


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


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


def info_of(got: list[Params]) -> dict[str, Any]:
    (announced,) = [message for message in got if message.get("method") == "Target.attachedToTarget"]
    return dict(announced["params"]["targetInfo"])


def test_without_a_gesture_the_popup_blocker_gives_nothing(client: Client, page: str, browser: MockBrowser) -> None:
    """The event comes all the same."""
    told, reply = run(client, page, "window.open('/pop')", gesture=False)

    expected = {"url": f"{LOCAL}/pop", "windowName": "_blank", "windowFeatures": FEATURES, "userGesture": False}
    assert (told["method"], told["params"]) == ("Page.windowOpen", expected)
    assert reply["result"]["result"] == {"type": "object", "subtype": "null", "value": None}
    assert len(browser.pages) == 1


def test_a_popup_waits_and_so_does_the_call_that_opened_it(client: Client, page: str, browser: MockBrowser) -> None:
    """The opener answers other calls meanwhile."""
    opener = browser.pages[0].id

    got = run(client, page, "window.w = window.open('/pop'); 1")

    assert [message.get("method") for message in got] == ["Page.windowOpen", "Target.attachedToTarget"]
    assert got[1]["params"]["waitingForDebugger"] is True
    info = info_of(got)
    shown = {key: info[key] for key in info if key not in ("targetId", "browserContextId")}
    assert shown == {
        "type": "page",
        "title": "",
        "url": "",
        "attached": True,
        "openerId": opener,
        "canAccessOpener": True,
        "openerFrameId": opener,
    }
    assert lines(client, page, "2") == ["page reply to Runtime.evaluate = 2"]


def test_a_popup_that_is_let_go_frees_its_opener_and_then_commits(client: Client, page: str) -> None:
    """Its first document takes over the window: no context is cleared or created."""
    run(client, page, "window.w = window.open('/pop'); 1")
    session = client.attached("popup")
    client.enable(session, "Page", "Runtime")
    client.send("Target.setDiscoverTargets", {"discover": True})

    assert client.lines("Runtime.runIfWaitingForDebugger", {}, session) == [
        "popup reply to Runtime.runIfWaitingForDebugger",
        "popup Page.frameRequestedNavigation popup other",
        "popup Page.frameStartedNavigating popup differentDocument",
        "popup Page.frameStartedLoading popup",
        "page reply to Runtime.evaluate = 1",
        "popup Page.frameNavigated popup Navigation",
        "- Target.targetInfoChanged popup",
        *LOADED,
    ]


def test_a_context_of_a_popup_is_numbered_with_its_openers(client: Client, page: str) -> None:
    """They share a renderer, and the empty document has the opener's origin."""
    run(client, page, "window.open('/pop'); 1")
    session = client.attached("popup")

    created, _ = client.send("Runtime.enable", {}, session)

    context = created["params"]["context"]
    assert (context["id"], context["origin"]) == (2, LOCAL)


def test_a_popup_without_opener_keeps_nobody_waiting(client: Client, page: str, browser: MockBrowser) -> None:
    got = run(client, page, "window.open('/pop', '_blank', 'noopener')")

    assert got[0]["params"]["windowFeatures"] == [*FEATURES, "noopener"]
    info = info_of(got)
    assert (info["openerId"], info["openerFrameId"], info["canAccessOpener"]) == (
        browser.pages[0].id,
        browser.pages[0].id,
        False,
    )
    assert got[-1]["result"]["result"]["subtype"] == "null"
    session = client.attached("popup")
    client.enable(session, "Page", "Runtime")
    assert client.lines("Runtime.runIfWaitingForDebugger", {}, session) == [
        "popup reply to Runtime.runIfWaitingForDebugger",
        "popup Runtime.executionContextsCleared",
        "popup Runtime.executionContextsCleared",
        "popup Page.frameNavigated popup Navigation",
        "popup Runtime.executionContextCreated",
        *LOADED,
    ]


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


def test_a_blank_popup_is_of_its_openers_origin(client: Client, page: str) -> None:
    run(client, page, "window.w = window.open(); 1")
    session = client.attached("popup")
    client.enable(session, "Page", "Runtime")

    assert client.lines("Runtime.runIfWaitingForDebugger", {}, session) == [
        "popup reply to Runtime.runIfWaitingForDebugger",
        "popup Page.frameRequestedNavigation popup other",
        "page reply to Runtime.evaluate = 1",
        "popup Page.frameNavigated popup Navigation",
        "popup Page.frameStartedLoading popup",
        *LOADED,
    ]
    assert lines(client, session, "location.href") == ["popup reply to Runtime.evaluate = about:blank"]
    assert lines(client, page, "w.alert('hi')") == ["popup Page.javascriptDialogOpening popup alert hi"]


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


def test_what_a_popups_opener_asks_is_asked_on_the_popup(client: Client, page: str, popup: str) -> None:
    """Its opener's calls wait meanwhile, and its session cannot handle the dialog."""
    assert lines(client, page, "w.confirm('sure?')") == ["popup Page.javascriptDialogOpening popup confirm sure?"]
    assert client.error("Page.handleJavaScriptDialog", {"accept": True}, page)["message"] == "No dialog is showing"
    assert run(client, popup, "6 * 7") == []

    assert client.lines("Page.handleJavaScriptDialog", {"accept": True}, popup) == [
        "popup Page.javascriptDialogClosed popup True ",
        "popup reply to Page.handleJavaScriptDialog",
        "page reply to Runtime.evaluate = True",
        "popup reply to Runtime.evaluate = 42",
    ]


def test_a_popups_own_dialog_blocks_its_opener(client: Client, page: str) -> None:
    run(client, page, "window.w = window.open('/alerts'); 1")
    session = client.attached("popup")
    client.enable(session, "Page")
    assert client.lines("Runtime.runIfWaitingForDebugger", {}, session)[-1].endswith("alert inline")

    assert run(client, page, "1") == []
    assert "page reply to Runtime.evaluate = 1" in client.lines(
        "Page.handleJavaScriptDialog", {"accept": True}, session
    )


def test_a_script_sends_its_popup_elsewhere(client: Client, page: str, popup: str) -> None:
    assert lines(client, page, "w.location.href = '/alerts#a'; 1")[:6] == [
        "popup Page.frameScheduledNavigation popup scriptInitiated",
        "popup Page.frameRequestedNavigation popup scriptInitiated",
        "popup Page.frameStartedNavigating popup differentDocument",
        "popup Page.frameStartedLoading popup",
        "popup Page.frameClearedScheduledNavigation popup",
        "page reply to Runtime.evaluate = 1",
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


def test_a_sized_window_has_its_features(client: Client, page: str) -> None:
    told = run(client, page, "window.open('/pop', 'named', 'width=100')")[0]

    assert told["params"]["windowFeatures"] == ["width=100", "resizable"]


def test_a_script_closes_its_popup(client: Client, page: str, popup: str) -> None:
    """The renderer goes on with the opener, so that no event reports its end."""
    assert lines(client, page, "w.close(); w.closed") == [
        "page reply to Runtime.evaluate = False",
        "- Target.detachedFromTarget",
    ]
    assert lines(client, page, "w.closed") == ["page reply to Runtime.evaluate = True"]
    (reply,) = run(client, page, "w.location = '/'")
    assert reply["result"]["result"]["className"] == "MockError"


def test_a_popup_closes_itself(client: Client, page: str, popup: str) -> None:
    assert lines(client, popup, "close()")[-1] == "- Target.detachedFromTarget"


def test_a_popup_that_loses_its_opener_says_where_it_came_from(
    client: Client, page: str, popup: str, browser: MockBrowser
) -> None:
    opener = browser.pages[0].id

    client.result("Target.closeTarget", {"targetId": opener})

    info = client.result("Target.getTargetInfo", {}, popup)["targetInfo"]
    assert ("openerId" in info, info["openerFrameId"], info["canAccessOpener"]) == (False, opener, False)
    assert lines(client, popup, "1") == ["popup reply to Runtime.evaluate = 1"]


def test_the_call_that_opened_a_popup_is_never_answered_if_that_closes_first(client: Client, page: str) -> None:
    run(client, page, "window.open('/pop'); 1")
    session = client.attached("popup")

    assert client.lines("Page.close", {}, session) == [
        "popup reply to Page.close",
        "- Target.detachedFromTarget",
    ]
    assert lines(client, page, "2") == ["page reply to Runtime.evaluate = 2"]


def test_a_page_with_a_popup_is_not_kept_for_the_way_back(client: Client, page: str, popup: str) -> None:
    client.send("Page.navigate", {"url": f"{LOCAL}/pop"}, page)

    assert "page Page.frameNavigated top Navigation" in lines(client, page, "history.back()")


def test_what_a_closed_popup_still_wanted_to_do_is_forgotten(client: Client, page: str, popup: str) -> None:
    """Its navigation waits behind a dialog of the renderer that it shares with its opener."""
    run(client, popup, "location.href = '/alerts'; window.opened = 1; alert('first')")
    client.take()
    run(client, page, "1")

    client.result("Target.closeTarget", {"targetId": client.inbox[-1]["params"]["frameId"]})

    assert lines(client, page, "2")[-1] == "page reply to Runtime.evaluate = 2"


def test_a_window_is_an_object_that_is_held(client: Client, page: str, popup: str) -> None:
    shown = client.result("Runtime.evaluate", {"expression": "w"}, page)["result"]

    assert (shown["className"], "objectId" in shown) == ("Window", True)


def test_what_else_a_window_can_do_is_not_guessed(client: Client, page: str, popup: str) -> None:
    (line,) = lines(client, page, "w.focus()")

    assert line.startswith("page reply to Runtime.evaluate = MockError")
