"""Fixtures of the tests of workers: a page that may start some, and one of them."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client
from tests.cdp_typed.mock.target.workers.worker_site import MAKES, SITE, let_go, run


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser(SITE, clock=lambda: 1000.0)


@pytest.fixture
def page(browser: MockBrowser, client: Client) -> str:
    """Return a session of the only tab, which shows `/`, with auto-attach and waiting workers."""
    session = client.attach(browser.pages[0].id)
    client.enable(session, "Page")
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, session)
    client.auto_attach(session)
    return session


@pytest.fixture
def worker(client: Client, page: str) -> str:
    """Return the session of a worker of the page that has been released."""
    run(client, page, MAKES["worker"])
    session = client.attached("worker")
    let_go(client, session)
    return session
