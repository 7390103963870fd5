"""The parsers of commands that need no session, and notes on stderr."""

from __future__ import annotations

import argparse

from cdp_agent import PROG
from cdp_typed.cli import arguments


def new_parser(prog: str, description: str, example: str) -> argparse.ArgumentParser:
    """A parser that takes no abbreviations, ends its help with an example, and raises `UsageError`."""
    return arguments.new_parser(prog, description, f"{PROG} {example}", program=PROG)


def warn(message: str) -> None:
    """One line on stderr, about something that is no failure."""
    arguments.warn(message, program=PROG)
