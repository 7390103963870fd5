"""Parsers and options that all commands share, and the supervisor settings made from them."""

from __future__ import annotations

import argparse
from pathlib import Path

from cdp_typed.cli import arguments
from cdp_typed.cli.arguments import UsageError, add_endpoint, add_timeout
from cdp_typed.cli.connect_options import add_connect_options, connect_options_of
from supervisor.config import Settings

__all__ = ["PROG", "Failed", "add_browser", "add_record", "new_parser", "recording_of", "settings_of", "warn"]

PROG = "cdp-supervisor"


class Failed(Exception):
    """The command failed; the message gives the reason, on one line."""


def new_parser(prog: str, description: str, example: str) -> argparse.ArgumentParser:
    """A parser that takes no abbreviations, ends its help with an example, and raises `UsageError`."""
    return arguments.new_parser(prog, description, f"{PROG} {example}", program=PROG)


def warn(message: str) -> None:
    """One line on stderr, about something that is no failure."""
    arguments.warn(message, program=PROG)


def add_browser(parser: argparse.ArgumentParser) -> None:
    """URL, `--timeout` and the way to the browser."""
    add_endpoint(parser)
    add_timeout(parser, "how long the browser has to answer", 15.0)
    add_connect_options(parser)


def add_record(parser: argparse.ArgumentParser) -> None:
    """`--record`."""
    about = "keep a flight recording, with pictures, for `report`; a file that is there is left, the next number taken"
    parser.add_argument("--record", metavar="FILE.jsonl", help=about)


def recording_of(options: argparse.Namespace) -> Settings:
    """`--record` as settings of a supervisor. Raises `UsageError` where no file can be made."""
    if options.record is None:
        return Settings()
    folder = Path(options.record).parent
    if not folder.is_dir():
        raise UsageError(f"--record {options.record}: there is no folder {folder}")
    return Settings(record_to=options.record, record_screenshots=True)


def settings_of(options: argparse.Namespace) -> Settings:
    """The way to the browser as settings of a supervisor.

    A command line is over in a moment: a connection that is lost stays lost.
    """
    way = connect_options_of(options)
    return Settings(headers=way.headers, proxy=way.proxy, ssl=way.ssl, reconnect_attempts=0)
