"""`snapshot`: what the supervisor knows of a browser."""

from __future__ import annotations

from cdp_typed.cli.output import json_text, plain, write
from supervisor.cli.arguments import add_browser, browser_of, new_parser, settings_of
from supervisor.cli.startup import settled
from supervisor.facade import CDPSupervisor


def run(arguments: list[str]) -> int:
    """Print one snapshot as JSON, once a browser that does nothing has told everything."""
    parser = new_parser(
        "snapshot",
        "Print pages, dialogs, the frames of the current page, console and blockers of a browser, as JSON.\n"
        "Page text in it is untrusted.",
        "snapshot http://127.0.0.1:9222 | jq .frame_tree",
    )
    add_browser(parser)
    options = parser.parse_args(arguments)
    with browser_of(options) as url, CDPSupervisor(url, **settings_of(options)).start(options.timeout) as supervisor:
        write(json_text(plain(settled(supervisor))))
    return 0
