"""`enable` and `disable` of domains whose events the mock sends, and of those whose events a test sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from cdp_typed.mock.state.browser_state import CDPSession, CommandCall
from cdp_typed.mock.state.step import Step

_SWITCHES: Final = {"enable": True, "disable": False}


def switch_domain(step: Step, session: CDPSession, method: str) -> None:
    """Let the session hear the events of a domain, or no longer; without effect for other commands."""
    domain, _, name = method.partition(".")
    if name not in _SWITCHES:
        return
    on = _SWITCHES[name]
    step.put_session(replace(session, enabled=session.enabled | {domain} if on else session.enabled - {domain}))
    if domain == "Page" and not on:
        step.leave_dialogs(session.key)


def _switch(step: Step, session: CDPSession, call: CommandCall) -> None:
    switch_domain(step, session, call.method)
    step.reply(call)


def _preload(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.emit([session], "Preload.preloadEnabledStateUpdated", dict.fromkeys(_REASONS_TO_PRELOAD_NOTHING, False))
    _switch(step, session, call)


_REASONS_TO_PRELOAD_NOTHING: Final = (
    "disabledByPreference",
    "disabledByDataSaver",
    "disabledByBatterySaver",
    "disabledByHoldbackPrefetchSpeculationRules",
    "disabledByHoldbackPrerenderSpeculationRules",
)

_SWITCHED: Final = dict.fromkeys(
    (
        "Inspector.disable",
        "Inspector.enable",
        "Log.disable",
        "Network.disable",
        "Network.enable",
        "Page.disable",
        "Page.enable",
        "Runtime.disable",
    ),
    _switch,
)

HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    **_SWITCHED,
    "Preload.enable": _preload,
}
