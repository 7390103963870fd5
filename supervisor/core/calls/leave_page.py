"""Slice: reloads, navigates and closes pages for callers, whatever dialog or script blocks them.

Measured on Chromium 156: a navigation within one renderer process waits for the script that runs there. A script that
opens one dialog after the other keeps it waiting for ever, and the last of its dialogs takes no answer. So a page that
shows a dialog is navigated to `about:blank` first, which is another process.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost, TargetCrashed
from cdp_typed.protocol import inspector, page, target
from supervisor.core.dialogs.answers import send_answer
from supervisor.core.dialogs.before_close import dismiss as dismiss_unsafe
from supervisor.core.dialogs.before_close import go_to_blank, must_wait, stop_watching
from supervisor.core.state.calls import PageExit, PageExits
from supervisor.core.state.dialogs import Dialog, Dialogs, PendingAnswer
from supervisor.core.state.pages import BLANK
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NO_SUCH_TARGET, NOT_ACTIVE
from supervisor.core.vocabulary.command_tags import FrameTreeReply, LeaveReply
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Disarm, Effects, Forget, Send
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
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input, TimerFired
from supervisor.core.vocabulary.requests import ClosePage, LeaveRequested, NavigatePage, ReloadPage
from supervisor.core.vocabulary.timers import LeaveDeadline, LeaveRetry

NOTE = "its page was being left"
RETRY_S = 0.2
CLOSE_RETRY_S = 0.5
"""Measured on Chromium 156: a page that is replacing its document may stay open although `Target.closeTarget`
succeeded. A second command closes it."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Begin and end page exits; then send the commands that can be sent."""
    exits, effects = _reduce(world.page_exits, received, world, now)
    return replace(world, page_exits=exits), effects


