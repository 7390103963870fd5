"""The blocking client with a page of the mock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cdp_typed import SyncConnection, SyncSession, connect_sync
from cdp_typed.mock import Page, ThreadedMockServer
from cdp_typed.protocol import page

URL = "http://localhost/"


@pytest.fixture
def mock(no_leaks: None) -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer({URL: Page(title="Top")}) as server:
        yield server


@pytest.fixture
def browser(mock: ThreadedMockServer) -> Iterator[SyncConnection]:
    with connect_sync(mock.url) as connection:
        yield connection


@pytest.fixture
def tab(browser: SyncConnection) -> Iterator[SyncSession]:
    with browser.new_page() as session:
        session.send(page.Enable())
        yield session
