"""Dialogs over the loss of a connection or a session: what is kept of them, what the browser's return says of each."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from cdp_typed.errors import ConnectionLost
from cdp_typed.protocol import page, target

from .anchor import Anchor
from .answers import confirm, refuse
from .dialog_state import Dialog, Dialogs, close, put
from .dialogs import FRAME_REMOVED, freeze, reduce
from .effects import Arm, Disarm, Effects
from .frames import Frames
from .inputs import AnchorHeard, EventReceived, Input
from .tabs import Tabs
from .targets import Targets
from .timers import DialogWatchdog
from .values import PendingDialog


def lose(dialogs: Dialogs, reason: str, anchor: Anchor, now: float) -> tuple[Dialogs, Effects]:
    """The connection is gone. Measured: with the session that announced it, a dialog loses all that can answer it, but
    for the anchor, if that was told of it as well."""
    effects: Effects = ()
    for dialog_id in [dialog.info.id for dialog in dialogs.open if dialog.answering]:
        dialogs, more = refuse(dialogs, dialog_id, ConnectionLost(reason))
        effects = (*effects, *more)
    for closed in dialogs.closed:
        if closed.answering is None:
            continue
        record = closed.record
        if record.accepted == closed.answering.accept:  # it ended after our answer was sent, and as that says
            dialogs, more = confirm(dialogs, record.id, now)
        else:
            dialogs, more = refuse(dialogs, record.id, ConnectionLost(reason))
        effects = (*effects, *more)
    before = dialogs.open
    stale = tuple(Dialog(replace(dialog.info, stale=True)) for dialog in dialogs.open)
    dialogs, more = freeze(replace(dialogs, open=stale))
    effects = (*effects, *more)
    for dialog in before:
        session_id = anchor.session_for(dialog.info) if dialog.info.answerable else None
        if session_id is not None:
            dialogs, more = _hold(dialogs, dialog.info, session_id, now)
            effects = (*effects, *more)
    return dialogs, effects


def inherit(dialogs: Dialogs, received: Input, targets: Targets) -> Dialogs:
    """Dialogs of a session that ends are answered on the one that takes its place. `targets` is the slice before."""
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


def hear(
    dialogs: Dialogs, received: AnchorHeard, anchor: Anchor, targets: Targets, tabs: Tabs, frames: Frames, now: float
) -> tuple[Dialogs, Effects]:
    """What the anchor is told counts for pages that the main connection does not watch, and for dialogs that only the
    anchor can answer. The slices are as after this input."""
    match received:
        case AnchorHeard(str() as session_id, page.JavascriptDialogOpening() as event):
            known = _same(dialogs, event)
            if known is not None:
                return _hold(dialogs, known, session_id, now) if known.stale else (dialogs, ())
            page_id = anchor.sessions.get(session_id)
            main = targets.page(page_id) if page_id else None
            if main is None or (main.seeded and not main.stale):
                return dialogs, ()
            return reduce(dialogs, EventReceived(session_id, event), anchor.beside(targets), tabs, frames, now, ())
        case AnchorHeard(str() as session_id, page.JavascriptDialogClosed() as event):
            return reduce(dialogs, EventReceived(session_id, event), anchor.beside(targets), tabs, frames, now, ())
        case _:
            return dialogs, ()


def catch_up(
    dialogs: Dialogs, anchor: Anchor, targets: Targets, tabs: Tabs, frames: Frames, now: float
) -> tuple[Dialogs, Effects]:
    """A page that the main connection found frozen may be so by a dialog that only the anchor was told of."""
    effects: Effects = ()
    for frame_id, shown in anchor.showing.items():
        main = targets.page(anchor.sessions[shown.session_id])
        is_frozen = main is not None and main.unresponsive and not main.stale
        if is_frozen and not any(dialog.info.frame_id == frame_id for dialog in dialogs.open):
            received = EventReceived(shown.session_id, shown.event)
            dialogs, more = reduce(dialogs, received, anchor.beside(targets), tabs, frames, now, ())
            effects = (*effects, *more)
    return dialogs, effects


def take_over(
    dialogs: Dialogs, session_id: str, event: page.JavascriptDialogOpening, targets: Targets
) -> Dialogs | None:
    """The main connection is told of a dialog that only the anchor had been told of: it is the same one."""
    known = _same(dialogs, event)
    if known is None or known.stale or known.session_id in targets.sessions or session_id not in targets.sessions:
        return None
    return put(dialogs, Dialog(replace(known, session_id=session_id), _find(dialogs, known.id).answering))


def let_go(dialogs: Dialogs, anchor: Anchor, targets: Targets) -> tuple[Dialogs, Effects]:
    """A dialog that only the anchor could answer, and cannot any more, is stale like others."""
    effects: Effects = ()
    for dialog in dialogs.open:
        info = dialog.info
        if (
            dialog.way is None
            and not info.stale
            and info.session_id not in targets.sessions
            and anchor.session_for(info) is None
        ):
            if dialog.answering is not None:
                dialogs, more = refuse(dialogs, info.id, ConnectionLost("the second connection ended as well"))
                effects = (*effects, *more)
            dialogs = put(dialogs, Dialog(replace(info, stale=True, answerable=False)))
            effects = (*effects, Disarm(DialogWatchdog(info.id)))
    return dialogs, effects


def _hold(dialogs: Dialogs, info: PendingDialog, session_id: str, now: float) -> tuple[Dialogs, Effects]:
    """The anchor can answer it; the watchdog goes on with what is left of its time."""
    held = replace(info, session_id=session_id, stale=False, answerable=True)
    left_s = max(0.001, info.opened_at + dialogs.timeout_s - now)
    return put(dialogs, Dialog(held)), (Arm(DialogWatchdog(info.id), left_s),)


def _same(dialogs: Dialogs, event: page.JavascriptDialogOpening) -> PendingDialog | None:
    for dialog in dialogs.open:
        info = dialog.info
        if not info.bridged and (info.frame_id, info.type, info.message) == (event.frame_id, event.type, event.message):
            return info
    return None


def _find(dialogs: Dialogs, dialog_id: str) -> Dialog:
    return next(dialog for dialog in dialogs.open if dialog.info.id == dialog_id)


def reconcile(dialogs: Dialogs, frames: Frames, targets: Targets, now: float) -> tuple[Dialogs, Effects]:
    """A dialog from before the connection was lost, whose frame is gone or answers again, was closed meanwhile."""
    effects: Effects = ()
    behind = left_behind(dialogs, frames, targets)
    for dialog in dialogs.open:
        is_answering = _answers(dialog.info, frames, targets)
        if dialog.info.stale and (is_answering or dialog.info.id in behind):
            note = FRAME_REMOVED if dialog.info.id in behind else ""
            dialogs, more = close(dialogs, dialog, now, note=note)
            effects = (*effects, *more)
    return dialogs, effects


def _answers(info: PendingDialog, frames: Frames, targets: Targets) -> bool:
    """Whether the frame that opened the dialog has answered since; where it is unknown, whether the whole page has."""
    if info.frame_id is None:
        return targets.page(info.target_id) is not None and all(
            session.seeded and not session.stale
            for session in targets.sessions.values()
            if session.page_id == info.target_id
        )
    frame = frames.nodes.get(info.frame_id)
    session = targets.sessions.get(frame.session_id) if frame and not frame.stale else None
    return session is not None and session.seeded


def left_behind(dialogs: Dialogs, frames: Frames, targets: Targets) -> Mapping[str, str]:
    """The dialogs from before the connection was lost whose page is back without their frame, and that page."""
    found: dict[str, str] = {}
    for dialog in dialogs.open:
        shown_by = targets.page(dialog.info.target_id)
        is_back = shown_by is not None and shown_by.is_known and not shown_by.stale
        if dialog.info.stale and is_back and dialog.info.frame_id not in (None, *frames.nodes):
            found[dialog.info.id] = dialog.info.target_id
    return found
