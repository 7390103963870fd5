"""`live`: a running supervisor as a local web page."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from cdp_typed.addresses import redact
from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import write
from cdp_typed.ending_signals import run_in_order
from supervisor.aio import AsyncSupervisor
from supervisor.cli.arguments import add_browser, browser_of, new_parser, settings_of, warn
from supervisor.config import Endpoint, Settings

if TYPE_CHECKING:
    from supervisor.live import Address, LiveView

TOKEN = "CDP_LIVE_TOKEN"
"""The environment variable with the token of the page."""


def run(arguments: list[str]) -> int:
    """Serve the page until Ctrl-C."""
    parser = new_parser(
        "live",
        "Serve a web page on this machine that shows a browser as a supervisor sees it: pictures of the tabs,\n"
        "frames, dialogs and what else waits for an answer, console, calls. A person answers there, or takes the\n"
        "browser over. Without a browser, the page shows all live views of this user in one grid.\n"
        f"Who opens the page needs the token in its address, which is made up unless {TOKEN} is set.",
        "live --launch",
    )
    add_browser(parser)
    parser.add_argument(
        "--port", type=port_of, default=0, help="the port of loopback to serve on (default: a free one)"
    )
    options = parser.parse_args(arguments)
    if options.url is None and not options.launch and not options.connect:
        run_in_order(_serve_grid(options.port))
        return 0
    settings = settings_of(options)
    del settings["reconnect_attempts"]  # it is watched for long
    settings["watch_http_auth"] = options.launch  # in a browser that others use, logins are theirs
    with browser_of(options) as url:
        run_in_order(_serve(url, options, settings))
    return 0


async def _serve_grid(port: int) -> None:
    async with serving_grid(port) as reported:
        write(f"live views: {reported}")
        await asyncio.get_running_loop().create_future()


@asynccontextmanager
async def serving_grid(port: int) -> AsyncGenerator[str]:
    """Serve the grid of this user's live views on this port of loopback. Yields the address to print."""
    _import()
    from supervisor.live import serve_grid

    async with _serving(serve_grid, port) as (_, _, reported):
        yield reported


async def _serve(url: Endpoint, options: argparse.Namespace, settings: Settings) -> None:
    live_view = _import()
    async with (
        await AsyncSupervisor(url, **settings).start(options.timeout) as supervisor,
        serving_live(live_view(supervisor), options.port, f"live {_place(options)}") as reported,
    ):
        write(f"live view: {reported}")
        await asyncio.get_running_loop().create_future()


def _import() -> type[LiveView]:
    try:
        from supervisor.live import LiveView
    except ModuleNotFoundError as missing:
        raise UsageError(f"the live view needs {missing.name}: pip install 'cdp-typed[mcp]'") from None
    return LiveView


def _place(options: argparse.Namespace) -> str:
    return "--launch" if options.launch else "--connect" if options.connect else redact(options.url)


@asynccontextmanager
async def serving_live(view: LiveView, port: int, name: str) -> AsyncGenerator[str]:
    """Serve a view on this port of loopback, and list it by this name among the live views of the user.

    Yields the address to print, with the token only if it was made up.
    """
    from supervisor.live import serve_live

    async with _serving(partial(serve_live, view), port) as (url, token, reported):
        with listed(name, url, token):
            yield reported


@contextmanager
def listed(name: str, url: str, token: str) -> Generator[None]:
    """List a view among those of this user for the length of the block; warn when that is impossible."""
    with ExitStack() as entered:
        try:
            from supervisor.live import announce

            entered.enter_context(announce(name, url, token))
        except (ModuleNotFoundError, OSError) as error:
            warn(f"`live` without a browser will not show this view: {error}")
        yield


@asynccontextmanager
async def _serving(
    serve: Callable[[Address], AbstractAsyncContextManager[str]], port: int
) -> AsyncGenerator[tuple[str, str, str]]:
    """Serve a page on this port: its URL, its token, and the address to print."""
    from supervisor.live import Address, live_url

    given = os.environ.get(TOKEN)
    address = Address(token=given or secrets.token_urlsafe(24), port=port)
    async with AsyncExitStack() as served:
        try:
            url = await served.enter_async_context(serve(address))
        except OSError as error:
            raise UsageError(f"{address.host}:{address.port}: {error.strerror or error}") from None
        yield url, address.token, f"{url}/#token=... ({TOKEN})" if given else live_url(url, address)


def port_of(text: str) -> int:
    """Parse a port; 0 takes a free one. Raises `argparse.ArgumentTypeError`."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number up to 65535, not {text!r}")
    return int(text)
