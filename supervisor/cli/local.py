"""The part of `cdp-agent` that needs no session: its help, and the commands that addons declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cdp_agent import OPENS, PROG, USAGE, NoAnswer, command_at, command_of
from cdp_typed import __version__
from cdp_typed.addresses import InsecureEndpointWarning
from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.runner import CommandRunner
from cdp_typed.launch import NoSandboxWarning
from supervisor.declarations import LocalCommand, NoAddon, commands, offered

from .exit_codes import code_of_error

if TYPE_CHECKING:
    from cdp_agent import Wire

_OF_A_SESSION = ("close", "run", *OPENS)
"""Commands of sessions that are known without a look at all tools."""
_HELP = ("--help", "-h")


def run(words: list[str]) -> int | None:
    """Print help, or run a command that needs no session: the exit code. None for a command of a session.

    Raises `NoAnswer` for a command that is missing or does not exist.
    """
    name, at = command_of(words), command_at(words)
    asks = any(word in words for word in (*_HELP, "--version"))
    if words and at == len(words) and not asks:
        raise NoAnswer(f"a command is missing after {words[-1]!r} (see {PROG} --help)", USAGE)
    asks = asks or name == "help"
    if name in _OF_A_SESSION and not asks:
        return None
    found = commands()
    rest = [*words[:at], *words[at + 1 :]]
    line = [*rest, "--help"] if name == "help" else [name, *rest]
    asked = next((word for word in line if not word.startswith("-")), "")
    runner = CommandRunner(
        name=PROG,
        commands={word: command.module for word, command in found.items()},
        help=lambda: _tools_help(asked, found),
        version=lambda: __version__,
        notes=(InsecureEndpointWarning, NoSandboxWarning),
        code_of=code_of_error,
        interruption="interrupted",
    )
    if "--version" in words:
        return runner.main(["--version"])
    if asks:
        return runner.main(line if line[0] in found else ["--help"])
    if name in found:
        return runner.main(line)
    try:
        _tools_help(name, found)
    except UsageError as error:  # a session would say the same
        raise NoAnswer(str(error), USAGE) from None
    return None


def _tools_help(command: str, found: Mapping[str, LocalCommand]) -> str:
    """The help of all commands, or of one that a tool gives. Raises `UsageError` for one that does not exist."""
    try:
        text: str = offered("help").help_of(command, found.values())
    except NoAddon:
        if command:
            raise UsageError(f"{command!r} is no command (see {PROG} --help)") from None
        return "".join(f"  {known.word:10}{known.sentence}\n" for known in found.values())
    return text


def start_session(folder: str, key: str) -> Wire:
    """A connection to the session, which is started if need be. Raises `NoAddon` and `NoAnswer`."""
    wire: Wire = offered("sessions").start_session(folder, key)
    return wire
