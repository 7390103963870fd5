"""Fetch in the mock: the requests that pause, the effect of each answer, and the calls that wait meanwhile."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.interception import ASKING, SITE, decide, evaluate, hold
from tests.cdp_typed.mock.raw_client import LOCAL, Client


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


def test_nothing_is_held_for_somebody_else(browser: MockBrowser, client: Client, shown: str) -> None:
    hold(client, shown)
    other = client.attach(browser.pages[0].id, "other")
    hold(client, other, patterns=[{"urlPattern": "*/nothing"}])
    evaluate(client, shown, ASKING)

    assert decide(client, other, "continueRequest") == [
        "other refusal of Fetch.continueRequest: Invalid InterceptionId."
    ]


def test_an_image_holds_the_load_event_back_and_nothing_else(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"resourceType": "Image"}])

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/image"}, shown)[-3:] == [
        "page Runtime.executionContextCreated",
        "page Fetch.requestPaused top",
        "page Page.domContentEventFired",
    ]
    assert evaluate(client, shown, "document.title") == ["page reply to Runtime.evaluate = image"]
    assert decide(client, shown, "continueRequest") == [
        "page reply to Fetch.continueRequest",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_scripts_that_are_let_go_together_let_the_document_go_on_once(client: Client, shown: str) -> None:
    hold(client, shown, patterns=[{"resourceType": "Script"}])
    client.send("Page.navigate", {"url": f"{LOCAL}/scripts"}, shown)

    assert client.lines("Fetch.disable", {}, shown) == [
        "page reply to Fetch.disable",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]
    assert evaluate(client, shown, "order") == ["page reply to Runtime.evaluate = one two"]


def test_a_page_that_waits_for_its_debugger_is_let_go_while_its_script_is_held(
    browser: MockBrowser, client: Client
) -> None:
    """The reply to `runIfWaitingForDebugger` does not wait for what the document loads."""
    client.auto_attach(None)
    client.result("Target.createTarget", {"url": f"{LOCAL}/scripts"})
    session = client.attached("new")
    client.enable(session, "Fetch")

    lines = client.lines("Runtime.runIfWaitingForDebugger", {}, session)

    assert lines[-1] == "new reply to Runtime.runIfWaitingForDebugger"
    assert lines.count("new Fetch.requestPaused new") == 2


def test_navigating_away_from_a_synchronous_request_answers_the_call_and_commits_when_it_is_let_go(
    client: Client, shown: str
) -> None:
    """The commit needs the renderer, which is blocked."""
    hold(client, shown, patterns=[{"resourceType": "XHR"}])
    evaluate(client, shown, "let x = new XMLHttpRequest(); x.open('GET', '/data', false); x.send()")
    evaluate(client, shown, "3")

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/image"}, shown)[2:] == [
        "page reply to Page.navigate",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
    ]
    assert "page Page.frameNavigated top Navigation" in decide(client, shown, "continueRequest")
