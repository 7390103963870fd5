"""Synchronous requests of scripts, on which the dialog bridge relies."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.interception import SITE, decide, evaluate, hold
from tests.cdp_typed.mock.raw_client import LOCAL, Client

SYNC = "let x = new XMLHttpRequest(); x.open('GET', '/data', false); x.send(); x.status + ' ' + x.responseText"


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


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
