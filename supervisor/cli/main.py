"""From the words on the command line to an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TextIO

from cdp_typed.address import InsecureEndpointWarning
from cdp_typed.cli.parsing import UsageError, close_to
from cdp_typed.errors import CDPError, EndpointError
from cdp_typed.launch import NoSandboxWarning
from supervisor.cli.parsing import PROG, Failed, complain, warn

__all__ = ["main"]

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "demo": "show dialogs and a cross-origin iframe under control",
    "watch": "a live view of dialogs, frames and console, in which dialogs can be answered",
    "snapshot": "print what the supervisor knows of a browser",
    "dialog": "answer the next dialog that opens",
    "eval": "evaluate JavaScript in a frame",
    "probe": "find out what a browser can do for a supervisor",
    "mcp": "serve the tools over the Model Context Protocol",
    "tools": "print the definitions of the agent tools",
    "replay": "print the last snapshot of a recording",
}
"""Each is a module of this package with a function `run(arguments) -> exit code`."""

_MODULES = {"eval": "evaluate"}
"""Where it has another name."""

_HELP = f"""\
usage: {PROG} [--help] [--version] COMMAND ...

Supervise a browser: dialogs, frames and consoles.

commands:
{chr(10).join(f"  {name:10}{text}" for name, text in COMMANDS.items())}

exit codes: 0 done; 1 it failed; 2 wrong usage or no usable browser; 130 interrupted

example: {PROG} snapshot http://127.0.0.1:9222
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0 done, 1 failed, 2 wrong usage or endpoint, 130 interrupted."""
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        complain(KeyboardInterrupt("interrupted"))
        return INTERRUPTED
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except (UsageError, EndpointError) as error:
        complain(error)
        return USAGE
    except (CDPError, Failed) as error:
        complain(error)
        return FAILED


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        run: Callable[[list[str]], int] = import_module(f"supervisor.cli.{_MODULES.get(name, name)}").run
        with warnings.catch_warnings():
            for shown in (InsecureEndpointWarning, NoSandboxWarning):
                warnings.simplefilter("always", shown)
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
    from cdp_typed import __version__

    return f"{PROG} {__version__}"
