"""Slice: the scripts of callers that run in each new document of managed pages, before its own scripts.

Measured on Chromium 156: a script of a page's session does not run in its out-of-process iframes, so every session gets
it. It ends with its session, and with `Page.disable`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from cdp_typed.protocol import page
from supervisor.core.state.pages import InitScript, InitScripts
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import InitScriptSent
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.errors import UnknownInitScript
from supervisor.core.vocabulary.inputs import CommandSucceeded, Input
from supervisor.core.vocabulary.requests import InitScriptAdded, InitScriptsRemoved


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Take in the scripts of callers, and have them in each session of managed pages."""
    reset = before.detached_frame_dialogs.pages.keys() - world.detached_frame_dialogs.pages.keys()
    init_scripts, effects = _reduce(world.init_scripts, received, world)
    if world.connection.is_up:
        init_scripts, installing = _install(init_scripts, world, reset)
        effects = (*installing, *effects)
    return (world if init_scripts is world.init_scripts else replace(world, init_scripts=init_scripts)), effects


def on_disconnected(init_scripts: InitScripts) -> InitScripts:
    """Forget where scripts are: they ended with the connection."""
    return replace(init_scripts, installed={})


def _reduce(init_scripts: InitScripts, received: Input, world: World) -> tuple[InitScripts, Effects]:
    match received:
        case InitScriptAdded(call_id, source):
            added = InitScript(id=f"script-{init_scripts.count + 1}", source=source)
            scripts = (*init_scripts.scripts, added)
            completing = (CompleteCall(call_id, CommandResult(added.id)),)
            return replace(init_scripts, scripts=scripts, count=init_scripts.count + 1), completing
        case InitScriptsRemoved(call_id, script_id):
            ids = tuple(script.id for script in init_scripts.scripts)
            if script_id is not None and script_id not in ids:
                return init_scripts, (CompleteCall(call_id, UnknownInitScript(script_id, ids)),)
            removed = ids if script_id is None else (script_id,)
            left = tuple(script for script in init_scripts.scripts if script.id not in removed)
            return replace(init_scripts, scripts=left), (CompleteCall(call_id, CommandResult(removed)),)
        case CommandSucceeded(
            InitScriptSent(session_id, script_id), page.AddScriptToEvaluateOnNewDocumentResult(identifier=identifier)
        ):
            if (session_id, script_id) in init_scripts.installed:
                installed = {**init_scripts.installed, (session_id, script_id): identifier}
                return replace(init_scripts, installed=installed), ()
            return init_scripts, _remove(session_id, identifier, world)  # a caller removed it meanwhile
        case _:
            return init_scripts, ()


def _install(init_scripts: InitScripts, world: World, reset: Collection[str]) -> tuple[InitScripts, Effects]:
    """Send each session the scripts that it lacks, and remove the others. `reset` are the pages that lost all."""
    lost = {session.session_id for session in world.targets.sessions.values() if session.target_id in reset}
    had = {key: identifier for key, identifier in init_scripts.installed.items() if key[0] not in lost}
    wanted = {
        (session_id, script.id): script.source for session_id in _managed(world) for script in init_scripts.scripts
    }
    effects: Effects = tuple(
        Send(
            command=page.AddScriptToEvaluateOnNewDocument(source=source),
            session_id=key[0],
            tag=InitScriptSent(*key),
        )
        for key, source in wanted.items()
        if key not in had
    )
    for key, identifier in had.items():
        if key not in wanted and identifier is not None:
            effects = (*effects, *_remove(key[0], identifier, world))
    installed = {key: had.get(key) for key in wanted}
    return (
        init_scripts if installed == init_scripts.installed else replace(init_scripts, installed=installed)
    ), effects


def _managed(world: World) -> Iterable[str]:
    return (
        session.session_id
        for session in world.targets.sessions.values()
        if not session.stale and world.page_ownership.manages(session.page_id)
    )


def _remove(session_id: str, identifier: page.ScriptIdentifier, world: World) -> Effects:
    session = world.targets.sessions.get(session_id)
    if session is None or session.stale:
        return ()
    return (Send(command=page.RemoveScriptToEvaluateOnNewDocument(identifier=identifier), session_id=session_id),)
