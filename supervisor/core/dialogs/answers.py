"""Sends answers to dialogs, for an agent, a policy or the watchdog, and takes the browser's confirmation or refusal."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, CommandTimeout
from cdp_typed.protocol import page
from supervisor.core.state.dialogs import Closed, Dialog, Dialogs, PendingAnswer, close, put
from supervisor.core.vocabulary import bridge_protocol
from supervisor.core.vocabulary.chromium import NO_DIALOG_SHOWING, NOT_ACTIVE
from supervisor.core.vocabulary.command_tags import DialogAnswer
from supervisor.core.vocabulary.effects import Arm, CompleteCall, Disarm, Effects, Send
from supervisor.core.vocabulary.errors import (
    AmbiguousDialog,
    AnswerTimeout,
    DialogAlreadyClosed,
    DialogBeingAnswered,
    DialogUnanswerable,
    NoDialogOpen,
    UnknownDialog,
)
from supervisor.core.vocabulary.requests import AnswerRequested
from supervisor.core.vocabulary.timers import AnswerRetry, DialogWatchdog
from supervisor.core.vocabulary.values import DialogReceipt

ANSWER_TIMEOUT_S = 5.0
"""The timeout of an answer; Chromium 156 confirms it at once, also on a page that a dialog stops."""

MAX_TRIES = 20
RETRY_S = 0.2
"""A page whose document is being replaced takes no answer, although the new document may already show a dialog: seen
with inline scripts. The replacement takes milliseconds, or for ever."""

_TAKES_NONE = CommandError(-32602, NO_DIALOG_SHOWING, method=page.HandleJavaScriptDialog.METHOD, session=None)

STUCK = "its page is being left and does not come to its end; only closing the page helps"


def send_answer(dialogs: Dialogs, dialog: Dialog, answer: PendingAnswer) -> tuple[Dialogs, Effects]:
    """Answer a dialog, on the session that announced it."""
    info, text = dialog.info, answer.prompt_text
    if info.type == "prompt" and answer.accept and text is None:
        text = info.default_prompt  # measured: without a text Chromium would return "" rather than the default
    command: Command[None]
    if dialog.held_request is None:
        command = page.HandleJavaScriptDialog(accept=answer.accept, prompt_text=text)
    else:
        command = bridge_protocol.answer(
            dialog.held_request.request_id, dialog.held_request.proof, answer.accept, text or ""
        )
        answer = replace(answer, prompt_text=text)  # no event of the browser will contain it
    dialogs = put(dialogs, replace(dialog, pending_answer=answer))
    send = Send(command=command, session_id=info.session_id, tag=DialogAnswer(info.id), timeout_s=ANSWER_TIMEOUT_S)
    return dialogs, (send,)


def answer_for_agent(dialogs: Dialogs, request: AnswerRequested) -> tuple[Dialogs, Effects]:
    """Send a caller's answer, or complete the call with the reason why it cannot be sent."""
    dialog = _choose(dialogs, request.dialog_id)
    if isinstance(dialog, Exception):
        return dialogs, (CompleteCall(request.call_id, dialog),)
    if dialog.pending_answer is not None:
        return dialogs, (CompleteCall(request.call_id, DialogBeingAnswered(dialog.info.id, dialog.pending_answer.by)),)
    if not dialog.info.answerable:
        return dialogs, (CompleteCall(request.call_id, DialogUnanswerable(dialog.info)),)
    takes_text = dialog.info.type == "prompt" and request.action == "accept"
    answer = PendingAnswer(
        by=request.by,
        accept=request.action == "accept",
        prompt_text=request.prompt_text if takes_text else None,
        text_ignored=request.prompt_text is not None and not takes_text,
        call_id=request.call_id,
    )
    return send_answer(dialogs, dialog, answer)


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


