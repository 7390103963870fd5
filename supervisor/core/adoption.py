"""Dialogs over the loss of a connection: what is kept of them, and what the browser's return says of each."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from cdp_typed.errors import ConnectionLost

from .answers import refuse
from .dialog_state import Dialog, Dialogs, close
from .dialogs import FRAME_REMOVED, freeze
from .effects import Effects
from .frames import Frames
from .targets import Targets


def lose(dialogs: Dialogs, reason: str) -> tuple[Dialogs, Effects]:
    """The connection is gone. Measured: with the session that announced it, a dialog loses all that can answer it."""
    effects: Effects = ()
    answered = [dialog.info.id for dialog in dialogs.open if dialog.answering]
    for dialog_id in (*answered, *(closed.record.id for closed in dialogs.closed if closed.answering)):
        dialogs, more = refuse(dialogs, dialog_id, ConnectionLost(reason))
        effects = (*effects, *more)
    stale = tuple(Dialog(replace(dialog.info, stale=True)) for dialog in dialogs.open)
    dialogs, more = freeze(replace(dialogs, open=stale))
    return dialogs, (*effects, *more)


def reconcile(dialogs: Dialogs, frames: Frames, targets: Targets, now: float) -> tuple[Dialogs, Effects]:
    """A dialog from before the connection was lost, whose frame is gone or answers again, was closed meanwhile."""
    effects: Effects = ()
    behind = left_behind(dialogs, frames, targets)
    for dialog in dialogs.open:
        frame = frames.nodes.get(dialog.info.frame_id)
        session = targets.sessions.get(frame.session_id) if frame and not frame.stale else None
        is_answering = session is not None and session.seeded
        if dialog.info.stale and (is_answering or dialog.info.id in behind):
            note = FRAME_REMOVED if dialog.info.id in behind else ""
            dialogs, more = close(dialogs, dialog, now, note=note)
            effects = (*effects, *more)
    return dialogs, effects


def left_behind(dialogs: Dialogs, frames: Frames, targets: Targets) -> Mapping[str, str]:
    """The dialogs from before the connection was lost whose page is back without their frame, and that page."""
    found: dict[str, str] = {}
    for dialog in dialogs.open:
        shown_by = targets.page(dialog.info.target_id)
        is_back = shown_by is not None and shown_by.is_known and not shown_by.stale
        if dialog.info.stale and is_back and dialog.info.frame_id not in frames.nodes:
            found[dialog.info.id] = dialog.info.target_id
    return found
