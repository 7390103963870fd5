"""From the words on the command line to an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TextIO

from cdp_typed.address import InsecureEndpointWarning
from cdp_typed.cli.parsing import PROG, UsageError, close_to, complain, warn
from cdp_typed.errors import CDPError, EndpointError

__all__ = ["main"]

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "diff": "compare the bindings with a browser or a JSON file",
    "call": "send one command and print its result",
    "events": "print events as they come",
    "targets": "list pages, frames, workers",
    "record": "write down what a browser and its clients say",
    "completion": "print a completion script for a shell",
}
"""Each is a module of this package with a function `run(arguments) -> exit code`."""

_HELP = f"""\
usage: {PROG} [--help] [--version] COMMAND ...

The Chrome DevTools Protocol on the command line.

commands:
{chr(10).join(f"  {name:12}{text}" for name, text in COMMANDS.items())}

exit codes: 0 done; 1 it failed, or diff found differences; 2 wrong usage or no usable browser; 130 interrupted

example: {PROG} call http://127.0.0.1:9222 Page.navigate --url https://example.com
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0 done, 1 failed, 2 wrong usage or endpoint, 130 interrupted."""
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except (UsageError, EndpointError) as error:
        complain(error)
        return USAGE
    except CDPError as error:
        complain(error)
        return FAILED


def _run(arguments: list[str]) -> int:
    for at, word in enumerate(arguments, 1):
        if not word.isprintable() and any("\udc80" <= each <= "\udcff" for each in word):
            raise UsageError(f"argument {at} is not valid UTF-8")
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        run: Callable[[list[str]], int] = import_module(f"cdp_typed.cli.{name}").run
        with warnings.catch_warnings():
            warnings.simplefilter("always", InsecureEndpointWarning)
            warnings.showwarning = _show_warning
            return run(arguments[1:])
    if name in ("-h", "--help"):
        sys.stdout.write(_HELP)
        return OK
    if name == "--version":
        sys.stdout.write(f"{_version()}\n")
        return OK
    if not name:
        raise UsageError(f"a command is missing: {', '.join(COMMANDS)} (see {PROG} --help)")
    raise UsageError(f"no command {name!r}{close_to(name, COMMANDS)} (see {PROG} --help)")


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """One line, and not where in the library it was raised."""
    warn(str(message))


def _version() -> str:
    from cdp_typed import PROTOCOL, __version__

    return f"{PROG} {__version__} ({PROTOCOL.package} {PROTOCOL.version})"
