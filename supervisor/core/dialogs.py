"""Slice: the JavaScript dialogs, from their opening to their end."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from cdp_typed.protocol import page

from .answers import answer_for_agent, confirm, refuse, send_answer
from .dialog_state import Answering, Dialog, Dialogs, close, put
from .effects import Arm, Disarm, Effects
from .inputs import (
    Answered,
    AnswerRequested,
    DialogAnswer,
    DialogWatchdog,
    EventReceived,
    Input,
    LinkLost,
    Refused,
    StopRequested,
    TimerFired,
)
from .targets import Targets
from .values import PendingDialog

FRAME_REMOVED = "its iframe was removed while it was open"
OVERDUE = "nobody answered in time, and the browser takes no answer for it: the watchdog could not dismiss it"


def reduce(
    dialogs: Dialogs, received: Input, targets: Targets, now: float, orphans: Collection[str] = ()
) -> tuple[Dialogs, Effects]:
    """Follow dialogs and answers. `targets` is the slice after this input; `now` is in seconds since the epoch;
    `orphans` are the dialogs whose iframe this input removes."""
    match received:
        case EventReceived(str() as session_id, page.JavascriptDialogOpening() as event):
            return _open(dialogs, session_id, event, targets, now)
        case EventReceived(str() as session_id, page.JavascriptDialogClosed() as event):
            return _close_announced(dialogs, session_id, event, now)
        case EventReceived(_, page.FrameDetached()):
            return _close_all(dialogs, orphans, now, note=FRAME_REMOVED)
        case AnswerRequested():
            return answer_for_agent(dialogs, received)
        case Answered(DialogAnswer(dialog_id)):
            return confirm(dialogs, dialog_id, now)
        case Refused(DialogAnswer(dialog_id), error):
            return refuse(dialogs, dialog_id, error)
        case TimerFired(DialogWatchdog(dialog_id)):
            return _dismiss_overdue(dialogs, dialog_id)
        case LinkLost() | StopRequested():
            return _freeze(dialogs)
        case _:
            gone = [dialog.info.id for dialog in dialogs.open if dialog.info.session_id not in targets.sessions]
            return _close_all(dialogs, gone, now)  # a dialog ends with the page that shows it


def _open(
    dialogs: Dialogs, session_id: str, event: page.JavascriptDialogOpening, targets: Targets, now: float
) -> tuple[Dialogs, Effects]:
    session = targets.sessions.get(session_id)
    if session is None:
        return dialogs, ()
    dialogs, effects = _close_replaced(dialogs, event.frame_id, now)
    in_same_tab = any(dialog.info.target_id == session.page_id for dialog in dialogs.open)
    info = PendingDialog(
        id=f"d-{dialogs.count + 1}",
        type=event.type,
        message=event.message,
        default_prompt=event.default_prompt or "",
        url=event.url,
        frame_id=event.frame_id,
        target_id=session.page_id,
        session_id=session_id,
        opened_at=now,
        answerable=not in_same_tab,  # measured: a second dialog in a tab cancels the first and takes no answer
    )
    dialogs = replace(dialogs, open=(*dialogs.open, Dialog(info)), count=dialogs.count + 1)
    dialogs, more = _apply_policy(dialogs, Dialog(info))
    return dialogs, (*effects, *more)


def _close_replaced(dialogs: Dialogs, frame_id: str, now: float) -> tuple[Dialogs, Effects]:
    """A frame shows one dialog at a time: a new one means that we missed the end of the old one."""
    for dialog in dialogs.open:
        if dialog.info.frame_id == frame_id:
            return close(dialogs, dialog, now)
    return dialogs, ()


def _apply_policy(dialogs: Dialogs, dialog: Dialog) -> tuple[Dialogs, Effects]:
    if dialogs.policy == "must_respond" or not dialog.info.answerable:
        return dialogs, (Arm(DialogWatchdog(dialog.info.id), dialogs.timeout_s),)
    accept = dialogs.policy == "auto_accept"
    return send_answer(dialogs, dialog, Answering(by="auto_policy", accept=accept, note=dialogs.policy))


def _close_announced(
    dialogs: Dialogs, session_id: str, event: page.JavascriptDialogClosed, now: float
) -> tuple[Dialogs, Effects]:
    """Matched by frame, not by session: of two dialogs in a tab, the first ends after the second has opened."""
    for dialog in dialogs.open:
        if dialog.info.session_id == session_id and dialog.info.frame_id == event.frame_id:
            return close(dialogs, dialog, now, accepted=event.result, user_input=event.user_input)
    return dialogs, ()


def _close_all(dialogs: Dialogs, ids: Collection[str], now: float, *, note: str = "") -> tuple[Dialogs, Effects]:
    """These are over, and nobody of us answered them, whatever is on its way."""
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.info.id in ids:
            dialogs, more = close(dialogs, dialog, now, closed_by="remote" if note else None, note=note)
            effects = (*effects, *more)
    return dialogs, effects


def _dismiss_overdue(dialogs: Dialogs, dialog_id: str) -> tuple[Dialogs, Effects]:
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.answering is not None:
        return dialogs, ()
    if not dialog.info.answerable:
        return put(dialogs, Dialog(replace(dialog.info, note=OVERDUE))), ()
    return send_answer(dialogs, dialog, Answering(by="watchdog", accept=False))


def _freeze(dialogs: Dialogs) -> tuple[Dialogs, Effects]:
    """Nothing can be answered over a link that is gone. Answers on their way fail with the link itself."""
    frozen = tuple(Dialog(replace(dialog.info, answerable=False), dialog.answering) for dialog in dialogs.open)
    return replace(dialogs, open=frozen), tuple(Disarm(DialogWatchdog(dialog.info.id)) for dialog in dialogs.open)
