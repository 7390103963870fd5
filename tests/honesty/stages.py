"""The stages of a scenario: a Chromium, and a mock with the same pages."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from cdp_typed.mock import MockServer, Site
from cdp_typed.mock.server.site_server import SiteServer
from cdp_typed.transport import Transport
from cdp_typed.transport.websocket import open_websocket
from tests.honesty.memory import MemoryConnection, delivering
from tests.honesty.pages import pages
from tests.honesty.player import PATIENCE_S, Stage
from tests.support.browsers import launched

_KEEPS_ERRORS: Final = "--disable-auto-reload"
"""An argument: Chromium does not load the page of an error again, which it does after a second."""
_PORT: Final = 58000  # of addresses that the mock knows; nobody listens there, and it is as long as any
_OWN: Final = f"http://localhost:{_PORT}"
_OTHER: Final = f"http://127.0.0.1:{_PORT}"
_NOWHERE: Final = f"http://127.0.0.2:{_PORT}"


@dataclass(frozen=True)
class SocketStage(Stage):
    """A stage with a websocket URL."""

    url: str


@contextmanager
def chromium_stage(*, omnibox: bool) -> Generator[SocketStage]:
    """Launch Chromium, with the pages on a server of this machine."""
    with contextlib.closing(SiteServer()) as server, launched(args=(_KEEPS_ERRORS,), omnibox=omnibox) as browser:
        own, other, nowhere = (f"http://{host}:{server.port}" for host in ("localhost", "127.0.0.1", "127.0.0.2"))
        with server.serving(_site(own, other)):
            yield SocketStage(_connector(browser.ws_url), own, other, nowhere, browser.ws_url)


@contextmanager
def mock_stage() -> Generator[Stage]:
    """Start a mock in memory, with the same pages."""
    with delivering(_site(_OWN, _OTHER)) as delivery:

        async def connect() -> Transport:
            return MemoryConnection(delivery)

        yield Stage(connect, _OWN, _OTHER, _NOWHERE)


@asynccontextmanager
async def mock_socket_stage() -> AsyncGenerator[SocketStage]:
    """Start a mock behind a websocket, with the same pages."""
    async with MockServer(_site(_OWN, _OTHER)) as server:
        yield SocketStage(_connector(server.url), _OWN, _OTHER, _NOWHERE, server.url)


def _site(own: str, other: str) -> Site:
    return Site({origin + path: page for path, page in pages(own, other).items() for origin in (own, other)})


def _connector(url: str) -> Callable[[], Awaitable[Transport]]:
    return partial(open_websocket, url, open_timeout=PATIENCE_S, max_size=2**26)
