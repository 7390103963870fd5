"""The program `cdp-typed`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cdp_typed.addresses import InsecureEndpointWarning
from cdp_typed.cli.arguments import PROG, UsageError
from cdp_typed.cli.runner import CommandRunner
from cdp_typed.errors import CDPError, EndpointError

COMMANDS = {
    "diff": "compare the bindings with a browser or a JSON file",
    "call": "send one command and print its result",
    "events": "print events as they arrive",
    "targets": "list pages, frames, workers",
}
"""Each is a module of this package."""

_HELP = f"""\
usage: {PROG} [--help] [--version] COMMAND ...

The Chrome DevTools Protocol on the command line.

commands:
{chr(10).join(f"  {name:12}{text}" for name, text in COMMANDS.items())}

exit codes: 0 success; 1 failure, or diff found differences; 2 wrong usage or no usable browser; 130 interrupted

example: {PROG} call http://127.0.0.1:9222 Page.navigate --url https://example.com
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """See `CommandRunner.main`."""
    program = CommandRunner(
        name=PROG,
        commands={name: f"cdp_typed.cli.{name}" for name in COMMANDS},
        help=lambda: _HELP,
        version=_version,
        notes=(InsecureEndpointWarning,),
        code_of=_code_of,
    )
    return program.main(list(sys.argv[1:] if arguments is None else arguments))


def _code_of(error: Exception) -> int | None:
    """The exit code for an exception; None for a bug of this program."""
    if isinstance(error, UsageError | EndpointError):
        return 2
    return 1 if isinstance(error, CDPError) else None


def _version() -> str:
    from cdp_typed import PROTOCOL, __version__

    return f"{__version__} ({PROTOCOL.package} {PROTOCOL.version})"
