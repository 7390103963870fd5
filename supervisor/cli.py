"""The command line: `python -m supervisor`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from cdp_typed.errors import CDPError

from .core.values import SupervisorSnapshot

if TYPE_CHECKING:
    from .demo.story import Narrator

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    options = _parser().parse_args(arguments)
    try:
        return _demo(as_json=options.json, mock=options.mock)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except CDPError as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m supervisor", description="Supervise a browser over CDP.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="show dialogs and a cross-origin iframe under control",
        description="Launch a local Chromium and show its dialogs and a cross-origin iframe under control.",
        epilog="example: python -m supervisor demo --json | jq .recent_dialogs",
    )
    demo.add_argument("--json", action="store_true", help="print only the last snapshot, as JSON")
    demo.add_argument("--mock", action="store_true", help="play on the mock server; needs no browser")
    return parser


def _demo(*, as_json: bool, mock: bool) -> int:
    from .demo import demo
    from .demo.narrator import Silent

    if as_json:
        print(_to_json(demo(Silent(), mock=mock)))
        return OK
    try:
        narrator = _terminal(mock=mock)
    except ModuleNotFoundError:
        print("error: the demo needs rich: pip install 'cdp-typed[cli]' (or use --json)", file=sys.stderr)
        return USAGE
    last = demo(narrator, mock=mock)
    narrator.chapter("The last snapshot")
    print(_to_json(last))
    return OK


def _terminal(*, mock: bool) -> Narrator:
    from rich.console import Console

    from .demo.narrator import Terminal

    console = Console(highlight=False)
    if mock:
        console.print("This is the mock server, not a browser: the same story, without Chromium.", style="bold")
    return Terminal(console)


def _to_json(snapshot: SupervisorSnapshot) -> str:
    return msgspec.json.format(msgspec.json.encode(snapshot), indent=2).decode()
