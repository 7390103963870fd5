"""The two stages: one Chromium for all scenarios, and a mock for each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager

import pytest

from cdp_typed.mock import MockServer, Site
from tests.honesty.pages import pages, served
from tests.honesty.player import Stage
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

_PORT = 8000  # of addresses that the mock knows; nobody listens there


@pytest.fixture(scope="session")
def chromium_stage() -> Iterator[Stage]:
    """Chromium, with the pages on a server of this machine."""
    with _raised(omnibox=True) as stage:
        yield stage


@pytest.fixture
def doomed_stage() -> Iterator[Stage]:
    """A Chromium that the test may end."""
    with _raised(omnibox=False) as stage:
        yield stage


@contextmanager
def _raised(*, omnibox: bool) -> Generator[Stage]:
    with Sites() as sites, launched(omnibox=omnibox) as browser:
        own, other = sites.local(""), sites.remote("")
        sites.pages.update({path: served(page, own) for path, page in pages(own, other).items()})
        yield Stage(browser.ws_url, own, other, nowhere=f"http://127.0.0.2:{sites.port}")


@pytest.fixture
async def mock_stage() -> AsyncIterator[Stage]:
    """The mock, with the same pages."""
    own, other = f"http://localhost:{_PORT}", f"http://127.0.0.1:{_PORT}"
    site = Site({origin + path: page for path, page in pages(own, other).items() for origin in (own, other)})
    async with MockServer(site) as server:
        yield Stage(server.url, own, other, nowhere=f"http://127.0.0.2:{_PORT}")
