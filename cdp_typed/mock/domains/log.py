"""The commands that discard what the console and the log have stored for sessions that enable them later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.state.browser_state import CDPSession, CommandCall
from cdp_typed.mock.state.step import Step


def _discard(step: Step, session: CDPSession, call: CommandCall) -> None:
    domain = call.method.partition(".")[0]
    kept = [
        entry
        for entry in step.state.console_entries
        if entry.target != session.target or not entry.method.startswith(f"{domain}.")
    ]
    step.state = replace(step.state, console_entries=tuple(kept))
    step.reply(call)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Log.clear": _discard,
    "Runtime.discardConsoleEntries": _discard,
}