def dismiss_in_the_way(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Dismiss the dialogs that keep a page from being left or closed."""
    dialogs, effects = dismiss_unsafe(world.dialogs, world.calls.ending | world.page_exits.closing)
    dialogs, more = _dismiss(world.page_exits, dialogs)
    return replace(world, dialogs=dialogs), (*effects, *more)


def go_to_blank_first(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Navigate pages to `about:blank` that wait to be closed and may show a dialog that is not known."""
    ending = (world.calls.ending | world.page_exits.closing) if world.connection.is_up else frozenset[str]()
    before_close, effects = go_to_blank(world.before_close, world.targets, ending)
    return replace(world, before_close=before_close), effects


def _reduce(exits: PageExits, received: Input, world: World, now: float) -> tuple[PageExits, Effects]:
    """Begin and end page exits; then send the commands that can be sent."""
    effects: Effects = ()
    match received:
        case LeaveRequested():
            exits, effects = _begin(exits, received, world, now)
        case CommandSucceeded(LeaveReply(call_id), result) if call_id in exits.pending:
            exits, effects = _on_reply(exits, exits.pending[call_id], result)
        case CommandFailed(LeaveReply(call_id), error) if call_id in exits.pending:
            exits, effects = _on_error(exits, exits.pending[call_id], error)
        case TimerFired(LeaveRetry(call_id)) if call_id in exits.pending:
            exits = _put(exits, replace(exits.pending[call_id], is_sent=False))
        case TimerFired(LeaveDeadline(call_id)) if call_id in exits.pending:
            page_exit = exits.pending[call_id]
            exits, effects = _end(exits, page_exit, _overdue(page_exit, world))
        case EventReceived(str() as session_id, page.FrameNavigated(frame=frame)):
            exits = _note_document(exits, session_id, frame, world)
        case CommandSucceeded(FrameTreeReply(session_id), page.GetFrameTreeResult(frame_tree=tree)):
            exits = _note_document(exits, session_id, tree.frame, world)
        case EventReceived(str() as session_id, inspector.TargetCrashed()):
            exits, effects = _on_crash(exits, session_id, world)
        case _:
            pass
    for page_exit in exits.pending.values():
        exits, more = _advance(exits, page_exit, world)
        effects = (*effects, *more)
    return exits, effects


def _dismiss(exits: PageExits, dialogs: Dialogs) -> tuple[Dialogs, Effects]:
    """Dismiss the dialogs that a page opens while it is being left. A `beforeunload` dialog is left to the caller,
    unless the page is to be closed."""
    effects: Effects = ()
    for page_exit in exits.pending.values():
        for dialog in () if page_exit.seen or page_exit.was_frozen else _new_dialogs(page_exit, dialogs):
            is_closing, asks = isinstance(page_exit.work, ClosePage), dialog.info.type == "beforeunload"
            if page_exit.is_sent and dialog.info.answerable and dialog.blocks and (is_closing or not asks):
                answer = PendingAnswer(by="auto_policy", accept=asks, note=NOTE)
                dialogs, more = send_answer(dialogs, dialog, answer)
                effects = (*effects, *more)
    return dialogs, effects


def _new_dialogs(page_exit: PageExit, dialogs: Dialogs) -> tuple[Dialog, ...]:
    return tuple(
        dialog
        for dialog in dialogs.open
        if dialog.info.target_id == page_exit.page_id and dialog.info.id not in page_exit.before
    )


def _begin(exits: PageExits, request: LeaveRequested, world: World, now: float) -> tuple[PageExits, Effects]:
    if not world.connection.is_alive:
        return exits, (CompleteCall(request.call_id, world.connection.end or NotRunning(world.connection.state)),)
    page_id = request.page_id if request.page_id is not None else world.targets.current
    if page_id is None:
        return exits, (CompleteCall(request.call_id, NoPage()),)
    session = world.targets.page(page_id)
    if session is None:
        return exits, (CompleteCall(request.call_id, UnknownPage(page_id)),)
    page_dialogs = [dialog for dialog in world.dialogs.open if dialog.info.target_id == page_id]
    shows_dialog = any(
        dialog.info.type != "beforeunload" for dialog in page_dialogs
    ) or world.dialogs.rate_limit.is_exceeded_by(page_id)
    page_exit = PageExit(
        call_id=request.call_id,
        page_id=page_id,
        work=_known_address(request.work, page_id, world) if shows_dialog else request.work,
        timeout_s=request.timeout_s,
        begun_at=now,
        before=frozenset(dialog.info.id for dialog in page_dialogs if dialog.ends_with_its_page),
        was_frozen=session.unresponsive,
        goes_by_blank=shows_dialog and not isinstance(request.work, ClosePage),
    )
    return _put(exits, page_exit), (Arm(LeaveDeadline(page_exit.call_id), page_exit.timeout_s),)


def _known_address(
    work: ReloadPage | NavigatePage | ClosePage, page_id: str, world: World
) -> ReloadPage | NavigatePage | ClosePage:
    """Turn a reload into a navigation to the same URL, for a page that goes to `about:blank` first."""
    top = world.frames.root(page_id)
    return NavigatePage(top.url) if isinstance(work, ReloadPage) and top is not None else work


def _advance(exits: PageExits, page_exit: PageExit, world: World) -> tuple[PageExits, Effects]:
    session = world.targets.page(page_exit.page_id)
    if session is None:
        gone = FrameGone(page_exit.page_id, maybe_executed=page_exit.is_sent, why="its page was closed")
        return _end(exits, page_exit, CommandResult(None) if isinstance(page_exit.work, ClosePage) else gone)
    if not world.connection.is_alive:
        return _end(exits, page_exit, world.connection.end or NotRunning(world.connection.state))
    if not world.connection.is_up or session.stale:  # the connection may come back in time
        return _end(exits, page_exit, CallLost(world.connection.reason)) if page_exit.is_sent else (exits, ())
    for dialog in _new_dialogs(page_exit, world.dialogs):
        is_there = page_exit.has_arrived or (page_exit.loader_id is None and bool(page_exit.seen))
        if is_there and not (page_exit.is_on_detour or page_exit.was_frozen) and dialog.info.type != "beforeunload":
            return _end(exits, page_exit, CommandResult(None))  # it belongs to the new document
        is_stuck = not (dialog.info.answerable or page_exit.is_on_detour)
        asks = dialog.info.type == "beforeunload" and not isinstance(page_exit.work, ClosePage)
        if dialog.blocks and (asks or is_stuck or page_exit.was_frozen):
            return _end(exits, page_exit, BlockedByDialog(dialog.info, maybe_executed=page_exit.is_sent))
    if page_exit.is_sent and isinstance(page_exit.work, NavigatePage | ReloadPage):
        return _arrive(exits, page_exit, world)
    pages = frozenset({page_exit.page_id})
    if page_exit.is_sent:
        return exits, ()
    before: Effects = ()
    if isinstance(page_exit.work, ClosePage):
        if must_wait(world.before_close, world.dialogs, world.targets, pages):
            return exits, ()
        before = stop_watching(world.before_close, world.dialogs, world.targets.listening, pages)
    top = world.frames.root(page_exit.page_id)
    sent = replace(page_exit, is_sent=True, left_loader_id=top.loader_id if top else "", seen=())
    return _put(exits, sent), (*before, _command(page_exit, session.session_id))


def _command(page_exit: PageExit, session_id: str) -> Send:
    tag = LeaveReply(page_exit.call_id)
    if page_exit.is_on_detour:
        return Send(command=page.Navigate(url=BLANK), session_id=session_id, tag=tag)
    if isinstance(page_exit.work, ClosePage):
        close = target.CloseTarget(target_id=target.TargetID(page_exit.page_id))
        return Send(command=close, session_id=None, tag=tag)
    reload_or_go = page.Reload() if isinstance(page_exit.work, ReloadPage) else page.Navigate(url=page_exit.work.url)
    return Send(command=reload_or_go, session_id=session_id, tag=tag)


def _on_reply(exits: PageExits, page_exit: PageExit, result: object) -> tuple[PageExits, Effects]:
    """Take the reply to the command."""
    match result:
        case page.NavigateResult(error_text=str() as text):
            url = page_exit.work.url if isinstance(page_exit.work, NavigatePage) else ""
            return _end(exits, page_exit, NavigationFailed(url, text))
        case page.NavigateResult(loader_id=None):  # within the same document
            return _end(exits, page_exit, CommandResult(None))
        case page.NavigateResult(loader_id=loader_id):
            return _put(exits, replace(page_exit, loader_id=loader_id, is_accepted=True)), ()
        case None:  # to `Page.reload`
            return _put(exits, replace(page_exit, is_accepted=True)), ()
        case target.CloseTargetResult():
            return _put(exits, replace(page_exit, retries=True)), (Arm(LeaveRetry(page_exit.call_id), CLOSE_RETRY_S),)
        case _:
            return exits, ()


def _on_error(exits: PageExits, page_exit: PageExit, error: Exception) -> tuple[PageExits, Effects]:
    if isinstance(error, CommandError) and error.message == NOT_ACTIVE:
        return _put(exits, replace(page_exit, retries=True)), (Arm(LeaveRetry(page_exit.call_id), RETRY_S),)
    if page_exit.retries and isinstance(error, CommandError) and error.message == NO_SUCH_TARGET:
        return exits, ()  # it was closed meanwhile; `Target.detachedFromTarget` follows
    return _end(exits, page_exit, CallLost(error.reason) if isinstance(error, ConnectionLost) else error)


def _on_crash(exits: PageExits, session_id: str, world: World) -> tuple[PageExits, Effects]:
    """End navigations that the crash has ended. Measured on Chromium 156: `Page.frameStoppedLoading` comes before it.

    One that leads to another process goes on, and so does one that the browser hears of after the crash.
    """
    effects: Effects = ()
    for page_exit in exits.pending.values():
        session, top = world.targets.page(page_exit.page_id), world.frames.root(page_exit.page_id)
        is_its_own = session is not None and session.session_id == session_id
        if is_its_own and page_exit.is_accepted and not (top is not None and top.is_loading):
            exits, more = _end(exits, page_exit, TargetCrashed(session_id))
            effects = (*effects, *more)
    return exits, effects


def _note_document(exits: PageExits, session_id: str, frame: page.Frame, world: World) -> PageExits:
    """Note a new top document."""
    session = world.targets.sessions.get(session_id)
    for page_exit in exits.pending.values():
        is_top = session is not None and session.target_id == page_exit.page_id and frame.parent_id is None
        if is_top and page_exit.is_sent and frame.loader_id != page_exit.left_loader_id:
            exits = _put(exits, replace(page_exit, seen=(*page_exit.seen, frame.loader_id)))
    return exits


def _arrive(exits: PageExits, page_exit: PageExit, world: World) -> tuple[PageExits, Effects]:
    """End when the new document is there and the page responds."""
    session = world.targets.page(page_exit.page_id)
    assert session is not None, "`_advance` has checked it"
    if not page_exit.has_arrived:
        return exits, ()
    if page_exit.is_on_detour and page_exit.page_id in world.detached_frame_dialogs.pages:
        return exits, ()  # while Page is disabled, the next document is not announced
    if page_exit.is_on_detour:
        again = replace(
            page_exit, is_at_blank=True, left_loader_id=page_exit.seen[-1], loader_id=None, seen=(), is_accepted=False
        )
        return _put(exits, again), (_command(again, session.session_id),)
    if not session.unresponsive:
        return _end(exits, page_exit, CommandResult(None))
    return exits, ()


def _overdue(page_exit: PageExit, world: World) -> CallTimeout:
    top = world.frames.root(page_exit.page_id)
    other_pages = (
        [dialog for dialog in world.blocking_dialogs(top) if dialog.info.target_id != page_exit.page_id] if top else []
    )
    if other_pages:
        info = other_pages[0].info
        why = f"dialog {info.id!r} of page {info.target_id!r} stops its process; answer that one first"
        return CallTimeout(page_exit.timeout_s, "unresponsive", why, maybe_executed=page_exit.is_sent)
    if isinstance(page_exit.work, ClosePage):
        why = f"page {page_exit.page_id!r} is still there"
    else:
        why = f"page {page_exit.page_id!r} shows no new document, or does not respond; close_page may help"
    return CallTimeout(page_exit.timeout_s, "unresponsive", why, maybe_executed=page_exit.is_sent)


def _put(exits: PageExits, page_exit: PageExit) -> PageExits:
    return PageExits({**exits.pending, page_exit.call_id: page_exit})


def _end(exits: PageExits, page_exit: PageExit, outcome: CommandResult | Exception) -> tuple[PageExits, Effects]:
    left = {key: other for key, other in exits.pending.items() if key != page_exit.call_id}
    forget: Effects = (Forget(LeaveReply(page_exit.call_id)),) if page_exit.is_sent else ()
    retry: Effects = (Disarm(LeaveRetry(page_exit.call_id)),) if page_exit.retries else ()
    return PageExits(left), (
        Disarm(LeaveDeadline(page_exit.call_id)),
        *retry,
        *forget,
        CompleteCall(page_exit.call_id, outcome),
    )
