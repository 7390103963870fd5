"""The two browsers of foreign clients, with the same pages."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit

from cdp_typed.mock import PERSONALITIES, Frame, Link, MockServer, Page, Site, WireFrame
from cdp_typed.mock.control.faults import Outgoing
from cdp_typed.mock.server.site_server import SiteServer
from evals.foreign.verdicts import REFUSAL
from tests.support.browsers import launched

__all__ = ["chromium", "mock"]

_ORIGIN: Final = "http://localhost:8000"


def pages() -> dict[str, Page]:
    """Return the pages by path."""
    return {
        "/": Page(title="Top", script="window.total = 42", elements=[Link("near", "/second")]),
        "/second": Page(title="Second"),
        "/absent": Page(status=404, body="absent"),
        "/framed": Page(title="Framed", frames=[Frame("/second", "inner")]),
    }


@asynccontextmanager
async def chromium() -> AsyncGenerator[tuple[str, str]]:
    """Launch Chromium; give the address of its debugging port and the origin of the pages."""
    with contextlib.closing(SiteServer()) as server, launched() as browser:
        origin = f"http://localhost:{server.port}"
        with server.serving(_site(origin)):
            yield f"http://{urlsplit(browser.ws_url).netloc}", origin


@asynccontextmanager
async def mock() -> AsyncGenerator[tuple[str, str, list[str]]]:
    """Start a mock; give the same, and a list of what it has refused so far."""
    # chromedriver connects to what is called Chrome only.
    named = PERSONALITIES.get("named_chrome", PERSONALITIES["local"])
    async with MockServer(_site(_ORIGIN), personality=named) as server:
        refusals: list[str] = []
        passed_on = server.browser.deliver

        def deliver(item: Outgoing) -> None:
            if isinstance(item, WireFrame):
                text = item.data if isinstance(item.data, str) else item.data.decode(errors="replace")
                refusals.extend([text] if REFUSAL.search(text) else [])
            passed_on(item)

        server.browser.deliver = deliver
        yield server.http_url, _ORIGIN, refusals


def _site(origin: str) -> Site:
    return Site({origin + path: page for path, page in pages().items()})
