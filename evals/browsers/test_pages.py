"""A page's own websocket, which debugging ports offer beside the browser's."""

from __future__ import annotations

import json
import urllib.request

import pytest

from evals.browsers.asking import call, refusal
from evals.browsers.starting import Started


@pytest.fixture
def page_url(page_browser: Started) -> str:
    """The address of the page that is there."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{page_browser.http_url}/json/list", timeout=10) as response:
        return str(next(target["webSocketDebuggerUrl"] for target in json.load(response) if target["type"] == "page"))


def test_the_command_line_works_there(page_url: str) -> None:
    assert '"value": 42' in call(page_url, "6 * 7")


def test_a_supervisor_says_that_it_needs_the_browser(page_url: str) -> None:
    assert "browser" in refusal(page_url)
