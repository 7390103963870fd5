"""Both wires to a real Chromium, for tests that hold over either."""

from __future__ import annotations

import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal

from cdp_typed import Connection, connect
from cdp_typed.launch import LaunchedBrowser, NoSandboxWarning, PipeLaunch, launch
from tests.support.browsers import NO_OMNIBOX, quiet_launch

WireName = Literal["websocket", "pipe"]
WIRES: tuple[WireName, ...] = ("websocket", "pipe")


def piped(*, isolate_sites: bool = True) -> PipeLaunch:
    """`quiet_launch` over a pipe."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        return launch(pipe=True, isolate_sites=isolate_sites, args=["--disable-gpu", NO_OMNIBOX])


@asynccontextmanager
async def wired(name: WireName, shared: LaunchedBrowser) -> AsyncGenerator[Connection]:
    """A connection over this wire: to the shared browser where it has a port, to one of its own for a pipe."""
    if name == "pipe":
        async with own_browser("pipe") as (connection, _):
            yield connection
    else:
        async with connect(shared.http_url) as connection:
            yield connection


@asynccontextmanager
async def own_browser(name: WireName) -> AsyncGenerator[tuple[Connection, int]]:
    """A connection over this wire to a browser of the test's own, and the browser's process id."""
    if name == "pipe":
        async with piped() as browser, connect(browser) as connection:
            yield connection, browser.pid
    else:
        async with quiet_launch(args=[NO_OMNIBOX]) as launched, connect(launched) as connection:
            yield connection, launched.pid
