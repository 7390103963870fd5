"""Synchronous requests of scripts, on which the dialog bridge relies."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.interception import SITE, coded, decide, evaluate, hold, paused
from tests.cdp_typed.mock.raw_client import LOCAL, Client

SYNC = "let x = new XMLHttpRequest(); x.open('GET', '/data', false); x.send(); x.status + ' ' + x.responseText"


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


def test_a_synchronous_request_freezes_its_page_until_it_is_answered(client: Client, shown: str) -> None:
    hold(client, shown)

    assert evaluate(client, shown, SYNC) == ["page Fetch.requestPaused top"]
    assert evaluate(client, shown, "2") == []
    assert client.lines("Page.getFrameTree", {}, shown) == []
    assert client.lines("Page.getNavigationHistory", {}, shown) == ["page reply to Page.getNavigationHistory"]
    assert decide(client, shown, "fulfillRequest", responseCode=200, body=coded("xx")) == [
        "page reply to Fetch.fulfillRequest",
        "page reply to Runtime.evaluate = 200 xx",
        "page reply to Runtime.evaluate = 2",
        "page reply to Page.getFrameTree",
    ]


def test_without_fetch_it_is_answered_at_once(client: Client, shown: str) -> None:
    assert evaluate(client, shown, SYNC) == ["page reply to Runtime.evaluate = 200 [1]"]


def test_a_synchronous_request_that_fails_throws_in_the_page(client: Client, shown: str) -> None:
    hold(client, shown)
    evaluate(client, shown, SYNC)

    (_, reply) = client.send(
        "Fetch.failRequest", {"requestId": paused(client)["requestId"], "errorReason": "Failed"}, shown
    )

    thrown = reply["result"]["result"]
    assert (thrown["className"], thrown["description"]) == (
        "DOMException",
        "NetworkError: Failed to execute 'send' on 'XMLHttpRequest': Failed to load 'http://localhost/data'.\n"
        "    at <anonymous>:1:64",
    )


def test_the_page_may_catch_it(client: Client, shown: str) -> None:
    source = f"try {{ {SYNC} }} catch (e) {{ e.name }}".replace("/data", "http://bridge.invalid/")

    assert evaluate(client, shown, source) == ["page reply to Runtime.evaluate = NetworkError"]


def test_navigating_away_answers_the_call_and_commits_when_the_request_is_let_go(client: Client, shown: str) -> None:
    """The commit needs the renderer, which is blocked."""
    hold(client, shown, patterns=[{"resourceType": "XHR"}])
    evaluate(client, shown, SYNC)
    evaluate(client, shown, "3")

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/image"}, shown)[2:] == [
        "page reply to Page.navigate",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
    ]
    assert "page Page.frameNavigated top Navigation" in decide(client, shown, "continueRequest")
