"""`watch`: a live view of a browser, in which a person can answer its dialogs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_line, write
from supervisor.aio import AsyncSupervisor
from supervisor.cli.arguments import Failed, add_browser, browser_of, new_parser, settings_of
from supervisor.config import Endpoint, Settings
from supervisor.watch.json_lines import follow

View: TypeAlias = Callable[[AsyncSupervisor], Awaitable[None]]


def run(arguments: list[str]) -> int:
    """Show what goes on until q or Ctrl-C."""
    parser = new_parser(
        "watch",
        "Show dialogs, frames and console of a browser as they change, and answer its dialogs: a accepts (a prompt\n"
        "asks for the text), d dismisses, j and k choose, q quits. Without a terminal, or with --json, each\n"
        "change is a line.",
        "watch http://127.0.0.1:9222",
    )
    add_browser(parser)
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each change; no keys")
    options = parser.parse_args(arguments)
    live = not options.json and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    view = _live_view() if live else _print_lines
    settings = settings_of(options)
    del settings["reconnect_attempts"]  # it is watched for long
    with browser_of(options) as url:
        asyncio.run(_watch(url, options.timeout, settings, view))
    return 0


async def _watch(url: Endpoint, timeout: float, settings: Settings, view: View) -> None:
    async with await AsyncSupervisor(url, **settings).start(timeout) as supervisor:
        await view(supervisor)


async def _print_lines(supervisor: AsyncSupervisor) -> None:
    await follow(supervisor, lambda change: write(json_line(change)))


def _live_view() -> View:
    try:
        from supervisor.watch._app import WatchApp
    except ModuleNotFoundError:
        raise UsageError("the live view needs textual: pip install 'cdp-typed[cli]' (or use --json)") from None

    async def show(supervisor: AsyncSupervisor) -> None:
        app = WatchApp(supervisor)
        if await app.run_async():
            raise KeyboardInterrupt
        if app.return_code:
            raise Failed("the live view failed")

    return show
