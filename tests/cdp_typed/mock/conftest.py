"""Fixtures of the mock's own tests: a browser with a small site or that of the module, and a session of its page."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

SITE = {
    f"{LOCAL}/": Page(title="blank"),
    f"{LOCAL}/cross": Page(title="cross", frames=[Frame(f"{REMOTE}/child", "f")]),
    f"{LOCAL}/same": Page(title="same", frames=[Frame("/child", "f")]),
    f"{LOCAL}/child": Page(title="child"),
    f"{LOCAL}/alerts": Page(title="alerts", script="alert('inline')"),
    f"{REMOTE}/child": Page(title="remote child"),
}


@pytest.fixture
def browser(request: Any) -> MockBrowser:
    return MockBrowser(getattr(request.module, "SITE", SITE), clock=lambda: 1000.0)


@pytest.fixture
def client(browser: MockBrowser) -> Client:
    return Client(browser)


@pytest.fixture
def page(browser: MockBrowser, client: Client) -> str:
    """A session of the only tab, with Page and Runtime enabled and iframes attached on sight."""
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page", "Runtime")
    client.auto_attach(session)
    return session


@pytest.fixture
def shown(client: Client, page: str) -> str:
    """The session of the tab, which shows the first page of the site."""
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)
    return page


@pytest.fixture
def oopif(client: Client, page: str) -> str:
    """The session of the iframe of `cross`, which the tab shows, with Page and Runtime enabled."""
    client.send("Page.navigate", {"url": f"{LOCAL}/cross"}, page)
    session = client.attached("frame")
    client.enable(session, "Page", "Runtime")
    client.send("Runtime.runIfWaitingForDebugger", {}, session)
    return session
