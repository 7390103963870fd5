"""The session history and the back/forward cache, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

GONE = ["page Page.frameStartedNavigating top historyDifferentDocument", "page Page.frameStartedLoading top"]
BACK = [
    "page Page.frameStoppedLoading top",
    "page Runtime.executionContextsCleared",
    "page Runtime.executionContextCreated",
    "page Page.frameNavigated top BackForwardCacheRestore",
]


def visit(client: Client, page: str, url: str) -> None:
    client.send("Page.navigate", {"url": url}, page)


def entries(client: Client, page: str) -> list[dict[str, Any]]:
    return list(client.result("Page.getNavigationHistory", {}, page)["entries"])


def go(client: Client, page: str, index: int) -> list[str]:
    number = entries(client, page)[index]["id"]
    return client.lines("Page.navigateToHistoryEntry", {"entryId": number}, page)


def evaluate(client: Client, page: str, expression: str) -> Any:
    return client.result("Runtime.evaluate", {"expression": expression}, page)["result"].get("value")


def test_an_entry_that_is_not_there_is_refused(client: Client, page: str) -> None:
    error = client.error("Page.navigateToHistoryEntry", {"entryId": 9_999}, page)

    assert error == {"code": -32602, "message": "No entry with passed id"}


def test_an_iframe_has_no_history_to_go_through(client: Client, oopif: str) -> None:
    error = client.error("Page.navigateToHistoryEntry", {"entryId": 1}, oopif)

    assert error["message"] == "Command can only be executed on top-level targets"


def test_every_visit_is_an_entry(client: Client, page: str) -> None:
    visit(client, page, f"{LOCAL}/same")
    visit(client, page, f"{LOCAL}/same#part")

    history = client.result("Page.getNavigationHistory", {}, page)

    assert history["currentIndex"] == 2
    assert [{key: entry[key] for key in entry if key != "id"} for entry in history["entries"]] == [
        {"url": "about:blank", "userTypedURL": "about:blank", "title": "", "transitionType": "auto_toplevel"},
        {"url": f"{LOCAL}/same", "userTypedURL": f"{LOCAL}/same", "title": "same", "transitionType": "typed"},
        {"url": f"{LOCAL}/same#part", "userTypedURL": f"{LOCAL}/same", "title": "same", "transitionType": "typed"},
    ]


def test_the_same_address_again_and_a_reload_make_no_entry(client: Client, page: str) -> None:
    visit(client, page, f"{LOCAL}/child")
    visit(client, page, f"{LOCAL}/child")
    client.send("Page.reload", {}, page)

    assert [entry["transitionType"] for entry in entries(client, page)] == ["auto_toplevel", "reload"]


def test_a_visit_cuts_off_what_lay_ahead(client: Client, page: str) -> None:
    visit(client, page, f"{LOCAL}/same")
    go(client, page, 0)

    visit(client, page, f"{LOCAL}/child")

    assert [entry["url"] for entry in entries(client, page)] == ["about:blank", f"{LOCAL}/child"]


def test_a_reset_leaves_the_present(client: Client, page: str) -> None:
    visit(client, page, f"{LOCAL}/same")
    visit(client, page, f"{LOCAL}/child")

    client.result("Page.resetNavigationHistory", {}, page)

    assert [entry["url"] for entry in entries(client, page)] == [f"{LOCAL}/child"]


def test_a_fragment_keeps_the_document(client: Client, page: str) -> None:
    """The reply has no loader, and no context is cleared."""
    visit(client, page, f"{LOCAL}/child")
    client.send("Target.setDiscoverTargets", {"discover": True})

    got = client.send("Page.navigate", {"url": f"{LOCAL}/child#a"}, page)

    assert [client.line(message) for message in got] == [
        "page Page.frameStartedNavigating top sameDocument",
        "page Page.frameStartedLoading top",
        "page reply to Page.navigate",
        "- Target.targetInfoChanged top",
        "page Page.navigatedWithinDocument top fragment",
        "page Page.frameStoppedLoading top",
    ]
    assert got[2]["result"].keys() == {"frameId", "isDownload"}
    frame = client.result("Page.getFrameTree", {}, page)["frameTree"]["frame"]
    assert (frame["url"], frame["urlFragment"]) == (f"{LOCAL}/child", "#a")


def test_a_step_within_the_document_loads_nothing(client: Client, page: str) -> None:
    visit(client, page, f"{LOCAL}/child")
    visit(client, page, f"{LOCAL}/child#a")

    assert go(client, page, 1) == [
        "page Page.frameStartedNavigating top historySameDocument",
        "page Page.frameStartedLoading top",
        "page reply to Page.navigateToHistoryEntry",
        "page Page.navigatedWithinDocument top fragment",
        "page Page.frameStoppedLoading top",
    ]


def test_a_step_to_where_one_is_does_nothing(client: Client, page: str) -> None:
    assert go(client, page, 0) == ["page reply to Page.navigateToHistoryEntry"]


@pytest.mark.parametrize("elsewhere", [f"{LOCAL}/same", f"{REMOTE}/child"])
def test_the_way_back_finds_the_document_as_it_was_left(client: Client, page: str, elsewhere: str) -> None:
    """Its context has its old id, its variables their values; and so forward again."""
    visit(client, page, f"{LOCAL}/child")
    evaluate(client, page, "window.state = 2")
    visit(client, page, elsewhere)
    evaluate(client, page, "window.state = 3")

    lines = go(client, page, 1)

    assert lines == [*GONE, "page reply to Page.navigateToHistoryEntry", *BACK]
    assert evaluate(client, page, "window.state") == 2
    go(client, page, 2)
    assert evaluate(client, page, "window.state") == 3


def test_an_oopif_comes_back_with_its_page_and_runs(
    client: Client, page: str, oopif: str, browser: MockBrowser
) -> None:
    """Its target is the same, its session new."""
    assert evaluate(client, oopif, "window.state = 2") == 2
    frame = browser.frame_named("f")
    visit(client, page, f"{LOCAL}/child")
    assert client.error("Runtime.enable", {}, oopif)["code"] == -32001

    lines = go(client, page, 1)

    assert lines == [
        *GONE,
        "page reply to Page.navigateToHistoryEntry",
        "page Target.attachedToTarget frame False",
        *BACK,
    ]
    session = client.attached("again")
    assert session != oopif
    assert evaluate(client, session, "window.state") == 2
    assert browser.frame_named("f") == frame


def test_the_timers_of_a_document_stand_still_while_it_is_kept() -> None:
    """And fire when it comes back, if their time has passed."""
    now = [1000.0]
    browser = MockBrowser({f"{LOCAL}/": Page(), f"{LOCAL}/other": Page()}, clock=lambda: now[0])
    client = Client(browser)
    page = client.attach(browser.pages[0].id)
    visit(client, page, f"{LOCAL}/")
    evaluate(client, page, "setTimeout(() => { window.fired = true }, 1000); window.fired = false")
    visit(client, page, f"{LOCAL}/other")
    now[0] += 2

    browser.advance()
    assert browser.next_due is None
    go(client, page, 1)

    assert evaluate(client, page, "fired") is True


def test_what_was_not_kept_loads_again_and_says_so(client: Client, page: str) -> None:
    """As `about:blank`, which is no HTTP document."""
    visit(client, page, f"{LOCAL}/child")

    assert go(client, page, 0) == [
        *GONE,
        "page reply to Page.navigateToHistoryEntry",
        "page Runtime.executionContextsCleared",
        "page Runtime.executionContextsCleared",
        "page Page.frameNavigated top Navigation",
        "page Page.backForwardCacheNotUsed top",
        "page Runtime.executionContextCreated",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_a_document_that_was_busy_is_not_kept(client: Client, page: str) -> None:
    """A navigation cancelled its dialog."""
    visit(client, page, f"{LOCAL}/alerts")
    visit(client, page, f"{LOCAL}/child")

    lines = go(client, page, 1)

    assert "page Page.backForwardCacheNotUsed top" in lines
    assert lines[-1] == "page Page.javascriptDialogOpening top alert inline"


def test_a_kept_oopif_is_destroyed_when_nothing_leads_to_it(client: Client, page: str, oopif: str) -> None:
    client.send("Target.setDiscoverTargets", {"discover": True})
    visit(client, page, f"{LOCAL}/child")
    client.take()

    assert "- Target.targetDestroyed" in client.lines("Page.resetNavigationHistory", {}, page)
