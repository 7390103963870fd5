"""Crashed renderers in the mock: unanswered calls, and their errors after the next navigation."""

from __future__ import annotations

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client

NEVER = {"expression": "new Promise(() => 0)", "awaitPromise": True}


def test_a_crashed_oopif_answers_nothing_any_more(client: Client, page: str, oopif: str) -> None:
    """Nor does Page.crash; a reload of the page takes the session away."""
    client.send("Target.setDiscoverTargets", {"discover": True})
    client.post("Runtime.evaluate", NEVER, oopif)

    assert client.lines("Page.crash", {}, oopif) == ["frame Inspector.targetCrashed", "- Target.targetCrashed crashed"]
    assert client.evaluate(oopif, "1") == []
    lines = client.lines("Page.reload", {}, page)
    assert "page Target.detachedFromTarget" in lines
    assert not [line for line in lines if line.startswith("frame ")]


def test_a_crashed_page_fails_its_calls_when_it_is_reloaded(client: Client, page: str, oopif: str) -> None:
    client.enable(page, "Inspector")
    client.post("Runtime.evaluate", NEVER, page)

    assert client.lines("Page.crash", {}, page) == [
        "page Page.frameDetached frame remove",
        "page Target.detachedFromTarget",
        "page Inspector.targetCrashed",
    ]
    assert client.evaluate(page, "1") == []
    assert client.lines("Page.reload", {}, page)[:7] == [
        "page refusal of Runtime.evaluate: Target crashed",
        "page refusal of Page.crash: Target crashed",
        "page refusal of Runtime.evaluate: Target crashed",
        "page Inspector.targetReloadedAfterCrash",
        "page Page.frameStartedNavigating top reload",
        "page Page.frameStartedLoading top",
        "page reply to Page.reload",
    ]


def test_a_call_whose_session_is_gone_by_then_is_not_refused(browser: MockBrowser, client: Client, page: str) -> None:
    other = client.attach(browser.pages[0].id, "other")
    browser.crash(browser.pages[0].id)
    client.post("Runtime.evaluate", {"expression": "1"}, other)
    client.result("Target.detachFromTarget", {"sessionId": other})

    assert client.lines("Page.reload", {}, page)[:2] == [
        "page Inspector.targetReloadedAfterCrash",
        "page Page.frameStartedNavigating top reload",
    ]


def test_only_calls_of_the_dead_page_fail(browser: MockBrowser, client: Client, page: str) -> None:
    """Not those that wait in another tab; and a waiting script of the page itself is no call."""
    top = browser.pages[0].id
    other = client.attach(browser.open_page(f"{LOCAL}/"), "other")
    client.post("Runtime.evaluate", NEVER, other)
    browser.crash(top)
    browser.run(top, "console.log('never')")
    client.take()

    assert client.lines("Page.reload", {}, page)[:2] == [
        "page Inspector.targetReloadedAfterCrash",
        "page Page.frameStartedNavigating top reload",
    ]
    assert [call.method for call in browser.pending] == ["Runtime.evaluate"]
