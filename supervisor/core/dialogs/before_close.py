"""Slice: the safe order for commands that end pages: what an iframe shows comes first.

Measured on Chromium 156: the browser process dies when a page is closed while an iframe in it, of another process,
shows a dialog, and any client is told of dialogs there. A dialog that is known is dismissed first. One that opened
before we came is not known: as long as a session of the page has not answered, the page is first navigated to
`about:blank`, which ends every dialog safely.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, page, target
from supervisor.core.state.dialogs import Answering, BeforeClose, Dialog, Dialogs
from supervisor.core.state.frames import Frame, Frames
from supervisor.core.state.pages import BLANK, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NOT_ACTIVE
from supervisor.core.vocabulary.command_tags import LeftBeforeClose
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import Answered, Input, Refused, TimerFired
from supervisor.core.vocabulary.timers import LeaveBeforeCloseDeadline

from .answers import send_answer

NOTE = "its page was about to be closed"
LEAVE_WITHIN_S = 5.0
"""How long the way to `about:blank` may take. A script without end may hold it up."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the pages that are left before they are closed."""
    before_close, effects = _reduce(world.before_close, received, world.targets, world.frames)
    return replace(world, before_close=before_close), effects


def _reduce(before: BeforeClose, received: Input, targets: Targets, frames: Frames) -> tuple[BeforeClose, Effects]:
    """Follow the pages that are left. `targets` and `frames` are the slices after this input."""
    effects: Effects = ()
    match received:
        case Answered(LeftBeforeClose(page_id), page.NavigateResult(error_text=str())) | Refused(
            LeftBeforeClose(page_id)
        ) if page_id in before.leaving:
            before, effects = _give_up(before, page_id)
        case TimerFired(LeaveBeforeCloseDeadline(page_id)) if page_id in before.leaving:
            before, effects = _give_up(before, page_id)
        case _:
            pass
    over = frozenset(page_id for page_id in before.leaving if _is_left(page_id, targets, frames))
    stuck = frozenset(page_id for page_id in before.stuck if has_unanswered(targets, page_id))
    if over or stuck != before.stuck:
        before = BeforeClose(before.leaving - over, stuck)
    return before, (*effects, *(Disarm(LeaveBeforeCloseDeadline(page_id)) for page_id in sorted(over)))


def leave(before: BeforeClose, targets: Targets, ending: frozenset[str]) -> tuple[BeforeClose, Effects]:
    """Leave those of the pages that wait to be closed which may show a dialog that we do not know."""
    effects: Effects = ()
    for page_id in sorted(ending - before.leaving - before.stuck):
        session = targets.page(page_id)
        if session is not None and has_unanswered(targets, page_id):
            go = Send(command=page.Navigate(url=BLANK), session_id=session.session_id, tag=LeftBeforeClose(page_id))
            effects = (*effects, go, Arm(LeaveBeforeCloseDeadline(page_id), LEAVE_WITHIN_S))
            before = replace(before, leaving=before.leaving | {page_id})
    return before, effects


def lose(before: BeforeClose) -> tuple[BeforeClose, Effects]:
    """The connection is gone."""
    return BeforeClose(), tuple(Disarm(LeaveBeforeCloseDeadline(page_id)) for page_id in sorted(before.leaving))


def _give_up(before: BeforeClose, page_id: str) -> tuple[BeforeClose, Effects]:
    disarm = Disarm(LeaveBeforeCloseDeadline(page_id))
    return BeforeClose(before.leaving - {page_id}, before.stuck | {page_id}), (disarm,)


def _is_left(page_id: str, targets: Targets, frames: Frames) -> bool:
    """Whether `about:blank` is there, without the iframes of before; while it comes, the page refuses to be closed."""
    top = frames.root(page_id)
    return targets.page(page_id) is None or (
        top is not None and top.url == BLANK and not has_unanswered(targets, page_id)
    )


def has_unanswered(targets: Targets, page_id: str) -> bool:
    """Whether a session of the page has not answered since we attached to it."""
    return any(
        session.page_id == page_id and not (session.is_known or session.crashed or session.stale)
        for session in targets.sessions.values()
    )


def pages_ended_by(command: Command[Any], page_id: str, targets: Targets) -> frozenset[str]:
    """The target ids of the pages that a command sent to this page would close."""
    match command:
        case page.Close():
            return frozenset({page_id})
        case target.CloseTarget(target_id=target_id):
            return frozenset(one.page_id for one in targets.sessions.values() if one.target_id == target_id)
        case browser.Close():
            return frozenset(one.target_id for one in targets.pages())
        case target.DisposeBrowserContext(browser_context_id=context_id):
            return frozenset(one.target_id for one in targets.pages() if one.browser_context_id == context_id)
        case _:
            return frozenset()


def dangers(dialogs: Dialogs, pages: frozenset[str]) -> tuple[Dialog, ...]:
    """The open dialogs that must be out of the way before these pages are closed."""
    return tuple(dialog for dialog in dialogs.open if dialog.info.target_id in pages and dialog.is_in_iframe)


def must_wait(before: BeforeClose, dialogs: Dialogs, targets: Targets, pages: frozenset[str]) -> bool:
    """Whether one of the pages is to be left first, or a dialog of theirs to be dismissed."""
    if pages & before.leaving:
        return True
    if any(page_id not in before.stuck and has_unanswered(targets, page_id) for page_id in pages):
        return True
    if any(dialog.info.answerable for dialog in dangers(dialogs, pages)):
        return True
    # Measured on Chromium 156: of 60 `Page.close` that came between the end of a dialog and the reply to its answer, 6
    # were forgotten.
    return any(closed.answering is not None and closed.record.target_id in pages for closed in dialogs.closed)


def dismiss(dialogs: Dialogs, pages: frozenset[str]) -> tuple[Dialogs, Effects]:
    """Dismiss what must be out of the way and can be."""
    effects: Effects = ()
    for dialog in dangers(dialogs, pages):
        if dialog.info.answerable and dialog.answering is None:
            answering = Answering(by="auto_policy", accept=False, note=NOTE)
            dialogs, more = send_answer(dialogs, dialog, answering)
            effects = (*effects, *more)
    return dialogs, effects


def is_too_early(command: Command[Any], refusal: Exception, top: Frame | None) -> bool:
    """Whether a page that was left cannot be closed just yet.

    Measured on Chromium 156 on a busy machine: the process of `about:blank` tells of it before the browser has put it
    in place of the document before.
    """
    is_blank = top is not None and top.url == BLANK
    return (
        isinstance(command, page.Close)
        and isinstance(refusal, CommandError)
        and refusal.message == NOT_ACTIVE
        and is_blank
    )


def stop_watching(before: BeforeClose, dialogs: Dialogs, targets: Targets, pages: frozenset[str]) -> Effects:
    """Where a dialog takes no answer, or may be there unknown: have nobody of us told of its end."""
    endangered = {dialog.info.target_id for dialog in dangers(dialogs, pages)} | (before.stuck & pages)
    return tuple(
        Send(command=page.Disable(), session_id=session.session_id)
        for session in targets.pages()
        if session.target_id in endangered
    )
