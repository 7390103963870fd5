"""The commands that need no session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from cdp_agent import DONE, LOCAL, PROG, USAGE, NoAnswer, command_at, command_of
from cdp_typed.cli.arguments import UsageError

_MODULES = {
    "doctor": "doctor",
    "live": "watching",
    "report": "reporting",
    "sessions": "listing",
    "skill": "skill_files",
}
"""The modules with their functions."""


def run(words: list[str]) -> int:
    """Run one of them and return its exit code."""
    try:
        return _run(words)
    except UsageError as error:
        sys.stderr.write(f"{PROG}: {error}\n")
        return USAGE


def check_command(name: str) -> None:
    """Raise `NoAnswer` with the nearest command for a name that is none. A session checks its commands by itself."""
    from supervisor.tools.framework.plugins import load_plugins

    from .help_text import help_of

    load_plugins()
    try:
        if name != "run":
            help_of([name])
    except UsageError as error:
        raise NoAnswer(str(error), USAGE) from None


def _run(words: list[str]) -> int:
    if "--version" in words:
        from cdp_typed import __version__

        sys.stdout.write(f"{PROG} {__version__}\n")
        return DONE
    name = command_of(words)
    at = command_at(words)
    rest = words[:at] + words[at + 1 :]
    if name not in LOCAL or name == "help" or "--help" in words or "-h" in words:
        from supervisor.tools.framework.plugins import load_plugins

        from .help_text import help_of

        load_plugins()
        sys.stdout.write(help_of(words))
        return DONE
    run_command: Callable[[list[str]], int] = getattr(import_module(f"supervisor.agent_cli.{_MODULES[name]}"), name)
    return run_command(rest)
