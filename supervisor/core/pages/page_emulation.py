"""Slice: the device and the surroundings that managed pages are to see, in each of their sessions.

Measured on Chromium 156: a session keeps them when it navigates, also to another process. A new tab has the locale and
the time zone if it shares the process, and nothing else. An iframe in another process has only a dark colour scheme.
So every session gets the commands, before its page runs. Their effect ends with the connection. The browser refuses a
locale or a time zone in a process that has one of another session, so both are sent again when a session ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError
from cdp_typed.helpers.shared.emulation import OF_PAGES, RESETS, Emulation, Setting, commands
from cdp_typed.protocol import browser, network
from supervisor.core.state.pages import Emulated, Session
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import EmulationSent
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.inputs import CommandFailed, Input, StopRequested
from supervisor.core.vocabulary.requests import EmulationRequested

_OF_PROCESSES: frozenset[Setting] = frozenset({"locale", "time_zone"})


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Take in what a caller wants, and send each session the commands that have changed for it."""
    emulated = world.emulated
    completing: Effects = ()
    match received:
        case EmulationRequested():
            emulated = replace(
                emulated,
                wanted=received.emulation,
                commands=commands(received.emulation),
                permissions=received.permissions,
            )
            completing = (CompleteCall(received.call_id, CommandResult(None)),)
        case StopRequested():
            # Chromium 150 keeps the width of a page's layout when the session of its viewport ends.
            emulated = replace(emulated, wanted=Emulation(), commands={}, permissions=())
        case CommandFailed(EmulationSent(session_id, setting), CommandError() as error) if _is_in_force(
            emulated, session_id, setting
        ):
            emulated = replace(emulated, refused={**emulated.refused, (session_id, setting): error.message})
        case _:
            pass
    effects: Effects = ()
    is_last_chance = isinstance(received, StopRequested) and world.connection.was_up
    if world.connection.is_up or is_last_chance:
        emulated, effects = _apply(emulated, world)
        emulated, granting = _grant(emulated)
        effects = (*effects, *granting)
    changed = world if emulated is world.emulated else replace(world, emulated=emulated)
    return changed, (*effects, *completing)


def on_disconnected(emulated: Emulated) -> Emulated:
    """Forget the sent commands: their effect ended with the connection."""
    return replace(emulated, applied={}, refused={}, granted=())


def _is_in_force(emulated: Emulated, session_id: str | None, setting: str) -> bool:
    return bool(emulated.granted) if session_id is None else setting in emulated.applied.get(session_id, {})


def _apply(emulated: Emulated, world: World) -> tuple[Emulated, Effects]:
    sessions = {key: session for key, session in world.targets.sessions.items() if not session.stale}
    has_ended = not emulated.applied.keys() <= sessions.keys()
    effects: Effects = ()
    applied: dict[str, Mapping[Setting, tuple[Command[Any], ...]]] = {}
    refused = {key: why for key, why in emulated.refused.items() if key[0] is None or key[0] in sessions}
    for key, session in sessions.items():
        had, wanted = emulated.applied.get(key, {}), _wanted_for(session, emulated, world)
        for setting in had.keys() | wanted.keys():
            again = has_ended and setting in _OF_PROCESSES and setting in wanted
            if had.get(setting) == wanted.get(setting) and not again:
                continue
            refused.pop((key, setting), None)
            tag = EmulationSent(key, setting)
            sent = wanted.get(setting) or _reset(setting, world)
            effects = (*effects, *(Send(command=command, session_id=key, tag=tag) for command in sent))
        if wanted:
            applied[key] = wanted
    if applied == emulated.applied and refused == emulated.refused:
        return emulated, effects
    return replace(emulated, applied=applied, refused=refused), effects


def _wanted_for(session: Session, emulated: Emulated, world: World) -> Mapping[Setting, tuple[Command[Any], ...]]:
    if not world.page_ownership.manages(session.page_id):
        return {}
    if not session.is_iframe:
        return emulated.commands
    return {setting: each for setting, each in emulated.commands.items() if setting not in OF_PAGES}


def _reset(setting: Setting, world: World) -> tuple[Command[Any], ...]:
    if setting == "network" and not world.network_requests.is_watched:
        return (*RESETS[setting], network.Disable())
    return RESETS[setting]


def _grant(emulated: Emulated) -> tuple[Emulated, Effects]:
    """Send the permissions on the browser's own session: on a page's they would end with that page."""
    if emulated.permissions == emulated.granted:
        return emulated, ()
    sent: list[Command[Any]] = list(emulated.permissions)
    if emulated.granted:
        sent.insert(0, browser.ResetPermissions(browser_context_id=emulated.granted[0].browser_context_id))
    tag = EmulationSent(None, "permissions")
    refused = {key: why for key, why in emulated.refused.items() if key[0] is not None}
    effects = tuple(Send(command=command, session_id=None, tag=tag) for command in sent)
    return replace(emulated, granted=emulated.permissions, refused=refused), effects
