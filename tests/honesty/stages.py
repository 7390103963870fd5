"""The two stages of a scenario: a Chromium, and a mock with the same pages."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from cdp_typed.mock import MockServer, Site
from tests.honesty.pages import pages, served
from tests.honesty.player import Stage
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

__all__ = ["chromium_stage", "mock_stage"]

_PORT: Final = 8000  # of addresses that the mock knows; nobody listens there


@contextmanager
def chromium_stage(*, omnibox: bool) -> Generator[Stage]:
    """Launch Chromium, with the pages on a server of this machine."""
    with Sites() as sites, launched(omnibox=omnibox) as browser:
        own, other = sites.local(""), sites.remote("")
        sites.pages.update({path: served(page, own) for path, page in pages(own, other).items()})
        yield Stage(browser.ws_url, own, other, nowhere=f"http://127.0.0.2:{sites.port}")


@asynccontextmanager
async def mock_stage() -> AsyncGenerator[Stage]:
    """Start a mock, with the same pages."""
    own, other = f"http://localhost:{_PORT}", f"http://127.0.0.1:{_PORT}"
    site = Site({origin + path: page for path, page in pages(own, other).items() for origin in (own, other)})
    async with MockServer(site) as server:
        yield Stage(server.url, own, other, nowhere=f"http://127.0.0.2:{_PORT}")
