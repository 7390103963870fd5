"""`live`: a running supervisor as a local web page."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import write
from supervisor.aio import AsyncSupervisor
from supervisor.cli.arguments import add_browser, browser_of, new_parser, settings_of
from supervisor.config import Endpoint, Settings

if TYPE_CHECKING:
    from supervisor.live import LiveView

TOKEN = "CDP_LIVE_TOKEN"
"""The environment variable with the token of the page."""


def run(arguments: list[str]) -> int:
    """Serve the page until Ctrl-C."""
    parser = new_parser(
        "live",
        "Serve a web page on this machine that shows a browser as a supervisor sees it: pictures of the tabs,\n"
        "frames, dialogs and what else waits for an answer, console, calls. A person answers there, or takes the\n"
        "browser over.\n"
        f"Who opens the page needs the token in its address, which is made up unless {TOKEN} is set.",
        "live --launch",
    )
    add_browser(parser)
    parser.add_argument(
        "--port", type=port_of, default=0, help="the port of loopback to serve on (default: a free one)"
    )
    options = parser.parse_args(arguments)
    settings = settings_of(options)
    del settings["reconnect_attempts"]  # it is watched for long
    settings["watch_http_auth"] = options.launch  # in a browser that others use, logins are theirs
    with browser_of(options) as url:
        asyncio.run(_serve(url, options, settings))
    return 0


async def _serve(url: Endpoint, options: argparse.Namespace, settings: Settings) -> None:
    live_view = _import()
    async with (
        await AsyncSupervisor(url, **settings).start(options.timeout) as supervisor,
        serving_live(live_view(supervisor), options.port) as reported,
    ):
        write(f"live view: {reported}")
        await asyncio.get_running_loop().create_future()


def _import() -> type[LiveView]:
    try:
        from supervisor.live import LiveView
    except ModuleNotFoundError as missing:
        raise UsageError(f"the live view needs {missing.name}: pip install 'cdp-typed[mcp]'") from None
    return LiveView


@asynccontextmanager
async def serving_live(view: LiveView, port: int) -> AsyncGenerator[str]:
    """Serve a view on this port of loopback; yields the address to tell, with the token only if it was made up."""
    from supervisor.live import Address, live_url, serve_live

    given = os.environ.get(TOKEN)
    address = Address(token=given or secrets.token_urlsafe(24), port=port)
    try:
        async with serve_live(view, address) as url:
            yield f"{url}/#token=... ({TOKEN})" if given else live_url(url, address)
    except OSError as error:
        raise UsageError(f"{address.host}:{address.port}: {error.strerror or error}") from None


def port_of(text: str) -> int:
    """Parse a port; 0 takes a free one. Raises `argparse.ArgumentTypeError`."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number up to 65535, not {text!r}")
    return int(text)
