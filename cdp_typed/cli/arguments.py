"""Argument parsers whose error messages are one line, without secrets."""

from __future__ import annotations

import argparse
import math
import re
import sys
from typing import Any, NoReturn

from cdp_typed.addresses import redact
from cdp_typed.errors import EndpointError
from cdp_typed.printable import visible
from cdp_typed.spelling import did_you_mean

PROG = "cdp-typed"

_UNKNOWN_OPTION = re.compile(r"unrecognized arguments: (--[\w-]+)")
_OPTION = re.compile(r"--[\w-]+")
_WORD = re.compile(r"[^\s'\"]++")
_END_OF_A_SENTENCE = ":,;."
# Of a scheme, or as in `host:9222/path?token=...`.
_SEPARATOR = re.compile(r"://|:[0-9]++[/?]")


class UsageError(Exception):
    """The command line cannot be executed; the message says what would be possible."""


class _Once(argparse.Action):
    """Refuses an option that is given twice, because its first values would be lost."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        assert isinstance(parser, _ArgumentParser)
        if option is not None and self.dest in parser.given:
            parser.error(f"{option} is given twice")
        parser.given.add(self.dest)
        setattr(namespace, self.dest, values)


class _ArgumentParser(argparse.ArgumentParser):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)
        self.given: set[str] = set()  # a parser parses once

    def error(self, message: str) -> NoReturn:
        mistaken = _UNKNOWN_OPTION.match(message)
        hint = did_you_mean(mistaken[1], _OPTION.findall(self.format_usage()), 1) if mistaken else ""
        raise UsageError(f"{message}{hint} (see {self.prog} --help)")


def new_parser(prog: str, description: str, example: str, *, program: str = PROG) -> argparse.ArgumentParser:
    """Return a parser that accepts no abbreviations, ends its help with an example, and raises `UsageError`."""
    return _ArgumentParser(
        prog=f"{program} {prog}".strip(),
        description=description,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_endpoint(parser: argparse.ArgumentParser, *, is_optional: bool = False) -> None:
    """Add the browser's address, the first argument of all commands."""
    parser.add_argument(
        "url",
        nargs="?" if is_optional else None,
        metavar="URL",
        help="the browser: http://host:port, host:port, ws://..., wss://..., or its user data directory",
    )


def add_timeout(parser: argparse.ArgumentParser, meaning: str, default: float | None = 10.0) -> None:
    """Add `--timeout SECONDS`."""
    tail = f" (default: {default:g})" if default is not None else ""
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", default=default, help=f"{meaning}{tail}")


def seconds(text: str) -> float:
    """Parse a positive number of seconds. Raises `argparse.ArgumentTypeError`."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"a number of seconds above 0 is expected, not {text!r}")
    return value


def clean(message: str) -> str:
    """Return an error message fit for a terminal: one line, every URL in it without its secrets."""
    return visible(_WORD.sub(_without_secrets, message), limit=2_000)


def _without_secrets(match: re.Match[str]) -> str:
    """Return the word, redacted if it is a URL: a separator in it, with something before and after."""
    # Not one expression for URLs: texts of pages get here, and it would search for the separator from each character.
    word = match[0].rstrip(_END_OF_A_SENTENCE)
    return redact(word) + match[0][len(word) :] if _SEPARATOR.search(word, 1, len(word) - 1) else match[0]


def complain(error: BaseException, *, program: str = PROG) -> None:
    """Print an error as one line on stderr. The text of an `EndpointError` is redacted already, and keeps its URLs."""
    message = visible(str(error), limit=2_000) if isinstance(error, EndpointError) else clean(str(error))
    sys.stderr.write(f"{program}: error: {message}\n")


def warn(message: str, *, program: str = PROG) -> None:
    """Print a note, which is no failure, as one line on stderr."""
    sys.stderr.write(f"{program}: note: {clean(message)}\n")
