"""Slice: pages that a caller leaves or closes, whatever dialog or script stands in the way.

Measured on Chromium 156: a navigation within one renderer process waits for the script that runs there. A script that
opens one dialog after the other never lets it come to its end, and the last of its dialogs takes no answer any more. So
a page that shows a dialog is left by way of `about:blank`, which is another process.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import page, target
from supervisor.core.dialogs.answers import send_answer
from supervisor.core.dialogs.before_close import dismiss as dismiss_dangers
from supervisor.core.dialogs.before_close import leave, must_wait, stop_watching
from supervisor.core.state.calls import Departure, Departures
from supervisor.core.state.dialogs import Answering, Dialog, Dialogs
from supervisor.core.state.pages import BLANK
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NO_SUCH_TARGET, NOT_ACTIVE
from supervisor.core.vocabulary.command_tags import LeaveReply, SeedTree
from supervisor.core.vocabulary.effects import Arm, CommandResult, Disarm, Effects, Forget, Send, Tell
from supervisor.core.vocabulary.errors import (
    BlockedByDialog,
    CallLost,
    CallTimeout,
    FrameGone,
    NavigationFailed,
    NoPage,
    NotRunning,
    UnknownPage,
)
from supervisor.core.vocabulary.inputs import Answered, EventReceived, Input, Refused, TimerFired
from supervisor.core.vocabulary.requests import ClosePage, LeaveRequested, NavigatePage, ReloadPage
from supervisor.core.vocabulary.timers import LeaveDeadline, LeaveRetry

NOTE = "its page was being left"
RETRY_S = 0.2
CLOSE_RETRY_S = 0.5
"""Measured on Chromium 156: it may forget to close a page that is just taking a new document in, having said that it
does. It closes it when asked again."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Take departures in and end them; then send whatever the changed world allows."""
    departures, effects = _reduce(world.departures, received, world)
    return replace(world, departures=departures), effects


