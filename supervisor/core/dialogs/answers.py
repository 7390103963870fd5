"""Answers to dialogs: from the agent, a policy or the watchdog, until the browser has confirmed or refused them."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, CommandTimeout
from cdp_typed.protocol import page
from supervisor.core.state.dialogs import Answering, Closed, Dialog, Dialogs, close, put
from supervisor.core.vocabulary import bridge_protocol
from supervisor.core.vocabulary.chromium import NO_DIALOG_SHOWING, NOT_ACTIVE
from supervisor.core.vocabulary.command_tags import DialogAnswer
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send, Tell
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
"""How long the browser may take to confirm an answer; Chromium 156 does so at once, also on a frozen page."""

MAX_TRIES = 20
RETRY_S = 0.2
"""A page that is being replaced takes no answer, but the new document may already show a dialog: seen with inline
scripts. It takes milliseconds, or for ever."""

_TAKES_NONE = CommandError(-32602, NO_DIALOG_SHOWING, method=page.HandleJavaScriptDialog.METHOD, session=None)

STUCK = "its page is being left and does not come to its end; only closing the page helps"


def send_answer(dialogs: Dialogs, dialog: Dialog, answering: Answering) -> tuple[Dialogs, Effects]:
    """Answer a dialog, on the session that announced it."""
    info, text = dialog.info, answering.prompt_text
    if info.type == "prompt" and answering.accept and text is None:
        text = info.default_prompt  # measured: without a text Chromium would return "" rather than the default
    command: Command[None]
    if dialog.way is None:
        command = page.HandleJavaScriptDialog(accept=answering.accept, prompt_text=UNSET if text is None else text)
    else:
        command = bridge_protocol.answer(dialog.way.request_id, dialog.way.proof, answering.accept, text or "")
        answering = replace(answering, prompt_text=text)  # the browser will not tell
    dialogs = put(dialogs, replace(dialog, answering=answering))
    send = Send(command=command, session_id=info.session_id, tag=DialogAnswer(info.id), timeout_s=ANSWER_TIMEOUT_S)
    return dialogs, (send,)


def answer_for_agent(dialogs: Dialogs, asked: AnswerRequested) -> tuple[Dialogs, Effects]:
    """Send what a caller answers, or tell why it cannot be sent."""
    dialog = _choose(dialogs, asked.dialog_id)
    if isinstance(dialog, Exception):
        return dialogs, (Tell(asked.call_id, dialog),)
    if dialog.answering is not None:
        return dialogs, (Tell(asked.call_id, DialogBeingAnswered(dialog.info.id, dialog.answering.by)),)
    if not dialog.info.answerable:
        return dialogs, (Tell(asked.call_id, DialogUnanswerable(dialog.info)),)
    takes_text = dialog.info.type == "prompt" and asked.action == "accept"
    answering = Answering(
        by="agent",
        accept=asked.action == "accept",
        prompt_text=asked.prompt_text if takes_text else None,
        text_ignored=asked.prompt_text is not None and not takes_text,
        call_id=asked.call_id,
    )
    return send_answer(dialogs, dialog, answering)


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
    """The browser took our answer. Chromium announces the end first; a browser that does not is believed as well."""
    effects: Effects = ()
    dialog = dialogs.find(dialog_id)
    if dialog is not None and dialog.answering is not None:
        accepted, text = dialog.answering.accept, dialog.answering.prompt_text or ""
        dialogs, effects = close(dialogs, dialog, now, accepted=accepted, user_input=text)
    dialogs, closed = settle(dialogs, dialog_id)
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


def refuse(dialogs: Dialogs, dialog_id: str, error: Exception) -> tuple[Dialogs, Effects]:
    """Our answer failed: somebody else was first, the browser takes none, or the link failed us."""
    dialog = dialogs.find(dialog_id)
    if dialog is not None and dialog.answering is not None and _says(error, NOT_ACTIVE):
        answering = replace(dialog.answering, tries=dialog.answering.tries + 1)
        if answering.tries <= MAX_TRIES:
            return put(dialogs, replace(dialog, answering=answering)), (Arm(AnswerRetry(dialog_id), RETRY_S),)
    if dialog is not None:
        return _reopen(dialogs, dialog, error)
    dialogs, closed = settle(dialogs, dialog_id, closed_by_remote=True)
    if closed is None or closed.answering is None or closed.answering.call_id is None:
        return dialogs, ()
    return dialogs, (Tell(closed.answering.call_id, DialogAlreadyClosed(closed.record)),)


def supersede(dialogs: Dialogs, page_id: str) -> tuple[Dialogs, Effects]:
    """The browser gives every answer to the latest dialog of a page, those under way included: the earlier ones stay
    open and can get none."""
    effects: Effects = ()
    for dialog in dialogs.open:
        if dialog.info.target_id == page_id and dialog.info.answerable and dialog.way is None:
            dialogs, more = _reopen(dialogs, dialog, _TAKES_NONE)
            effects = (*effects, *more)
    return dialogs, effects


def retry(dialogs: Dialogs, dialog_id: str) -> tuple[Dialogs, Effects]:
    """Send an answer again."""
    dialog = dialogs.find(dialog_id)
    if dialog is None or dialog.answering is None or not dialog.info.answerable:
        return dialogs, ()
    return send_answer(dialogs, dialog, dialog.answering)


def _says(error: Exception, *texts: str) -> bool:
    return isinstance(error, CommandError) and error.message in texts


def _reopen(dialogs: Dialogs, dialog: Dialog, error: Exception) -> tuple[Dialogs, Effects]:
    info, answering = dialog.info, dialog.answering
    outcome, watched = error, info.answerable
    if isinstance(error, CommandTimeout):
        outcome = AnswerTimeout(info.id, error.timeout)
    elif _says(error, NO_DIALOG_SHOWING, NOT_ACTIVE):
        note = STUCK if _says(error, NOT_ACTIVE) else info.note
        info = replace(info, answerable=False, note=note)
        outcome, watched = DialogUnanswerable(info), True
    dialogs = put(dialogs, replace(dialog, info=info, answering=None))
    effects: Effects = (Arm(DialogWatchdog(info.id), dialogs.timeout_s),) if watched else ()
    if answering is not None and answering.tries > 1:
        effects = (Disarm(AnswerRetry(info.id)), *effects)
    if answering is not None and answering.call_id is not None:
        effects = (*effects, Tell(answering.call_id, outcome))
    return dialogs, effects


def settle(dialogs: Dialogs, dialog_id: str, *, closed_by_remote: bool = False) -> tuple[Dialogs, Closed | None]:
    """Make the provisional record of a dialog final; returns it as it was, with who closed it corrected."""
    found = next((closed for closed in dialogs.closed if closed.record.id == dialog_id), None)
    if found is None:
        return dialogs, None
    record = found.record
    if closed_by_remote and record.closed_by != "remote":
        record = replace(record, closed_by="remote", rule_id=None, note="")
    final = tuple(Closed(record) if closed is found else closed for closed in dialogs.closed)
    return replace(dialogs, closed=final), Closed(record, found.answering)
