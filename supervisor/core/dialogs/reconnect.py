"""Slice: keeps open dialogs across reconnects and reconciles them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from cdp_typed.errors import ConnectionLost
from cdp_typed.protocol import target
from supervisor.core.state.dialogs import Dialog, Dialogs, close, put
from supervisor.core.state.frames import Frames
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.effects import Effects
from supervisor.core.vocabulary.inputs import EventReceived, Input
from supervisor.core.vocabulary.values import PendingDialog

from .answers import confirm, refuse
from .dialogs import FRAME_REMOVED, mark_unanswerable


def on_disconnected(dialogs: Dialogs, reason: str, now: float) -> tuple[Dialogs, Effects]:
    """Mark all dialogs stale and unanswerable. Measured: only the session that announced a dialog can answer it."""
    effects: Effects = ()
    for dialog_id in [dialog.info.id for dialog in dialogs.open if dialog.pending_answer]:
        dialogs, more = refuse(dialogs, dialog_id, ConnectionLost(reason))
        effects = (*effects, *more)
    for closed in dialogs.closed:
        if closed.pending_answer is None:
            continue
        record = closed.record
        if record.accepted == closed.pending_answer.accept:  # it ended after the answer was sent, and as it says
            dialogs, more = confirm(dialogs, record.id, now)
        else:
            dialogs, more = refuse(dialogs, record.id, ConnectionLost(reason))
        effects = (*effects, *more)
    stale = tuple(Dialog(replace(dialog.info, stale=True)) for dialog in dialogs.open)
    dialogs, more = mark_unanswerable(replace(dialogs, open=stale))
    return dialogs, (*effects, *more)


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Move the dialogs of a session that ends to its successor."""
    return replace(world, dialogs=_move_to_successor(world.dialogs, received, before.targets)), ()


def reconcile(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Close the stale dialogs that ended while there was no connection."""
    if not any(dialog.info.stale for dialog in world.dialogs.open):
        return world, ()
    dialogs, effects = _reconcile(world.dialogs, world.frames, world.targets, now)
    return replace(world, dialogs=dialogs), effects


def _move_to_successor(dialogs: Dialogs, received: Input, targets: Targets) -> Dialogs:
    """Move the dialogs of a session that ends to its successor. `targets` is the slice before this input."""
    match received:
        case EventReceived(_, target.AttachedToTarget() as event) if event.session_id in targets.spares:
            ended = targets.page(event.target_info.target_id)
            for dialog in dialogs.open:
                if ended is not None and dialog.info.session_id == ended.session_id:
                    info = replace(dialog.info, session_id=event.session_id)
                    dialogs = put(dialogs, replace(dialog, info=info))
            return dialogs
        case _:
            return dialogs


def _reconcile(dialogs: Dialogs, frames: Frames, targets: Targets, now: float) -> tuple[Dialogs, Effects]:
    """Close a stale dialog whose frame is gone or answers again."""
    effects: Effects = ()
    behind = without_frame(dialogs, frames, targets)
    for dialog in dialogs.open:
        is_answering = _has_answered(dialog.info, frames, targets)
        if dialog.info.stale and (is_answering or dialog.info.id in behind):
            note = FRAME_REMOVED if dialog.info.id in behind else ""
            dialogs, more = close(dialogs, dialog, now, note=note)
            effects = (*effects, *more)
    return dialogs, effects


def _has_answered(info: PendingDialog, frames: Frames, targets: Targets) -> bool:
    """Return True if the frame of a dialog has answered since the reconnect; without a frame id, if all sessions of its
    page have."""
    if info.frame_id is None:
        return targets.page(info.target_id) is not None and all(
            session.has_frame_tree and not session.stale
            for session in targets.sessions.values()
            if session.page_id == info.target_id
        )
    frame = frames.nodes.get(info.frame_id)
    session = targets.sessions.get(frame.session_id) if frame and not frame.stale else None
    return session is not None and session.has_frame_tree


def without_frame(dialogs: Dialogs, frames: Frames, targets: Targets) -> Mapping[str, str]:
    """Return the stale dialogs whose page is back without their frame: dialog id -> target id."""
    pages: dict[str, str] = {}
    for dialog in dialogs.open:
        shown_by = targets.page(dialog.info.target_id)
        is_back = shown_by is not None and shown_by.is_known and not shown_by.stale
        if dialog.info.stale and is_back and dialog.info.frame_id not in (None, *frames.nodes):
            pages[dialog.info.id] = dialog.info.target_id
    return pages
