"""Frames between processes, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

LOADED = ["page Page.domContentEventFired", "page Page.loadEventFired", "page Page.frameStoppedLoading top"]
RESUMED = [
    "frame Runtime.executionContextsCleared",
    "frame Page.frameNavigated frame Navigation",
    "frame Runtime.executionContextCreated",
    "page Target.targetInfoChanged frame",
    "page Page.frameDetached frame swap",
]


def navigate(client: Client, page: str, path: str) -> list[str]:
    return client.lines("Page.navigate", {"url": f"{LOCAL}{path}"}, page)


def tree(client: Client, session: str) -> list[str]:
    """Return the URLs of a session's frame tree, depth first."""

    def urls(node: dict[str, Any]) -> list[str]:
        below = [url for child in node.get("childFrames", []) for url in urls(child)]
        return [node["frame"]["url"], *below]

    return urls(client.result("Page.getFrameTree", {}, session)["frameTree"])


def test_a_frame_of_the_same_site_stays_with_its_page(client: Client, page: str, browser: MockBrowser) -> None:
    lines = navigate(client, page, "/same")

    assert lines[7:] == [
        "page Page.frameAttached new frame",
        "page Page.frameRequestedNavigation new frame initialFrameNavigation",
        "page Page.frameStartedNavigating new frame differentDocument",
        "page Page.frameStartedLoading new frame",
        "page Page.domContentEventFired",
        "page Page.frameNavigated new frame Navigation",
        "page Runtime.executionContextCreated",
        "page Page.frameStoppedLoading new frame",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]
    assert tree(client, page) == [f"{LOCAL}/same", f"{LOCAL}/child"]


def test_a_frame_of_another_site_gets_a_target_and_waits_for_its_client(client: Client, page: str) -> None:
    lines = navigate(client, page, "/cross")

    assert lines[-2:] == ["page Page.domContentEventFired", "page Target.attachedToTarget new frame True"]
    info = client.inbox[-1]["params"]["targetInfo"]
    assert (info["type"], info["url"], info["title"]) == ("iframe", "", "")
    assert info["targetId"] != info["parentId"] == info["parentFrameId"]


def test_an_oopif_that_is_let_go_commits_and_then_leaves_its_parent(client: Client, page: str) -> None:
    """The parent's load event comes after the iframe's."""
    navigate(client, page, "/cross")
    session = client.attached("frame")
    client.enable(session, "Page", "Runtime")

    assert client.lines("Runtime.runIfWaitingForDebugger", {}, session) == [
        *RESUMED,
        "frame reply to Runtime.runIfWaitingForDebugger",
        "frame Page.domContentEventFired",
        "frame Page.loadEventFired",
        "frame Page.frameStoppedLoading frame",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]
    assert tree(client, page) == [f"{LOCAL}/cross"]
    assert tree(client, session) == [f"{REMOTE}/child"]


