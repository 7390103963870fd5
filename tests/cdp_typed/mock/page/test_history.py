"""The session history and the back/forward cache, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

from typing import Any

from cdp_typed.mock import MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, Client

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


def test_a_document_that_was_busy_is_not_kept(client: Client, page: str) -> None:
    """A navigation cancelled its dialog."""
    visit(client, page, f"{LOCAL}/alerts")
    visit(client, page, f"{LOCAL}/child")

    lines = go(client, page, 1)

    assert "page Page.backForwardCacheNotUsed top" in lines
    assert lines[-1] == "page Page.javascriptDialogOpening top alert inline"
