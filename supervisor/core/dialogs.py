"""Slice: the JavaScript dialogs that are open, the answers on their way, and the last ones that were closed."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page

from .chromium import NO_DIALOG_SHOWING
from .effects import Arm, Disarm, Effects, Send, Tell
from .errors import (
    AmbiguousDialog,
    DialogAlreadyClosed,
    DialogBeingAnswered,
    DialogUnanswerable,
    NoDialogOpen,
    UnknownDialog,
)
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
from .values import DialogPolicy, DialogReceipt, DialogRecord, PendingDialog

RECENT = 20
ANSWER_TIMEOUT_S = 5.0
"""How long the browser may take to confirm an answer; Chromium 156 does so at once, also on a frozen page."""


class Answering(Struct, frozen=True, kw_only=True):
    """An answer that was sent and not confirmed yet."""

    by: Literal["agent", "auto_policy", "watchdog"]
    accept: bool
    prompt_text: str | None = None
    text_ignored: bool = False
    call_id: str | None = None


class Dialog(Struct, frozen=True):
    """An open dialog, and the answer on its way, if any."""

    info: PendingDialog
    answering: Answering | None = None

    @property
    def blocks(self) -> bool:
        """Somebody has yet to do something about it."""
        return self.answering is None


class Closed(Struct, frozen=True):
    """A closed dialog whose answer is not confirmed yet: until then, who closed it is provisional."""

    record: DialogRecord
    answering: Answering | None = None


class Dialogs(Struct, frozen=True, kw_only=True):
    """Open dialogs in the order of their opening, closed ones in the order of their closing."""

    policy: DialogPolicy = "must_respond"
    timeout_s: float = 300.0
    open: tuple[Dialog, ...] = ()
    closed: tuple[Closed, ...] = ()
    count: int = 0
    """How many dialogs there ever were; the source of their ids."""

    def find(self, dialog_id: str) -> Dialog | None:
        """The open dialog with this id."""
        return next((dialog for dialog in self.open if dialog.info.id == dialog_id), None)

    def ids(self) -> tuple[str, ...]:
        """The ids of the open dialogs."""
        return tuple(dialog.info.id for dialog in self.open)


def reduce(dialogs: Dialogs, received: Input, targets: Targets, now: float) -> tuple[Dialogs, Effects]:
    """Follow dialogs and answers. `targets` is the slice after this input; `now` is in seconds since the epoch."""
    match received:
        case EventReceived(str() as session_id, page.JavascriptDialogOpening() as event):
            return _open(dialogs, session_id, event, targets, now)
        case EventReceived(str() as session_id, page.JavascriptDialogClosed() as event):
            return _close_announced(dialogs, session_id, event, now)
        case AnswerRequested():
            return _answer_for_agent(dialogs, received)
        case Answered(DialogAnswer(dialog_id)):
            return _confirm(dialogs, dialog_id, now)
        case Refused(DialogAnswer(dialog_id), error):
            return _refuse(dialogs, dialog_id, error)
        case TimerFired(DialogWatchdog(dialog_id)):
            return _dismiss_overdue(dialogs, dialog_id)
        case LinkLost() | StopRequested():
            return _freeze(dialogs)
        case _:
            return _close_orphans(dialogs, targets, now)


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
    dialogs, more = _apply_policy(dialogs, info)
    return dialogs, (*effects, *more)


def _close_replaced(dialogs: Dialogs, frame_id: str, now: float) -> tuple[Dialogs, Effects]:
    """A frame shows one dialog at a time: a new one means that we missed the end of the old one."""
    for dialog in dialogs.open:
        if dialog.info.frame_id == frame_id:
            return _close(dialogs, dialog, now, accepted=False, user_input="")
    return dialogs, ()


def _apply_policy(dialogs: Dialogs, info: PendingDialog) -> tuple[Dialogs, Effects]:
    if dialogs.policy == "must_respond" or not info.answerable:
        return dialogs, (Arm(DialogWatchdog(info.id), dialogs.timeout_s),)
    return _send_answer(dialogs, info, Answering(by="auto_policy", accept=dialogs.policy == "auto_accept"))


def _send_answer(dialogs: Dialogs, info: PendingDialog, answering: Answering) -> tuple[Dialogs, Effects]:
    text = answering.prompt_text
    if info.type == "prompt" and answering.accept and text is None:
        text = info.default_prompt  # measured: without a text Chromium would return "" rather than the default
    dialogs = _replace(dialogs, Dialog(info, answering))
    command = page.HandleJavaScriptDialog(accept=answering.accept, prompt_text=UNSET if text is None else text)
    send = Send(command=command, session_id=info.session_id, tag=DialogAnswer(info.id), timeout_s=ANSWER_TIMEOUT_S)
    return dialogs, (send,)


def _answer_for_agent(dialogs: Dialogs, asked: AnswerRequested) -> tuple[Dialogs, Effects]:
    dialog = _choose(dialogs, asked.dialog_id)
    if isinstance(dialog, Exception):
        return dialogs, (Tell(asked.call_id, dialog),)
    if dialog.answering is not None:
        return dialogs, (Tell(asked.call_id, DialogBeingAnswered(dialog.info.id, dialog.answering.by)),)
    if not dialog.info.answerable:
        return dialogs, (Tell(asked.call_id, DialogUnanswerable(dialog.info)),)
    takes_text = dialog.info.type == "prompt"
    answering = Answering(
        by="agent",
        accept=asked.action == "accept",
        prompt_text=asked.prompt_text if takes_text else None,
        text_ignored=asked.prompt_text is not None and not takes_text,
        call_id=asked.call_id,
    )
    return _send_answer(dialogs, dialog.info, answering)


def _choose(dialogs: Dialogs, dialog_id: str | None) -> Dialog | Exception:
    if dialog_id is not None:
        dialog = dialogs.find(dialog_id)
        if dialog is not None:
            return dialog
        record = next((closed.record for closed in dialogs.closed if closed.record.id == dialog_id), None)
        return DialogAlreadyClosed(record) if record else UnknownDialog(dialog_id, dialogs.ids())
    if not dialogs.open:
        return NoDialogOpen()
    first, *others = dialogs.open
    return AmbiguousDialog(dialogs.ids()) if others else first


def _close_announced(
    dialogs: Dialogs, session_id: str, event: page.JavascriptDialogClosed, now: float
) -> tuple[Dialogs, Effects]:
    """Matched by frame, not by session: of two dialogs in a tab, the first ends after the second has opened."""
    for dialog in dialogs.open:
        if dialog.info.session_id == session_id and dialog.info.frame_id == event.frame_id:
            return _close(dialogs, dialog, now, accepted=event.result, user_input=event.user_input)
    return dialogs, ()


def _close(dialogs: Dialogs, dialog: Dialog, now: float, *, accepted: bool, user_input: str) -> tuple[Dialogs, Effects]:
    info = dialog.info
    record = DialogRecord(
        id=info.id,
        type=info.type,
        message=info.message,
        url=info.url,
        frame_id=info.frame_id,
        target_id=info.target_id,
        opened_at=info.opened_at,
        closed_at=now,
        closed_by=dialog.answering.by if dialog.answering else "remote",
        accepted=accepted,
        user_input=user_input,
    )
    dialogs = replace(
        dialogs,
        open=tuple(other for other in dialogs.open if other.info.id != info.id),
        closed=(*dialogs.closed, Closed(record, dialog.answering))[-RECENT:],
    )
    return dialogs, (Disarm(DialogWatchdog(info.id)),)


def _confirm(dialogs: Dialogs, dialog_id: str, now: float) -> tuple[Dialogs, Effects]:
    """The browser took our answer. Chromium announces the end first; a browser that does not is believed as well."""
    effects: Effects = ()
    dialog = dialogs.find(dialog_id)
    if dialog is not None and dialog.answering is not None:
        accepted, text = dialog.answering.accept, dialog.answering.prompt_text or ""
        dialogs, effects = _close(dialogs, dialog, now, accepted=accepted, user_input=text)
    dialogs, closed = _settle(dialogs, dialog_id)
    if closed is None or closed.answering is None or closed.answering.call_id is None:
        return dialogs, effects
    record = closed.record
    receipt = DialogReceipt(
        dialog_id=record.id,
        accepted=record.accepted,
        closed_by=record.closed_by,
        user_input=record.user_input,
        prompt_text_ignored=closed.answering.text_ignored,
    )
    return dialogs, (*effects, Tell(closed.answering.call_id, receipt))


def _refuse(dialogs: Dialogs, dialog_id: str, error: Exception) -> tuple[Dialogs, Effects]:
    """Our answer failed: somebody else was first, the browser takes none, or the link failed us."""
    dialog = dialogs.find(dialog_id)
    if dialog is not None:
        return _reopen(dialogs, dialog, error)
    dialogs, closed = _settle(dialogs, dialog_id, closed_by_remote=True)
    if closed is None or closed.answering is None or closed.answering.call_id is None:
        return dialogs, ()
    return dialogs, (Tell(closed.answering.call_id, DialogAlreadyClosed(closed.record)),)


def _reopen(dialogs: Dialogs, dialog: Dialog, error: Exception) -> tuple[Dialogs, Effects]:
    info, answering = dialog.info, dialog.answering
    outcome = error
    if isinstance(error, CommandError) and error.message == NO_DIALOG_SHOWING:
        info = replace(info, answerable=False)
        outcome = DialogUnanswerable(info)
    dialogs = _replace(dialogs, Dialog(info))
    effects: Effects = (Arm(DialogWatchdog(info.id), dialogs.timeout_s),) if info.answerable else ()
    if answering is not None and answering.call_id is not None:
        effects = (*effects, Tell(answering.call_id, outcome))
    return dialogs, effects


def _settle(dialogs: Dialogs, dialog_id: str, *, closed_by_remote: bool = False) -> tuple[Dialogs, Closed | None]:
    """Make the provisional record of a dialog final; returns it as it was, with who closed it corrected."""
    found = next((closed for closed in dialogs.closed if closed.record.id == dialog_id), None)
    if found is None:
        return dialogs, None
    record = replace(found.record, closed_by="remote") if closed_by_remote else found.record
    final = tuple(Closed(record) if closed is found else closed for closed in dialogs.closed)
    return replace(dialogs, closed=final), Closed(record, found.answering)


def _dismiss_overdue(dialogs: Dialogs, dialog_id: str) -> tuple[Dialogs, Effects]:
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.answering is not None or not dialog.info.answerable:
        return dialogs, ()
    return _send_answer(dialogs, dialog.info, Answering(by="watchdog", accept=False))


def _freeze(dialogs: Dialogs) -> tuple[Dialogs, Effects]:
    """Nothing can be answered over a link that is gone. Answers on their way fail with the link itself."""
    frozen = tuple(Dialog(replace(dialog.info, answerable=False), dialog.answering) for dialog in dialogs.open)
    return replace(dialogs, open=frozen), tuple(Disarm(DialogWatchdog(dialog.info.id)) for dialog in dialogs.open)


def _close_orphans(dialogs: Dialogs, targets: Targets, now: float) -> tuple[Dialogs, Effects]:
    """A dialog ends with the page that shows it. (An OOPIF that goes away leaves its dialog open: measured.)"""
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.info.session_id not in targets.sessions:
            dialogs, more = _close(dialogs, dialog, now, accepted=False, user_input="")
            effects = (*effects, *more)
    return dialogs, effects


def _replace(dialogs: Dialogs, dialog: Dialog) -> Dialogs:
    changed = tuple(dialog if other.info.id == dialog.info.id else other for other in dialogs.open)
    return replace(dialogs, open=changed)