def test_an_oopif_needs_nobody_to_exist(browser: MockBrowser, client: Client) -> None:
    """Without auto-attach the parent only gets the frame's detachment."""
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page")

    lines = navigate(client, session, "/cross")

    assert lines[-3:] == [
        "page Page.frameDetached new frame swap",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_an_existing_oopif_is_announced_before_the_reply_and_does_not_wait(
    browser: MockBrowser, client: Client
) -> None:
    session = client.attach(browser.pages[0].id)
    navigate(client, session, "/cross")

    got = [client.line(message) for message in client.auto_attach(session)]

    assert got == ["page Target.attachedToTarget new frame False", "page reply to Target.setAutoAttach"]


def test_taking_auto_attach_back_detaches_and_lets_the_iframe_go(client: Client, page: str) -> None:
    navigate(client, page, "/cross")
    client.attached("frame")
    off = {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": True}

    assert client.lines("Target.setAutoAttach", off, page) == [
        "page Target.detachedFromTarget",
        "page reply to Target.setAutoAttach",
        "page Page.frameDetached frame swap",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_a_nested_oopif_is_announced_on_its_parents_session_only(
    browser: MockBrowser, client: Client, page: str
) -> None:
    """Only if auto-attach was sent there."""
    navigate(client, page, "/nested")
    middle = client.attached("middle")
    client.enable(middle, "Page")
    client.auto_attach(middle)

    client.send("Runtime.runIfWaitingForDebugger", {}, middle)

    announced = client.inbox[-1]
    assert (announced["method"], announced["sessionId"]) == ("Target.attachedToTarget", middle)
    assert announced["params"]["targetInfo"]["parentId"] == browser.frame_named("f")


def test_a_nested_frame_of_the_pages_site_shares_its_renderer(client: Client, page: str) -> None:
    """Its context is numbered after the page's."""
    navigate(client, page, "/nested")
    middle = client.attached("middle")
    client.auto_attach(middle)
    client.send("Runtime.runIfWaitingForDebugger", {}, middle)
    inner = client.attached("inner")
    client.enable(inner, "Page", "Runtime")
    got = client.send("Runtime.runIfWaitingForDebugger", {}, inner)

    contexts = [message["params"]["context"]["id"] for message in got if "context" in message.get("params", {})]
    client.post("Runtime.evaluate", {"expression": "alert(1)"}, page)

    assert contexts == [2]
    assert "frame reply" not in " ".join(client.lines("Runtime.evaluate", {"expression": "1"}, inner))


def test_an_oopif_becomes_local(browser: MockBrowser, client: Client, page: str, oopif: str) -> None:
    """Detached first, then attached again under the same id."""
    script = "document.getElementById('f').src='/child';1"

    assert client.lines("Runtime.evaluate", {"expression": script}, page) == [
        "page Page.frameRequestedNavigation frame scriptInitiated",
        "frame Page.frameStartedNavigating frame differentDocument",
        "frame Page.frameStartedLoading frame",
        "page reply to Runtime.evaluate = 1",
        "page Target.detachedFromTarget",
        "page Page.frameAttached frame",
        "page Page.frameNavigated frame Navigation",
        "page Runtime.executionContextCreated",
        "page Page.frameStoppedLoading frame",
    ]
    assert tree(client, page) == [f"{LOCAL}/cross", f"{LOCAL}/child"]
    assert "Session with given id not found." in client.error("Page.enable", {}, oopif)["message"]


def test_a_local_frame_becomes_an_oopif(browser: MockBrowser, client: Client, page: str) -> None:
    """Attached first; the parent's events come when its client has released it."""
    navigate(client, page, "/same")
    client.frames[browser.frame_named("f")] = "frame"
    script = f"document.getElementById('f').src='{REMOTE}/child';1"

    assert client.lines("Runtime.evaluate", {"expression": script}, page) == [
        "page Page.frameScheduledNavigation frame scriptInitiated",
        "page Page.frameRequestedNavigation frame scriptInitiated",
        "page Page.frameStartedNavigating frame differentDocument",
        "page Page.frameStartedLoading frame",
        "page Page.frameClearedScheduledNavigation frame",
        "page reply to Runtime.evaluate = 1",
        "page Target.attachedToTarget frame True",
    ]
    session = client.attached("frame")
    client.enable(session, "Page", "Runtime")
    assert client.lines("Runtime.runIfWaitingForDebugger", {}, session) == [
        *RESUMED,
        "page Runtime.executionContextDestroyed",
        "frame reply to Runtime.runIfWaitingForDebugger",
        "frame Page.domContentEventFired",
        "frame Page.loadEventFired",
        "frame Page.frameStoppedLoading frame",
    ]


def test_an_oopif_that_stays_on_its_site_keeps_its_session(client: Client, page: str, oopif: str) -> None:
    script = f"document.getElementById('f').src='{REMOTE}/middle';1"

    lines = client.lines("Runtime.evaluate", {"expression": script}, page)

    assert lines[:9] == [
        "page Page.frameRequestedNavigation frame scriptInitiated",
        "frame Page.frameStartedNavigating frame differentDocument",
        "frame Page.frameStartedLoading frame",
        "page reply to Runtime.evaluate = 1",
        "frame Runtime.executionContextsCleared",
        "frame Runtime.executionContextsCleared",
        "frame Page.frameNavigated frame Navigation",
        "frame Runtime.executionContextCreated",
        "page Target.targetInfoChanged frame",
    ]


def test_a_client_may_navigate_an_oopif_on_its_own_session(client: Client, page: str, oopif: str) -> None:
    lines = client.lines("Page.navigate", {"url": f"{REMOTE}/middle"}, oopif)

    assert lines[:5] == [
        "frame Page.frameStartedNavigating frame differentDocument",
        "frame Page.frameStartedLoading frame",
        "frame reply to Page.navigate",
        "frame Runtime.executionContextsCleared",
        "frame Runtime.executionContextsCleared",
    ]


def test_a_removed_frame_takes_its_nested_frames_first(client: Client, page: str) -> None:
    navigate(client, page, "/nested")
    middle = client.attached("middle")
    client.enable(middle, "Page")
    client.auto_attach(middle)
    client.send("Runtime.runIfWaitingForDebugger", {}, middle)
    inner = client.attached("inner")
    client.send("Runtime.runIfWaitingForDebugger", {}, inner)

    assert client.lines("Runtime.evaluate", {"expression": "document.getElementById('f').remove();1"}, page) == [
        "page Page.frameSubtreeWillBeDetached middle",
        "middle Page.frameDetached inner remove",
        "middle Target.detachedFromTarget",
        "page Page.frameDetached middle remove",
        "page Target.detachedFromTarget",
        "page reply to Runtime.evaluate = 1",
    ]


def test_a_removed_local_frame_takes_its_contexts(browser: MockBrowser, client: Client, page: str) -> None:
    navigate(client, page, "/same")
    client.frames[browser.frame_named("f")] = "inner"
    client.result("Page.createIsolatedWorld", {"frameId": browser.frame_named("f"), "worldName": "w"}, page)

    browser.remove_frame(browser.frame_named("f"))

    assert client.taken() == [
        "page Page.frameSubtreeWillBeDetached inner",
        "page Page.frameDetached inner remove",
        "page Runtime.executionContextDestroyed",
        "page Runtime.executionContextDestroyed",
    ]


def test_leaving_a_page_only_detaches_its_oopifs(client: Client, page: str, oopif: str) -> None:
    """No frameDetached comes; clients have to purge their frames themselves."""
    assert navigate(client, page, "/")[:6] == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page reply to Page.navigate",
        "page Target.detachedFromTarget",
        "page Runtime.executionContextsCleared",
        "page Runtime.executionContextsCleared",
    ]


@pytest.mark.parametrize(
    ("url", "error"),
    [
        (f"{LOCAL}/nothing", "net::ERR_HTTP_RESPONSE_CODE_FAILURE"),
        ("http://nobody.test/", "net::ERR_CONNECTION_REFUSED"),
    ],
)
def test_a_page_that_is_not_there_gives_a_loader_and_an_error(client: Client, page: str, url: str, error: str) -> None:
    result = client.result("Page.navigate", {"url": url}, page)

    assert result["errorText"] == error
    frame = client.result("Page.getFrameTree", {}, page)["frameTree"]["frame"]
    assert (frame["url"], frame["unreachableUrl"]) == ("chrome-error://chromewebdata/", url)
    assert frame["loaderId"] == result["loaderId"]


@pytest.mark.parametrize("url", ["::bad", "no address", "//host/path", ""])
def test_an_address_that_is_none_is_refused(client: Client, page: str, url: str) -> None:
    assert client.error("Page.navigate", {"url": url}, page) == {
        "code": -32000,
        "message": "Cannot navigate to invalid URL",
    }


def test_the_blank_document_is_asked_of_no_server(client: Client, page: str) -> None:
    navigate(client, page, "/")

    result = client.result("Page.navigate", {"url": "about:blank"}, page)

    assert sorted(result) == ["frameId", "isDownload", "loaderId"]


def test_a_frame_that_is_not_there_is_refused(client: Client, page: str) -> None:
    params = {"url": f"{LOCAL}/", "frameId": "nope"}

    assert client.error("Page.navigate", params, page) == {"code": -32000, "message": "No frame with given id found"}


def test_a_call_in_flight_fails_when_its_page_is_left(client: Client, page: str) -> None:
    client.post("Runtime.evaluate", {"expression": "new Promise(() => 0)", "awaitPromise": True}, page)

    assert navigate(client, page, "/")[2:4] == [
        "page reply to Page.navigate",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
    ]


def test_an_oopif_that_goes_says_nothing_of_its_own_frames() -> None:
    """Its renderer ends as a whole; only an OOPIF in it is detached with an event."""
    pages = {
        f"{LOCAL}/": Page(frames=[Frame(f"{REMOTE}/middle", "f")]),
        f"{REMOTE}/middle": Page(frames=[Frame(f"{REMOTE}/inner", "g"), Frame(f"{LOCAL}/inner", "h")]),
        f"{REMOTE}/inner": Page(),
        f"{LOCAL}/inner": Page(),
    }
    browser = MockBrowser(pages)
    client = Client(browser)
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page")
    client.auto_attach(session)
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    middle = client.attached("middle")
    client.enable(middle, "Page", "Runtime")
    client.send("Runtime.runIfWaitingForDebugger", {}, middle)
    client.frames[browser.frame_named("h")] = "inner"

    browser.remove_frame(browser.frame_named("f"))

    assert client.taken() == [
        "page Page.frameSubtreeWillBeDetached middle",
        "middle Page.frameDetached inner remove",
        "page Page.frameDetached middle remove",
        "page Target.detachedFromTarget",
    ]


@pytest.mark.parametrize("what", ["reload", "crash", "close"])
def test_a_page_takes_every_kind_of_frame_with_it(what: str) -> None:
    """A local one, an OOPIF, and a nested one of the page's own site."""
    pages = {
        f"{LOCAL}/": Page(frames=[Frame("/child", "near"), Frame(f"{REMOTE}/middle", "f")]),
        f"{LOCAL}/child": Page(),
        f"{REMOTE}/middle": Page(frames=[Frame(f"{LOCAL}/child", "g")]),
    }
    browser = MockBrowser(pages)
    top = browser.pages[0].id
    client = Client(browser)
    session = client.attach(top)
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    before = {name: browser.frame_named(name) for name in ("near", "f", "g")}

    match what:
        case "reload":
            client.send("Page.reload", {}, session)
        case "crash":
            browser.crash(top)
        case _:
            browser.close_page(top)

    assert not set(before.values()) & (browser.state.frames.keys() | browser.state.targets.keys())


def test_a_frame_is_removed_once(client: Client, page: str) -> None:
    navigate(client, page, "/same")

    lines = client.lines(
        "Runtime.evaluate", {"expression": "window.f = document.getElementById('f'); f.remove(); f.remove()"}, page
    )

    assert sum("frameDetached" in line for line in lines) == 1


def test_an_oopif_that_waits_has_an_empty_document_and_no_context(client: Client, page: str) -> None:
    navigate(client, page, "/cross")

    session = client.attached("frame")

    error = client.error("Runtime.evaluate", {"expression": "1"}, session)

    assert error["message"] == "Cannot find default execution context"
    frame = client.result("Page.getFrameTree", {}, session)["frameTree"]["frame"]
    assert (frame["url"], frame["name"]) == ("", "f")
