"""Serves live views on loopback, and lists them among those of this user."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Any

from cdp_typed.cli.arguments import UsageError
from supervisor.declarations import NoAddon, offered

from .parsers import warn

TOKEN = "CDP_LIVE_TOKEN"
"""The environment variable with the token of the page."""


@asynccontextmanager
async def serving_grid(port: int) -> AsyncGenerator[str]:
    """Serve the grid of this user's live views on this port of loopback. Yields the address to print."""
    live_view_class()
    async with _serving(offered("live").serve_grid, port) as (_, _, reported):
        yield reported


def live_view_class() -> Any:
    """The class `LiveView`. Raises `UsageError` without the packages for it."""
    live = offered("live")
    try:
        view, _ = live.LiveView, live.serve_live  # each is imported here, and needs packages of its own
    except ModuleNotFoundError as missing:
        raise UsageError(f"the live view needs {missing.name}: pip install 'cdp-typed[mcp]'") from None
    return view


@asynccontextmanager
async def serving_live(view: Any, port: int, name: str) -> AsyncGenerator[str]:
    """Serve a view on this port of loopback, and list it by this name among the live views of the user.

    Yields the address to print, with the token only if it was made up.
    """
    async with _serving(partial(offered("live").serve_live, view), port) as (url, token, reported):
        with listed(name, url, token):
            yield reported


@contextmanager
def listed(name: str, url: str, token: str) -> Generator[None]:
    """List a view among those of this user for the length of the block; warn when that is impossible."""
    with ExitStack() as entered:
        try:
            entered.enter_context(offered("live").announce(name, url, token))
        except (ModuleNotFoundError, NoAddon, OSError) as error:
            warn(f"`live` without a browser will not show this view: {error}")
        yield


@asynccontextmanager
async def _serving(
    serve: Callable[[Any], AbstractAsyncContextManager[str]], port: int
) -> AsyncGenerator[tuple[str, str, str]]:
    """Serve a page on this port: its URL, its token, and the address to print."""
    live = offered("live")
    given = os.environ.get(TOKEN)
    address = live.Address(token=given or secrets.token_urlsafe(24), port=port)
    async with AsyncExitStack() as served:
        try:
            url = await served.enter_async_context(serve(address))
        except OSError as error:
            raise UsageError(f"{address.host}:{address.port}: {error.strerror or error}") from None
        yield url, address.token, f"{url}/#token=... ({TOKEN})" if given else live.live_url(url, address)


def port_of(text: str) -> int:
    """Parse a port; 0 takes a free one. Raises `argparse.ArgumentTypeError`."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number up to 65535, not {text!r}")
    return int(text)
