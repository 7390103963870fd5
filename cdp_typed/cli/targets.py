"""`targets`: what a browser has open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cdp_typed.cli.output import json_text, plain, table, write
from cdp_typed.cli.parsing import add_endpoint, add_timeout, new_parser
from cdp_typed.cli.reaching import list_targets
from cdp_typed.cli.way import Way, add_way, way_of
from cdp_typed.protocol import target

__all__ = ["run"]


def run(arguments: list[str]) -> int:
    """Print the targets as a table, or as JSON."""
    parser = new_parser(
        "targets",
        "List the pages, frames and workers of a browser (Target.getTargets).",
        "cdp-typed targets http://127.0.0.1:9222",
    )
    add_endpoint(parser)
    parser.add_argument("--json", action="store_true", help="print everything known of them, as JSON")
    add_timeout(parser, "how long the browser has to answer")
    add_way(parser)
    options = parser.parse_args(arguments)
    found = asyncio.run(_ask(options.url, options.timeout, way_of(options)))
    if options.json:
        write(json_text(plain(found)))
    else:
        rows = [(each.target_id, each.type, each.title, each.url) for each in found]
        write(table([("ID", "TYPE", "TITLE", "URL"), *rows]))
    return 0


async def _ask(url: str, timeout: float, way: Way) -> Sequence[target.TargetInfo]:
    async with way.connect(url, open_timeout=timeout, command_timeout=timeout) as browser:
        return await list_targets(browser)
