"""Slice: settings in the sessions of managed pages, reset when another client takes a page over.

A background tab is hidden: no animation frames, observers or lazy loading, timers once a second. Measured on
Chromium 156 and 150: `Emulation.setFocusEmulationEnabled` makes it behave as in front, and leaves the tab in front and
the window's focus as they are. (The old headless mode shows every tab.) It is sent when the page has shown its first
document: before, a navigation that follows crashes the renderer, in every second of 40 trials on 156.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.protocol import debugger, emulation, fed_cm, page
from supervisor.core.state.connection import ConnectionState
from supervisor.core.state.pages import OFF, PageOwnership, Session, SessionSettings, Switches, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import SettingSent
from supervisor.core.vocabulary.effects import Effects, Send
from supervisor.core.vocabulary.inputs import Input


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Send each session the settings that have changed for it."""
    reset = before.detached_frame_dialogs.pages.keys() - world.detached_frame_dialogs.pages.keys()
    settings, effects = _reduce(world.session_settings, world.connection, world.targets, world.page_ownership, reset)
    return replace(world, session_settings=settings), effects


def _reduce(
    settings: SessionSettings,
    connection: ConnectionState,
    targets: Targets,
    ownership: PageOwnership,
    reset: Collection[str],
) -> tuple[SessionSettings, Effects]:
    """Send each session the settings that have changed for it. The slices are as after the input; `reset` are the pages
    whose sessions have lost settings by `Page.disable`."""
    if not connection.is_up:
        return settings, ()
    effects: Effects = ()
    applied: dict[str, Switches] = {}
    for session in targets.sessions.values():
        if session.stale:
            continue
        had = settings.applied.get(session.session_id, OFF)
        if session.page_id in reset:
            had = replace(had, file_choosers=False)
        wanted = _wanted_for(session, settings.wanted) if ownership.manages(session.page_id) else OFF
        effects = (*effects, *_switch(session.session_id, had, wanted))
        if wanted != OFF:
            applied[session.session_id] = wanted
    return (settings if applied == settings.applied else replace(settings, applied=applied)), effects


def on_disconnected(settings: SessionSettings) -> SessionSettings:
    """Forget the sent settings: they ended with the connection."""
    return replace(settings, applied={})


def _wanted_for(session: Session, wanted: Switches) -> Switches:
    return wanted if session.has_frame_tree and not session.is_iframe else replace(wanted, focus=False)


def _switch(session_id: str, had: Switches, wanted: Switches) -> Effects:
    effects: Effects = ()
    if had.focus != wanted.focus:
        focus = emulation.SetFocusEmulationEnabled(enabled=wanted.focus)
        effects = (Send(command=focus, session_id=session_id, tag=SettingSent(session_id, "focus_emulation")),)
    commands: list[Command[Any]] = []
    if had.file_choosers != wanted.file_choosers:
        commands.append(page.SetInterceptFileChooserDialog(enabled=wanted.file_choosers))
    if had.debugger != wanted.debugger:
        commands.append(debugger.Enable() if wanted.debugger else debugger.Disable())
    if had.account_choosers != wanted.account_choosers:
        commands.append(fed_cm.Enable() if wanted.account_choosers else fed_cm.Disable())
    return (*effects, *(Send(command=command, session_id=session_id) for command in commands))
