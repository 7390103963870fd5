"""The program `cdp-supervisor`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cdp_typed.addresses import InsecureEndpointWarning
from cdp_typed.cli.runner import CommandRunner
from cdp_typed.errors import CDPError
from cdp_typed.launch import NoSandboxWarning
from supervisor.cli.arguments import PROG, Failed
from supervisor.core.vocabulary.errors import InvalidConfig

COMMANDS = {
    "live": "serve a local web page with pictures of the tabs, where a person can answer dialogs or take over",
    "snapshot": "print what the supervisor knows of a browser",
    "dialog": "answer the next dialog that opens",
    "eval": "evaluate JavaScript in a frame",
    "probe": "find out what a browser can do for a supervisor",
    "mcp": "serve the tools over the Model Context Protocol",
    "tools": "print the definitions of the agent tools",
    "login": "keep passwords that an agent uses and does not see",
    "policy": "say what a pattern of the URL rules does to an address",
    "fleet": "show the hosts and tasks of a fleet, and drain, roll or stop it",
    "report": "write what a flight recording holds as one HTML file",
    "replay": "print the last snapshot of a recording",
}
"""Each is a module of this package."""

_MODULES = {
    "eval": "evaluate",
    "fleet": "over_fleet.fleet_command",
    "login": "without_browser.login_command",
    "policy": "without_browser.policy_command",
}
"""Modules whose name is not that of their command."""

_HELP = f"""\
usage: {PROG} [--help] [--version] COMMAND ...

Supervise a browser: dialogs, frames and consoles.

commands:
{chr(10).join(f"  {name:10}{text}" for name, text in COMMANDS.items())}

exit codes: 0 done; 1 it failed; 2 wrong usage or no usable browser; 130 interrupted; 143, 129 SIGTERM, SIGHUP

example: {PROG} snapshot http://127.0.0.1:9222
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """See `CommandRunner.main`."""
    program = CommandRunner(
        name=PROG,
        commands={name: f"supervisor.cli.{_MODULES.get(name, name)}" for name in COMMANDS},
        help=_HELP,
        version=_version,
        notes=(InsecureEndpointWarning, NoSandboxWarning),
        failures=(CDPError, Failed),
        misuses=(InvalidConfig,),
        interruption="interrupted",
    )
    return program.main(list(sys.argv[1:] if arguments is None else arguments))


def _version() -> str:
    from cdp_typed import __version__

    return __version__
