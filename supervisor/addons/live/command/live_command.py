"""`live`: a running supervisor, or all live views of this user, as a local web page."""

from __future__ import annotations

import argparse
import asyncio
from urllib.parse import urlsplit

from cdp_typed.addresses import redact
from cdp_typed.cli.output import write
from cdp_typed.ending_signals import run_in_order
from supervisor.aio import AsyncSupervisor
from supervisor.cli.arguments import add_browser, browser_of, settings_of
from supervisor.cli.caller_files import files_beside
from supervisor.cli.live_views import TOKEN, live_view_class, port_of, serving_grid, serving_live
from supervisor.cli.parsers import new_parser
from supervisor.config import Endpoint, Settings
from supervisor.saved_state.named_files import NamedFiles

from .session_views import with_sessions


def run(words: list[str]) -> int:
    """Serve the page until Ctrl-C."""
    parser = new_parser(
        "live",
        "Serve a web page on this machine that shows what a supervisor knows about a browser: pictures of the tabs,\n"
        "frames, dialogs and everything else that waits for an answer, console messages and calls. A person can\n"
        "answer there or take over the browser. Without a browser, the page shows all sessions and live views of\n"
        "this user in one grid.\n"
        f"The page's URL contains a token, generated at random unless {TOKEN} is set.",
        "live --launch",
    )
    add_browser(parser)
    parser.add_argument(
        "--port", type=port_of, default=0, help="the port of loopback to serve on (default: a free one)"
    )
    options = parser.parse_args(words)
    if options.url is None and not options.launch and not options.connect:
        with with_sessions():
            run_in_order(_serve_grid(options.port))
        return 0
    settings = settings_of(options)
    settings["watch_http_auth"] = options.launch  # in a browser that others use, logins are theirs
    with files_beside("."), browser_of(options, NamedFiles("downloads").folder) as url:
        run_in_order(_serve(url, options, settings))
    return 0


async def _serve_grid(port: int) -> None:
    async with serving_grid(port) as reported:
        write(f"live views: {reported}")
        await asyncio.get_running_loop().create_future()


async def _serve(url: Endpoint, options: argparse.Namespace, settings: Settings) -> None:
    live_view = live_view_class()
    async with (
        await AsyncSupervisor(url, **settings).start(options.timeout) as supervisor,
        serving_live(live_view(supervisor), options.port, f"live {_place(options)}") as reported,
    ):
        if options.launch:
            write(f"for an agent: cdp-agent mcp --cdp-url http://{urlsplit(str(url)).netloc}")
        write(f"live view: {reported}")
        await asyncio.get_running_loop().create_future()


def _place(options: argparse.Namespace) -> str:
    return "--launch" if options.launch else "--connect" if options.connect else redact(options.url)