def make_way(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Dismiss the dialogs that stand in the way of a page's end."""
    dialogs, effects = dismiss_dangers(world.dialogs, world.calls.ending | world.departures.closing)
    dialogs, more = _dismiss(world.departures, dialogs)
    return replace(world, dialogs=dialogs), (*effects, *more)


def leave_first(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Leave the pages that wait to be closed and may show a dialog that we do not know."""
    ending = (world.calls.ending | world.departures.closing) if world.link.is_up else frozenset[str]()
    before_close, effects = leave(world.before_close, world.targets, ending)
    return replace(world, before_close=before_close), effects


def _reduce(departures: Departures, received: Input, world: World) -> tuple[Departures, Effects]:
    """Take departures in and end them; then send whatever the changed world allows."""
    effects: Effects = ()
    match received:
        case LeaveRequested():
            departures, effects = _begin(departures, received, world)
        case Answered(LeaveReply(call_id), result) if call_id in departures.pending:
            departures, effects = _hear(departures, departures.pending[call_id], result)
        case Refused(LeaveReply(call_id), error) if call_id in departures.pending:
            departures, effects = _fail(departures, departures.pending[call_id], error)
        case TimerFired(LeaveRetry(call_id)) if call_id in departures.pending:
            departures = _put(departures, replace(departures.pending[call_id], is_sent=False))
        case TimerFired(LeaveDeadline(call_id)) if call_id in departures.pending:
            one = departures.pending[call_id]
            departures, effects = _end(departures, one, _overdue(one, world))
        case EventReceived(str() as session_id, page.FrameNavigated(frame=frame)):
            departures = _see(departures, session_id, frame, world)
        case Answered(SeedTree(session_id), page.GetFrameTreeResult(frame_tree=tree)):
            departures = _see(departures, session_id, tree.frame, world)
        case _:
            pass
    for one in departures.pending.values():
        departures, more = _advance(departures, one, world)
        effects = (*effects, *more)
    return departures, effects


def _dismiss(departures: Departures, dialogs: Dialogs) -> tuple[Dialogs, Effects]:
    """Dismiss what a page opens while it is being left. The question whether to leave it is the caller's, unless the
    page is to be closed."""
    effects: Effects = ()
    for one in departures.pending.values():
        for dialog in () if one.seen or one.was_frozen else _new_dialogs(one, dialogs):
            is_closing, asks = isinstance(one.work, ClosePage), dialog.info.type == "beforeunload"
            if one.is_sent and dialog.info.answerable and dialog.blocks and (is_closing or not asks):
                answering = Answering(by="auto_policy", accept=asks, note=NOTE)
                dialogs, more = send_answer(dialogs, dialog, answering)
                effects = (*effects, *more)
    return dialogs, effects


def _new_dialogs(one: Departure, dialogs: Dialogs) -> tuple[Dialog, ...]:
    return tuple(
        dialog for dialog in dialogs.open if dialog.info.target_id == one.page_id and dialog.info.id not in one.before
    )


def _begin(departures: Departures, asked: LeaveRequested, world: World) -> tuple[Departures, Effects]:
    if not world.link.is_alive:
        return departures, (Tell(asked.call_id, world.link.end or NotRunning(world.link.state)),)
    page_id = asked.page_id if asked.page_id is not None else world.targets.current
    if page_id is None:
        return departures, (Tell(asked.call_id, NoPage()),)
    session = world.targets.page(page_id)
    if session is None:
        return departures, (Tell(asked.call_id, UnknownPage(page_id)),)
    mine = [dialog for dialog in world.dialogs.open if dialog.info.target_id == page_id]
    shows_dialog = any(dialog.info.type != "beforeunload" for dialog in mine) or world.dialogs.storms.rages(page_id)
    one = Departure(
        call_id=asked.call_id,
        page_id=page_id,
        work=_known_address(asked.work, page_id, world) if shows_dialog else asked.work,
        timeout_s=asked.timeout_s,
        before=frozenset(dialog.info.id for dialog in mine if dialog.ends_with_its_page),
        was_frozen=session.unresponsive,
        goes_by_blank=shows_dialog and not isinstance(asked.work, ClosePage),
    )
    return _put(departures, one), (Arm(LeaveDeadline(one.call_id), one.timeout_s),)


def _known_address(
    work: ReloadPage | NavigatePage | ClosePage, page_id: str, world: World
) -> ReloadPage | NavigatePage | ClosePage:
    """What is left by way of another page is not reloaded but visited again."""
    top = world.frames.root(page_id)
    return NavigatePage(top.url) if isinstance(work, ReloadPage) and top is not None else work


def _advance(departures: Departures, one: Departure, world: World) -> tuple[Departures, Effects]:
    session = world.targets.page(one.page_id)
    if session is None:
        gone = FrameGone(one.page_id, maybe_executed=one.is_sent, why="its page was closed")
        return _end(departures, one, CommandResult(None) if isinstance(one.work, ClosePage) else gone)
    if not world.link.is_alive:
        return _end(departures, one, world.link.end or NotRunning(world.link.state))
    if not world.link.is_up or session.stale:  # the connection may come back in time
        return _end(departures, one, CallLost(world.link.reason)) if one.is_sent else (departures, ())
    for dialog in _new_dialogs(one, world.dialogs):
        is_there = one.has_come or (one.loader_id is None and bool(one.seen))
        if is_there and not (one.is_on_detour or one.was_frozen) and dialog.info.type != "beforeunload":
            return _end(departures, one, CommandResult(None))  # the new document is there, and shows it
        is_stuck = not (dialog.info.answerable or one.is_on_detour)
        asks = dialog.info.type == "beforeunload" and not isinstance(one.work, ClosePage)
        if dialog.blocks and (asks or is_stuck or one.was_frozen):
            return _end(departures, one, BlockedByDialog(dialog.info, maybe_executed=one.is_sent))
    if one.is_sent and isinstance(one.work, NavigatePage | ReloadPage):
        return _arrive(departures, one, world)
    pages = frozenset({one.page_id})
    if one.is_sent:
        return departures, ()
    before: Effects = ()
    if isinstance(one.work, ClosePage):
        if must_wait(world.before_close, world.dialogs, world.targets, pages):
            return departures, ()
        before = stop_watching(world.before_close, world.dialogs, world.targets.listening, pages)
    top = world.frames.root(one.page_id)
    sent = replace(one, is_sent=True, left_loader_id=top.loader_id if top else "", seen=())
    return _put(departures, sent), (*before, _command(one, session.session_id))


def _command(one: Departure, session_id: str) -> Send:
    tag = LeaveReply(one.call_id)
    if one.is_on_detour:
        return Send(command=page.Navigate(url=BLANK), session_id=session_id, tag=tag)
    if isinstance(one.work, ClosePage):
        close = target.CloseTarget(target_id=target.TargetID(one.page_id))
        return Send(command=close, session_id=None, tag=tag)
    reload_or_go = page.Reload() if isinstance(one.work, ReloadPage) else page.Navigate(url=one.work.url)
    return Send(command=reload_or_go, session_id=session_id, tag=tag)


def _hear(departures: Departures, one: Departure, result: object) -> tuple[Departures, Effects]:
    """The browser has taken the command."""
    match result:
        case page.NavigateResult(error_text=str() as text):
            return _end(departures, one, NavigationFailed(text))
        case page.NavigateResult(loader_id=None):  # within the same document
            return _end(departures, one, CommandResult(None))
        case page.NavigateResult(loader_id=loader_id):
            return _put(departures, replace(one, loader_id=loader_id)), ()
        case target.CloseTargetResult():
            return _put(departures, replace(one, retries=True)), (Arm(LeaveRetry(one.call_id), CLOSE_RETRY_S),)
        case _:
            return departures, ()


def _fail(departures: Departures, one: Departure, error: Exception) -> tuple[Departures, Effects]:
    if isinstance(error, CommandError) and error.message == NOT_ACTIVE:
        return _put(departures, replace(one, retries=True)), (Arm(LeaveRetry(one.call_id), RETRY_S),)
    if one.retries and isinstance(error, CommandError) and error.message == NO_SUCH_TARGET:
        return departures, ()  # it was closed meanwhile; the end of its session is on its way
    return _end(departures, one, CallLost(error.reason) if isinstance(error, ConnectionLost) else error)


def _see(departures: Departures, session_id: str, frame: page.Frame, world: World) -> Departures:
    """A page shows a document."""
    session = world.targets.sessions.get(session_id)
    for one in departures.pending.values():
        is_top = session is not None and session.target_id == one.page_id and frame.parent_id is None
        if is_top and one.is_sent and frame.loader_id != one.left_loader_id:
            departures = _put(departures, replace(one, seen=(*one.seen, frame.loader_id)))
    return departures


def _arrive(departures: Departures, one: Departure, world: World) -> tuple[Departures, Effects]:
    """End when the new document is there, and the page answers."""
    session = world.targets.page(one.page_id)
    assert session is not None, "its caller has looked"
    if not one.has_come:
        return departures, ()
    if one.is_on_detour and one.page_id in world.rescues.pages:
        return departures, ()  # until it is watched again, nobody would tell of the next document
    if one.is_on_detour:
        again = replace(one, is_at_blank=True, left_loader_id=one.seen[-1], loader_id=None, seen=())
        return _put(departures, again), (_command(again, session.session_id),)
    if not session.unresponsive:
        return _end(departures, one, CommandResult(None))
    return departures, ()


def _overdue(one: Departure, world: World) -> CallTimeout:
    top = world.frames.root(one.page_id)
    others = [dialog for dialog in world.blocking_dialogs(top) if dialog.info.target_id != one.page_id] if top else []
    if others:
        info = others[0].info
        why = f"dialog {info.id!r} of page {info.target_id!r} stops its process; answer that one first"
        return CallTimeout(one.timeout_s, "unresponsive", why, maybe_executed=one.is_sent)
    if isinstance(one.work, ClosePage):
        why = f"page {one.page_id!r} is still there"
    else:
        why = f"page {one.page_id!r} shows no new document, or does not respond; close_page may help"
    return CallTimeout(one.timeout_s, "unresponsive", why, maybe_executed=one.is_sent)


def _put(departures: Departures, one: Departure) -> Departures:
    return Departures({**departures.pending, one.call_id: one})


def _end(departures: Departures, one: Departure, outcome: CommandResult | Exception) -> tuple[Departures, Effects]:
    left = {key: other for key, other in departures.pending.items() if key != one.call_id}
    forget: Effects = (Forget(LeaveReply(one.call_id)),) if one.is_sent else ()
    retry: Effects = (Disarm(LeaveRetry(one.call_id)),) if one.retries else ()
    return Departures(left), (Disarm(LeaveDeadline(one.call_id)), *retry, *forget, Tell(one.call_id, outcome))
