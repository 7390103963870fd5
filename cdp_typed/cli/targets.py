"""`targets`: lists the targets of a browser, or of an inspector of Node or Deno."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias
from urllib.parse import urlsplit

from msgspec.structs import replace

from cdp_typed.cli.arguments import add_endpoint, add_timeout, new_parser
from cdp_typed.cli.connect_options import ConnectOptions, add_connect_options, connect_options_of
from cdp_typed.cli.output import json_text, plain, table, write
from cdp_typed.cli.session_choice import list_targets
from cdp_typed.ending_signals import run_in_order
from cdp_typed.endpoint.discovery import ListedTarget, Resolved
from cdp_typed.endpoint.sources import locate
from cdp_typed.protocol import target

Targets: TypeAlias = Sequence[target.TargetInfo] | Sequence[ListedTarget]
"""The targets of a browser, or the `/json/list` of an inspector of Node or Deno."""


def run(arguments: list[str]) -> int:
    """Print the targets as a table, or as JSON."""
    parser = new_parser(
        "targets",
        "List the pages, frames and workers of a browser (Target.getTargets). For Node and Deno, list the targets of\n"
        "/json/list, with the websocket of each.",
        "cdp-typed targets http://127.0.0.1:9222",
    )
    add_endpoint(parser)
    parser.add_argument("--json", action="store_true", help="print all fields as JSON")
    add_timeout(parser, "seconds to wait for the browser")
    add_connect_options(parser)
    options = parser.parse_args(arguments)
    targets = run_in_order(_fetch(options.url, options.timeout, connect_options_of(options)))
    write(json_text(plain(targets)) if options.json else table(_rows(targets)))
    return 0


async def _fetch(url: str, timeout: float, connect_options: ConnectOptions) -> Targets:
    address = await locate(url, timeout=timeout)
    discovered = await connect_options.discover(address, timeout=timeout)
    if isinstance(discovered, Resolved):
        async with connect_options.connect(discovered.url, open_timeout=timeout, command_timeout=timeout) as browser:
            if await browser.kind() != "node":
                return await list_targets(browser)
        discovered = await connect_options.fetch_targets(address, timeout=timeout)
    return [replace(item, websocket_url=_shown(item.websocket_url)) for item in discovered]


def _shown(websocket: str) -> str:
    """Return the address without user info and query, which may be secrets."""
    parts = urlsplit(websocket)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def _rows(targets: Targets) -> list[tuple[str, ...]]:
    rows = [_row(item) for item in targets]
    heading = ("ID", "TYPE", "TITLE", "URL", "WEBSOCKET")
    return [heading[: len(rows[0]) if rows else 4], *rows]


def _row(item: target.TargetInfo | ListedTarget) -> tuple[str, ...]:
    if isinstance(item, ListedTarget):
        return item.id, item.type, item.title, item.url, item.websocket_url
    return item.target_id, item.type, item.title, item.url
