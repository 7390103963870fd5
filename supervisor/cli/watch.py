"""`watch`: a live view of a browser, in which a person can answer its dialogs."""

from __future__ import annotations

import asyncio
import sys

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_line, write
from supervisor.aio import AsyncSupervisor
from supervisor.cli.arguments import add_browser, new_parser, settings_of
from supervisor.config import Settings
from supervisor.watch.json_lines import follow

__all__ = ["run"]


def run(arguments: list[str]) -> int:
    """Show what goes on until q or Ctrl-C."""
    parser = new_parser(
        "watch",
        "Show dialogs, frames and console of a browser as they change, and answer its dialogs: a accepts (a prompt\n"
        "asks for the text), d dismisses, j and k choose, q quits. Into a pipe, or with --json, each change is a line.",
        "watch http://127.0.0.1:9222",
    )
    add_browser(parser)
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each change; no keys")
    options = parser.parse_args(arguments)
    live = sys.stdin.isatty() and sys.stdout.isatty() and not options.json
    settings = settings_of(options)
    del settings["reconnect_attempts"]  # it is watched for long
    asyncio.run(_watch(options.url, options.timeout, settings, live=live))
    return 0


async def _watch(url: str, timeout: float, settings: Settings, *, live: bool) -> None:
    view = _live_view if live else _lines
    async with await AsyncSupervisor(url, **settings).start(timeout) as supervisor:
        await view(supervisor)


async def _lines(supervisor: AsyncSupervisor) -> None:
    await follow(supervisor, lambda change: write(json_line(change)))


async def _live_view(supervisor: AsyncSupervisor) -> None:
    if sys.platform == "win32":
        raise UsageError("the live view needs a terminal as Linux and macOS have it (use --json)")
    try:
        from rich.console import Console

        from supervisor.watch.terminal import watch
    except ModuleNotFoundError:
        raise UsageError("the live view needs rich: pip install 'cdp-typed[cli]' (or use --json)") from None
    await watch(supervisor, Console(highlight=False), sys.stdin.fileno())
