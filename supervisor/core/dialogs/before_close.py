"""Slice: works around a Chromium 156 crash: dismisses the dialogs of iframes before their page is closed.

Measured on Chromium 156: the browser process crashes when a page is closed while an out-of-process iframe in it shows a
dialog and any client has Page enabled there. A known dialog is dismissed first. A dialog from before the attachment is
not known: while a session of the page has not answered, the page is navigated to `about:blank` first, which ends every
dialog safely.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, page, target
from supervisor.core.state.dialogs import BeforeClose, Dialog, Dialogs, PendingAnswer
from supervisor.core.state.frames import Frame, Frames
from supervisor.core.state.pages import BLANK, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NOT_ACTIVE
from supervisor.core.vocabulary.command_tags import BlankBeforeClose
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, Input, TimerFired
from supervisor.core.vocabulary.timers import BlankBeforeCloseDeadline

from .answers import send_answer

NOTE = "its page was about to be closed"
BLANK_WITHIN_S = 5.0
"""The deadline for `about:blank`. An endless script may delay it."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the pages that are navigated to `about:blank` before they are closed."""
    before_close, effects = _reduce(world.before_close, received, world.targets, world.frames)
    return replace(world, before_close=before_close), effects


def _reduce(before: BeforeClose, received: Input, targets: Targets, frames: Frames) -> tuple[BeforeClose, Effects]:
    """Follow the pages that are navigated. `targets` and `frames` are the slices after this input."""
    effects: Effects = ()
    match received:
        case CommandSucceeded(BlankBeforeClose(page_id), page.NavigateResult(error_text=str())) | CommandFailed(
            BlankBeforeClose(page_id)
        ) if page_id in before.going_to_blank:
            before, effects = _give_up(before, page_id)
        case TimerFired(BlankBeforeCloseDeadline(page_id)) if page_id in before.going_to_blank:
            before, effects = _give_up(before, page_id)
        case _:
            pass
    over = frozenset(page_id for page_id in before.going_to_blank if _is_at_blank(page_id, targets, frames))
    stuck = frozenset(page_id for page_id in before.stuck if has_silent_session(targets, page_id))
    if over or stuck != before.stuck:
        before = BeforeClose(before.going_to_blank - over, stuck)
    return before, (*effects, *(Disarm(BlankBeforeCloseDeadline(page_id)) for page_id in sorted(over)))


def go_to_blank(before: BeforeClose, targets: Targets, ending: frozenset[str]) -> tuple[BeforeClose, Effects]:
    """Navigate pages to `about:blank` that wait to be closed and may show a dialog that is not known."""
    effects: Effects = ()
    for page_id in sorted(ending - before.going_to_blank - before.stuck):
        session = targets.page(page_id)
        if session is not None and has_silent_session(targets, page_id):
            go = Send(command=page.Navigate(url=BLANK), session_id=session.session_id, tag=BlankBeforeClose(page_id))
            effects = (*effects, go, Arm(BlankBeforeCloseDeadline(page_id), BLANK_WITHIN_S))
            before = replace(before, going_to_blank=before.going_to_blank | {page_id})
    return before, effects


def on_disconnected(before: BeforeClose) -> tuple[BeforeClose, Effects]:
    """Forget the pages: the connection has ended."""
    return BeforeClose(), tuple(Disarm(BlankBeforeCloseDeadline(page_id)) for page_id in sorted(before.going_to_blank))


def _give_up(before: BeforeClose, page_id: str) -> tuple[BeforeClose, Effects]:
    disarm = Disarm(BlankBeforeCloseDeadline(page_id))
    return BeforeClose(before.going_to_blank - {page_id}, before.stuck | {page_id}), (disarm,)


def _is_at_blank(page_id: str, targets: Targets, frames: Frames) -> bool:
    """Return True when `about:blank` has replaced the document and its iframes; before, the page cannot be closed."""
    top = frames.root(page_id)
    return targets.page(page_id) is None or (
        top is not None and top.url == BLANK and not has_silent_session(targets, page_id)
    )


def has_silent_session(targets: Targets, page_id: str) -> bool:
    """Return True while a session of the page has not answered its set-up."""
    return any(
        session.page_id == page_id and not (session.is_known or session.crashed or session.stale)
        for session in targets.sessions.values()
    )


def pages_ended_by(command: Command[Any], page_id: str, targets: Targets) -> frozenset[str]:
    """Return the target ids of the pages that a command sent to this page would close."""
    match command:
        case page.Close():
            return frozenset({page_id})
        case target.CloseTarget(target_id=target_id):
            return frozenset(session.page_id for session in targets.sessions.values() if session.target_id == target_id)
        case browser.Close():
            return frozenset(session.target_id for session in targets.pages())
        case target.DisposeBrowserContext(browser_context_id=context_id):
            return frozenset(
                session.target_id for session in targets.pages() if session.browser_context_id == context_id
            )
        case _:
            return frozenset()


def unsafe_dialogs(dialogs: Dialogs, pages: frozenset[str]) -> tuple[Dialog, ...]:
    """Return the open dialogs that must end before these pages are closed."""
    return tuple(dialog for dialog in dialogs.open if dialog.info.target_id in pages and dialog.is_in_iframe)


def must_wait(before: BeforeClose, dialogs: Dialogs, targets: Targets, pages: frozenset[str]) -> bool:
    """Return True while a page has to be navigated, or a dialog of it dismissed, before the pages are closed."""
    if not pages:
        return False
    if pages & before.going_to_blank:
        return True
    if any(page_id not in before.stuck and has_silent_session(targets, page_id) for page_id in pages):
        return True
    if any(dialog.info.answerable for dialog in unsafe_dialogs(dialogs, pages)):
        return True
    # Measured on Chromium 156: of 60 `Page.close` between the end of a dialog and the reply to its answer, 6 had no
    # effect.
    return any(closed.pending_answer is not None and closed.record.target_id in pages for closed in dialogs.closed)


def dismiss(dialogs: Dialogs, pages: frozenset[str]) -> tuple[Dialogs, Effects]:
    """Dismiss the unsafe dialogs that take an answer."""
    effects: Effects = ()
    for dialog in unsafe_dialogs(dialogs, pages):
        if dialog.info.answerable and dialog.pending_answer is None:
            answer = PendingAnswer(by="auto_policy", accept=False, note=NOTE)
            dialogs, more = send_answer(dialogs, dialog, answer)
            effects = (*effects, *more)
    return dialogs, effects


def is_too_early(command: Command[Any], refusal: Exception, top: Frame | None) -> bool:
    """Return True for a refused `Page.close` that has to be repeated.

    Measured on Chromium 156 on a busy machine: `Page.frameNavigated` of `about:blank` may come before the browser
    process has replaced the document.
    """
    is_blank = top is not None and top.url == BLANK
    return (
        isinstance(command, page.Close)
        and isinstance(refusal, CommandError)
        and refusal.message == NOT_ACTIVE
        and is_blank
    )


def stop_watching(before: BeforeClose, dialogs: Dialogs, targets: Targets, pages: frozenset[str]) -> Effects:
    """Return `Page.disable` for pages whose dialog takes no answer, or may be there without being known."""
    if not pages:
        return ()
    endangered = {dialog.info.target_id for dialog in unsafe_dialogs(dialogs, pages)} | (before.stuck & pages)
    return tuple(
        Send(command=page.Disable(), session_id=session.session_id)
        for session in targets.pages()
        if session.target_id in endangered
    )
