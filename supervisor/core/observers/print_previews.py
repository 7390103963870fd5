"""Slice: print previews, the blockers of pages that called `window.print()` in a browser with windows.

No event announces one. Measured on Chromium 156: it is a page `chrome://print/`, which `Target.setAutoAttach` leaves
out. The page answers commands meanwhile, but takes no input, and no promise of it settles. So the supervisor looks for
a preview when a call takes long on a page that answers a probe, and then asks the page for a promise that is settled.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from cdp_typed.errors import CommandTimeout
from cdp_typed.protocol import runtime, target
from supervisor.core.state.observed import BlockerEntry, Blockers
from supervisor.core.state.pages import Session
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import PRINT_PREVIEW_URL
from supervisor.core.vocabulary.command_tags import HangProbe, PrintPreviewAttached, PrintPreviewSearch, PromiseProbe
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input
from supervisor.core.vocabulary.values import Blocker

PROMISE_WITHIN_S = 1.0
"""The deadline for a promise that is settled already."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Look for the print preview that holds up a call, and follow it to its end."""
    sessions = world.targets.sessions
    match received:
        case CommandSucceeded(HangProbe(session_id)) if session_id in sessions and _is_awaited(session_id, world):
            return world, (Send(command=target.GetTargets(), session_id=None, tag=PrintPreviewSearch(session_id)),)
        case CommandSucceeded(PrintPreviewSearch(session_id), target.GetTargetsResult(target_infos=infos)) if (
            session_id in sessions
        ):
            return world, _attach(sessions[session_id], infos)
        case CommandSucceeded(
            PrintPreviewAttached(session_id), target.AttachToTargetResult(session_id=preview_session_id)
        ):
            probe = runtime.Evaluate(expression="1", await_promise=True)
            tag = PromiseProbe(session_id, preview_session_id)
            return world, (Send(command=probe, session_id=session_id, tag=tag, timeout_s=PROMISE_WITHIN_S),)
        case CommandFailed(PromiseProbe(session_id, preview_session_id), CommandTimeout()) if session_id in sessions:
            return replace(world, blockers=_open(world.blockers, sessions[session_id], preview_session_id, now)), ()
        case CommandSucceeded(PromiseProbe(_, preview_session_id)) | CommandFailed(PromiseProbe(_, preview_session_id)):
            detach = target.DetachFromTarget(session_id=target.SessionID(preview_session_id))
            return world, (Send(command=detach, session_id=None),)
        case EventReceived(_, target.DetachedFromTarget(session_id=ended)):
            blockers, effects = _close(world.blockers, ended)
            return replace(world, blockers=blockers), effects
        case _:
            return world, ()


def _is_awaited(session_id: str, world: World) -> bool:
    return any(
        call.sent and call.frame and call.frame.session_id == session_id for call in world.calls.pending.values()
    )


def _attach(session: Session, infos: Iterable[target.TargetInfo]) -> Effects:
    """Attach to the preview in the browser context of the session's page, if there is one."""
    return tuple(
        Send(
            command=target.AttachToTarget(target_id=info.target_id, flatten=True),
            session_id=None,
            tag=PrintPreviewAttached(session.session_id),
        )
        for info in infos
        if info.url == PRINT_PREVIEW_URL and info.browser_context_id == session.browser_context_id
    )[:1]


def _open(blockers: Blockers, session: Session, preview_session_id: str, now: float) -> Blockers:
    info = Blocker(
        id=f"b-{blockers.count + 1}",
        kind="print",
        target_id=session.page_id,
        frame_id=None,
        session_id=session.session_id,
        url="",
        text="window.print() shows a print preview",
        since=now,
        ways_out=("cancel_print", "navigate", "reload_page", "close_page"),
    )
    entry = BlockerEntry(info=info, preview_session_id=preview_session_id)
    return replace(blockers, entries=(*blockers.entries, entry), count=blockers.count + 1)


def _close(blockers: Blockers, preview_session_id: str) -> tuple[Blockers, Effects]:
    """Close the blocker of a preview that is gone, and complete the calls that close it: their command may be left
    without an answer."""
    closed = {entry.info.id for entry in blockers.entries if entry.preview_session_id == preview_session_id}
    if not closed:
        return blockers, ()
    left = tuple(entry for entry in blockers.entries if entry.info.id not in closed)
    ending = {call_id: name for call_id, name in blockers.ending.items() if name not in closed}
    completing = tuple(
        CompleteCall(call_id, CommandResult(None)) for call_id, name in blockers.ending.items() if name in closed
    )
    return replace(blockers, entries=left, ending=ending), completing