def confirm(dialogs: Dialogs, dialog_id: str, now: float) -> tuple[Dialogs, Effects]:
    """Close a dialog whose answer succeeded. Chromium announces the end before the reply; other browsers may not."""
    effects: Effects = ()
    dialog = dialogs.find(dialog_id)
    if dialog is not None and dialog.pending_answer is not None:
        accepted, text = dialog.pending_answer.accept, dialog.pending_answer.prompt_text or ""
        dialogs, effects = close(dialogs, dialog, now, accepted=accepted, user_input=text)
    dialogs, closed = settle(dialogs, dialog_id)
    if closed is None or closed.pending_answer is None or closed.pending_answer.call_id is None:
        return dialogs, effects
    record = closed.record
    receipt = DialogReceipt(
        dialog_id=record.id,
        accepted=record.accepted,
        closed_by=record.closed_by,
        user_input=record.user_input,
        prompt_text_ignored=closed.pending_answer.text_ignored,
    )
    return dialogs, (*effects, CompleteCall(closed.pending_answer.call_id, receipt))


def refuse(dialogs: Dialogs, dialog_id: str, error: Exception) -> tuple[Dialogs, Effects]:
    """Handle a failed answer: the dialog was closed by another client, takes no answer, or the connection ended."""
    dialog = dialogs.find(dialog_id)
    if dialog is not None and dialog.pending_answer is not None and _says(error, NOT_ACTIVE):
        answer = replace(dialog.pending_answer, tries=dialog.pending_answer.tries + 1)
        if answer.tries <= MAX_TRIES:
            return put(dialogs, replace(dialog, pending_answer=answer)), (Arm(AnswerRetry(dialog_id), RETRY_S),)
    if dialog is not None:
        return _reopen(dialogs, dialog, error)
    dialogs, closed = settle(dialogs, dialog_id, closed_by_remote=True)
    if closed is None or closed.pending_answer is None or closed.pending_answer.call_id is None:
        return dialogs, ()
    return dialogs, (CompleteCall(closed.pending_answer.call_id, DialogAlreadyClosed(closed.record)),)


def supersede(dialogs: Dialogs, page_id: str) -> tuple[Dialogs, Effects]:
    """Mark the earlier dialogs of a page unanswerable: the browser gives all answers, also pending ones, to the latest
    dialog, and the earlier ones stay open."""
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.info.target_id == page_id and dialog.info.answerable and dialog.held_request is None:
            dialogs, more = _reopen(dialogs, dialog, _TAKES_NONE)
            effects = (*effects, *more)
    return dialogs, effects


def retry(dialogs: Dialogs, dialog_id: str) -> tuple[Dialogs, Effects]:
    """Send an answer again."""
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.pending_answer is None or not dialog.info.answerable:
        return dialogs, ()
    return send_answer(dialogs, dialog, dialog.pending_answer)


def _says(error: Exception, *texts: str) -> bool:
    return isinstance(error, CommandError) and error.message in texts


def _reopen(dialogs: Dialogs, dialog: Dialog, error: Exception) -> tuple[Dialogs, Effects]:
    info, answer = dialog.info, dialog.pending_answer
    outcome, watched = error, info.answerable
    if isinstance(error, CommandTimeout):
        outcome = AnswerTimeout(info.id, error.timeout)
    elif _says(error, NO_DIALOG_SHOWING, NOT_ACTIVE):
        note = STUCK if _says(error, NOT_ACTIVE) else info.note
        info = replace(info, answerable=False, note=note)
        outcome, watched = DialogUnanswerable(info), True
    dialogs = put(dialogs, replace(dialog, info=info, pending_answer=None))
    effects: Effects = (Arm(DialogWatchdog(info.id), dialogs.timeout_s),) if watched else ()
    if answer is not None and answer.tries > 1:
        effects = (Disarm(AnswerRetry(info.id)), *effects)
    if answer is not None and answer.call_id is not None:
        effects = (*effects, CompleteCall(answer.call_id, outcome))
    return dialogs, effects


def settle(dialogs: Dialogs, dialog_id: str, *, closed_by_remote: bool = False) -> tuple[Dialogs, Closed | None]:
    """Make the record of a closed dialog final, and return it with its pending answer."""
    provisional = next((closed for closed in dialogs.closed if closed.record.id == dialog_id), None)
    if provisional is None:
        return dialogs, None
    record = provisional.record
    if closed_by_remote and record.closed_by != "remote":
        record = replace(record, closed_by="remote", rule_id=None, note="")
    final = tuple(Closed(record) if closed is provisional else closed for closed in dialogs.closed)
    return replace(dialogs, closed=final), Closed(record, provisional.pending_answer)
