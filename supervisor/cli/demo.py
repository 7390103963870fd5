"""`demo`: dialogs and a cross-origin iframe under control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, plain, write
from supervisor.cli.arguments import add_record, new_parser, recording_of
from supervisor.config import Settings

if TYPE_CHECKING:
    from supervisor.demo.story import Narrator

__all__ = ["run"]


def run(arguments: list[str]) -> int:
    """Play the demo and print the last snapshot."""
    parser = new_parser(
        "demo",
        "Launch a local Chromium and show its dialogs and a cross-origin iframe under control.",
        "demo --json | jq .recent_dialogs",
    )
    parser.add_argument("--json", action="store_true", help="print only the last snapshot, as JSON")
    parser.add_argument("--mock", action="store_true", help="play on the mock server; needs no browser")
    add_record(parser)
    options = parser.parse_args(arguments)
    _play(as_json=options.json, mock=options.mock, recording=recording_of(options))
    return 0


def _play(*, as_json: bool, mock: bool, recording: Settings) -> None:
    from supervisor.demo import demo
    from supervisor.demo.narrator import Silent

    if as_json:
        write(json_text(plain(demo(Silent(), mock=mock, **recording))))
        return
    try:
        narrator = _terminal(mock=mock)
    except ModuleNotFoundError:
        raise UsageError("the demo needs rich: pip install 'cdp-typed[cli]' (or use --json)") from None
    last = demo(narrator, mock=mock, **recording)
    narrator.chapter("The last snapshot")
    write(json_text(plain(last)))


def _terminal(*, mock: bool) -> Narrator:
    from rich.console import Console

    from supervisor.demo.narrator import Terminal

    console = Console(highlight=False)
    if mock:
        console.print("This is the mock server, not a browser: the same story, without Chromium.", style="bold")
    return Terminal(console)
