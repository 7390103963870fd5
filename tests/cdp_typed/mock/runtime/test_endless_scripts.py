"""Scripts that loop: what they block, and how they end, as measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

EVALUATE = "Runtime.evaluate"
INTERRUPTED = "page refusal of Runtime.evaluate: Inspected target navigated or closed"


@pytest.fixture
def looping(client: Client, page: str) -> str:
    """Return the page while a call of it loops, and another call waits behind that."""
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)
    assert client.send(EVALUATE, {"expression": "while (1);"}, page) == []
    assert client.send(EVALUATE, {"expression": "6 * 7"}, page) == []
    return page


def test_a_page_whose_own_script_is_ended_loads_on() -> None:
    client = Client(MockBrowser({f"{LOCAL}/": Page(script="while (true) {}")}))
    session = client.attach(client.result("Target.getTargets")["targetInfos"][0]["targetId"])
    client.enable(session, "Page")
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)

    assert client.lines("Runtime.terminateExecution", {}, session) == [
        "page reply to Runtime.terminateExecution",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_another_sites_document_needs_no_free_renderer(client: Client, looping: str) -> None:
    lines = client.lines("Page.navigate", {"url": f"{REMOTE}/child"}, looping)

    assert lines == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page reply to Page.navigate",
        INTERRUPTED,
        INTERRUPTED,
        "page Runtime.executionContextsCleared",
        "page Runtime.executionContextsCleared",
        "page Page.frameNavigated top Navigation",
        "page Runtime.executionContextCreated",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]
    assert client.evaluate(looping, "1") == ["page reply to Runtime.evaluate = 1"]


def test_terminating_leaves_promises_alone(client: Client, page: str) -> None:
    client.send(EVALUATE, {"expression": "new Promise(() => {})", "awaitPromise": True}, page)
    client.send(EVALUATE, {"expression": "while (true) {}"}, page)

    assert client.lines("Runtime.terminateExecution", {}, page) == [
        "page reply to Runtime.terminateExecution",
        "page refusal of Runtime.evaluate: Execution was terminated",
    ]


def test_a_page_that_loops_is_reloaded_in_word_only(client: Client, looping: str) -> None:
    assert client.lines("Page.reload", {}, looping) == [
        "page Page.frameStartedNavigating top reload",
        "page Page.frameStartedLoading top",
        "page reply to Page.reload",
        INTERRUPTED,
        INTERRUPTED,
    ]


def test_leaving_a_loop_fails_the_calls_and_keeps_the_rest_and_other_tabs_dialogs(
    browser: MockBrowser, client: Client, looping: str
) -> None:
    """A script of the page waits too, and it is no call; the dialog is another tab's."""
    top = browser.pages[0].id
    other = client.attach(browser.open_page(f"{LOCAL}/"), "other")
    client.enable(other, "Page")
    client.post(EVALUATE, {"expression": "confirm('other')"}, other)
    browser.run(top, "console.log('waits')")
    client.take()

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/same"}, looping) == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page reply to Page.navigate",
        INTERRUPTED,
        INTERRUPTED,
    ]
    assert [dialog.message for dialog in browser.dialogs] == ["other"]
    assert client.evaluate(looping, "1") == []
