"""Slice: the browser's capabilities, learned from its replies and events; version numbers are not used."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page, runtime
from supervisor.core.state.pages import Capabilities
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import is_refusal_for_good
from supervisor.core.vocabulary.command_tags import FirstPage, PageCreated, SettingSent
from supervisor.core.vocabulary.effects import Effects
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, Connected, EventReceived, Input


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Learn from one input which capabilities the browser has."""
    return replace(world, capabilities=_reduce(world.capabilities, received)), ()


def _reduce(capabilities: Capabilities, received: Input) -> Capabilities:
    """Learn from one input."""
    match received:
        case EventReceived(_, page.JavascriptDialogOpening(frame_id=frame_id)):
            return _note(capabilities, "dialog_frame", bool(frame_id))
        case EventReceived(_, runtime.ExecutionContextCreated(context=context)):
            return _note(capabilities, "unique_context", bool(context.unique_id))
        case CommandSucceeded(FirstPage() | PageCreated()):
            return _note(capabilities, "open_page", True)
        case CommandFailed(FirstPage() | PageCreated(), CommandError() as error) if is_refusal_for_good(error):
            return _note(capabilities, "open_page", False)
        case CommandSucceeded(SettingSent(capability=name)):
            return _note(capabilities, name, True)
        case CommandFailed(SettingSent(capability=name), CommandError() as error) if is_refusal_for_good(error):
            return _note(capabilities, name, False)
        case Connected():
            return Capabilities()
        case _:
            return capabilities


def _note(capabilities: Capabilities, name: str, works: bool) -> Capabilities:
    if capabilities.seen.get(name) is works:
        return capabilities
    return replace(capabilities, seen={**capabilities.seen, name: works})
