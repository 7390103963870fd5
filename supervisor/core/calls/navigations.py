"""Slice: reloads, navigates and closes pages for callers, whatever dialog or script blocks them.

Measured on Chromium 156: a navigation within one renderer process waits for the script that runs there. A script that
opens one dialog after the other keeps it waiting for ever, and the last of its dialogs takes no answer. So a page that
shows a dialog is navigated to `about:blank` first, which is another process; a print preview is closed before that.
"""

from __future__ import annotations

from string import punctuation
from urllib.parse import quote

from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost, TargetCrashed
from cdp_typed.protocol import inspector, network, page, runtime, target
from supervisor.core.dialogs.answers import send_answer
from supervisor.core.dialogs.before_close import dismiss as dismiss_unsafe
from supervisor.core.dialogs.before_close import go_to_blank, must_wait, stop_watching
from supervisor.core.state.calls import PageNavigation, PageNavigations
from supervisor.core.state.dialogs import Dialog, Dialogs, PendingAnswer
from supervisor.core.state.pages import BLANK
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import (
    ABORTED,
    CLOSE_PRINT_PREVIEW,
    NO_REQUEST_SENT,
    NO_SUCH_TARGET,
    NOT_ACTIVE,
    RELOAD_DISCARDED,
)
from supervisor.core.vocabulary.command_tags import FrameTreeReply, NavigationReply
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Disarm, Effects, Forget, Send
from supervisor.core.vocabulary.errors import (
    BlockedByDialog,
    CallLost,
    CallTimeout,
    FrameGone,
    LoginRequired,
    NavigationFailed,
    NoPage,
    NotRunning,
    UnknownPage,
)
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input, TimerFired
from supervisor.core.vocabulary.requests import ClosePage, NavigatePage, NavigationRequested, ReloadPage
from supervisor.core.vocabulary.timers import NavigationDeadline, NavigationRetry
from supervisor.core.vocabulary.values import Blocker

NOTE = "a caller navigates or closes its page"
RETRY_S = 0.2
CLOSE_RETRY_S = 0.5
"""Measured on Chromium 156: a page that is replacing its document may stay open although `Target.closeTarget`
succeeded. A second command closes it."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Begin and end navigations, reloads and closes; then send the commands that can be sent."""
    navigations, effects = _reduce(world.navigations, received, world, now)
    return replace(world, navigations=navigations), effects


def dismiss_in_the_way(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Dismiss the dialogs that keep a page from being navigated or closed."""
    dialogs, effects = dismiss_unsafe(world.dialogs, world.calls.closing | world.navigations.closing)
    dialogs, more = _dismiss(world.navigations, dialogs)
    return replace(world, dialogs=dialogs), (*effects, *more)


def go_to_blank_first(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Navigate pages to `about:blank` that wait to be closed and may show a dialog that is not known."""
    ending = (world.calls.closing | world.navigations.closing) if world.connection.is_up else frozenset[str]()
    before_close, effects = go_to_blank(world.before_close, world.targets, ending)
    return replace(world, before_close=before_close), effects


def _reduce(navigations: PageNavigations, received: Input, world: World, now: float) -> tuple[PageNavigations, Effects]:
    """Begin and end navigations, reloads and closes; then send the commands that can be sent."""
    effects: Effects = ()
    match received:
        case NavigationRequested():
            navigations, effects = _begin(navigations, received, world, now)
        case CommandSucceeded(NavigationReply(call_id), result) if call_id in navigations.pending:
            navigations, effects = _on_reply(navigations, navigations.pending[call_id], result)
        case CommandFailed(NavigationReply(call_id), error) if call_id in navigations.pending:
            navigations, effects = _on_error(navigations, navigations.pending[call_id], error)
        case TimerFired(NavigationRetry(call_id)) if call_id in navigations.pending:
            navigations = _put(navigations, replace(navigations.pending[call_id], is_sent=False))
        case TimerFired(NavigationDeadline(call_id)) if call_id in navigations.pending:
            navigation = navigations.pending[call_id]
            overdue = _outcome(navigation) if navigation.error_text is not None else _overdue(navigation, world)
            navigations, effects = _end(navigations, navigation, overdue)
        case EventReceived(str(), page.FrameStartedNavigating() as event):
            navigations = _note_start(navigations, event, world)
        case EventReceived(str() as session_id, page.FrameNavigated(frame=frame)):
            navigations = _note_document(navigations, session_id, frame, world)
        case CommandSucceeded(FrameTreeReply(session_id), page.GetFrameTreeResult(frame_tree=tree)):
            navigations = _note_document(navigations, session_id, tree.frame, world)
        case EventReceived(str() as session_id, inspector.TargetCrashed()):
            navigations, effects = _on_crash(navigations, session_id, world)
        case _:
            pass
    # A change of dialogs, frames or the connection may let any of them go on, whatever the input was about.
    for navigation in navigations.pending.values():
        navigations, more = _advance(navigations, navigation, world)
        effects = (*effects, *more)
    return navigations, effects


def _dismiss(navigations: PageNavigations, dialogs: Dialogs) -> tuple[Dialogs, Effects]:
    """Dismiss the dialogs that a page opens while a caller navigates or closes it. A `beforeunload` dialog is left to
    the caller, unless the page is to be closed."""
    effects: Effects = ()
    for navigation in navigations.pending.values():
        for dialog in () if navigation.new_loader_ids or navigation.was_frozen else _new_dialogs(navigation, dialogs):
            is_closing, asks = isinstance(navigation.work, ClosePage), dialog.info.type == "beforeunload"
            if navigation.is_sent and dialog.info.answerable and dialog.blocks and (is_closing or not asks):
                answer = PendingAnswer(by="auto_policy", accept=asks, note=NOTE)
                dialogs, more = send_answer(dialogs, dialog, answer)
                effects = (*effects, *more)
    return dialogs, effects


def _new_dialogs(navigation: PageNavigation, dialogs: Dialogs) -> tuple[Dialog, ...]:
    return tuple(
        dialog
        for dialog in dialogs.open
        if dialog.info.target_id == navigation.page_id and dialog.info.id not in navigation.before
    )


def _begin(
    navigations: PageNavigations, request: NavigationRequested, world: World, now: float
) -> tuple[PageNavigations, Effects]:
    if not world.connection.is_alive:
        return navigations, (CompleteCall(request.call_id, world.connection.end or NotRunning(world.connection.state)),)
    page_id = request.page_id if request.page_id is not None else world.targets.current
    if page_id is None:
        return navigations, (CompleteCall(request.call_id, NoPage()),)
    session = world.targets.page(page_id)
    if session is None:
        return navigations, (CompleteCall(request.call_id, UnknownPage(page_id)),)
    page_dialogs = [dialog for dialog in world.dialogs.open if dialog.info.target_id == page_id]
    # In a dialog storm a page may show none at this moment: the last one was dismissed, and the next one opens soon.
    shows_dialog = any(
        dialog.info.type != "beforeunload" for dialog in page_dialogs
    ) or world.dialogs.rate_limit.is_exceeded_by(page_id)
    must_detour = shows_dialog or world.blockers.print_preview(page_id) is not None
    ended, login = [dialog.info.id for dialog in page_dialogs if dialog.ends_with_its_page], _login(page_id, world)
    navigation = PageNavigation(
        call_id=request.call_id,
        page_id=page_id,
        work=_known_address(request.work, page_id, world) if must_detour else request.work,
        timeout_s=request.timeout_s,
        begun_at=now,
        before=frozenset((*ended, *([login.id] if login else []))),
        was_frozen=session.unresponsive,
        goes_by_blank=must_detour and not isinstance(request.work, ClosePage),
    )
    return _put(navigations, navigation), (Arm(NavigationDeadline(navigation.call_id), navigation.timeout_s),)


def _login(page_id: str, world: World) -> Blocker | None:
    top = world.frames.root(page_id)
    return world.blockers.login(top.frame_id) if top else None


def _known_address(
    work: ReloadPage | NavigatePage | ClosePage, page_id: str, world: World
) -> ReloadPage | NavigatePage | ClosePage:
    """Turn a reload into a navigation to the same URL, for a page that goes to `about:blank` first."""
    top = world.frames.root(page_id)
    return NavigatePage(top.url) if isinstance(work, ReloadPage) and top is not None else work


def _advance(navigations: PageNavigations, navigation: PageNavigation, world: World) -> tuple[PageNavigations, Effects]:
    session = world.targets.page(navigation.page_id)
    if session is None:
        gone = FrameGone(navigation.page_id, maybe_executed=navigation.is_sent, why="its page was closed")
        return _end(navigations, navigation, CommandResult(None) if isinstance(navigation.work, ClosePage) else gone)
    if not world.connection.is_alive:
        return _end(navigations, navigation, world.connection.end or NotRunning(world.connection.state))
    if not world.connection.is_up or session.stale:  # the connection may come back in time
        return (
            _end(navigations, navigation, CallLost(world.connection.reason))
            if navigation.is_sent
            else (navigations, ())
        )
    for dialog in _new_dialogs(navigation, world.dialogs):
        # A document that opens a dialog at once holds back the reply with the loader id: any new document counts then.
        is_there = navigation.has_arrived or (navigation.loader_id is None and bool(navigation.new_loader_ids))
        if is_there and not (navigation.is_on_detour or navigation.was_frozen) and dialog.info.type != "beforeunload":
            return _end(navigations, navigation, CommandResult(None))  # it belongs to the new document
        is_stuck = not (dialog.info.answerable or navigation.is_on_detour)
        asks = dialog.info.type == "beforeunload" and not isinstance(navigation.work, ClosePage)
        if dialog.blocks and (asks or is_stuck or navigation.was_frozen):
            return _end(navigations, navigation, BlockedByDialog(dialog.info, maybe_executed=navigation.is_sent))
    if navigation.is_sent and isinstance(navigation.work, NavigatePage | ReloadPage):
        login = _login(navigation.page_id, world)
        if login is not None and login.id not in navigation.before:
            return _end(navigations, navigation, LoginRequired(login, maybe_executed=True))
        return _arrive(navigations, navigation, world)
    pages = frozenset({navigation.page_id})
    if navigation.is_sent:
        return navigations, ()
    before: Effects = ()
    if not isinstance(navigation.work, ClosePage):
        preview = world.blockers.print_preview(navigation.page_id)
        if preview is not None:
            return _close_preview(navigations, navigation, preview)
    else:
        if must_wait(world.before_close, world.dialogs, world.targets, pages):
            return navigations, ()
        # Measured: Chromium 156 crashes when a page is closed with Page enabled while an OOPIF shows a dialog.
        before = stop_watching(world.before_close, world.dialogs, world.targets.listening, pages)
    top = world.frames.root(navigation.page_id)
    sent = replace(navigation, is_sent=True, former_loader_id=top.loader_id if top else "", new_loader_ids=())
    return _put(navigations, sent), (*before, _command(sent, session.session_id))


def _close_preview(
    navigations: PageNavigations, navigation: PageNavigation, preview_session_id: str
) -> tuple[PageNavigations, Effects]:
    """Close the print preview, whose end lets the navigation go on. Measured on Chromium 156: a reload under a preview
    crashes the page always, a navigation to `about:blank` once in three times."""
    if navigation.closes_preview:
        return navigations, ()
    close = Send(command=runtime.Evaluate(expression=CLOSE_PRINT_PREVIEW), session_id=preview_session_id)
    return _put(navigations, replace(navigation, closes_preview=True)), (close,)


def _command(navigation: PageNavigation, session_id: str) -> Send:
    tag = NavigationReply(navigation.call_id)
    if navigation.is_on_detour:
        return Send(command=page.Navigate(url=BLANK), session_id=session_id, tag=tag)
    if isinstance(navigation.work, ClosePage):
        close = target.CloseTarget(target_id=target.TargetID(navigation.page_id))
        return Send(command=close, session_id=None, tag=tag)
    if isinstance(navigation.work, NavigatePage):
        return Send(command=page.Navigate(url=navigation.work.url), session_id=session_id, tag=tag)
    former, ignores_cache = navigation.former_loader_id, navigation.work.ignore_cache or None
    named = None if former == navigation.discarded_loader_id else network.LoaderId(former)
    return Send(command=page.Reload(ignore_cache=ignores_cache, loader_id=named), session_id=session_id, tag=tag)


def _on_reply(
    navigations: PageNavigations, navigation: PageNavigation, result: object
) -> tuple[PageNavigations, Effects]:
    """Take the reply to the command."""
    match result:
        case page.NavigateResult(error_text=str() as text, loader_id=loader_id):
            failed = replace(navigation, loader_id=loader_id, error_text=text)
            if loader_id is None or text == ABORTED:
                return _end(navigations, navigation, _outcome(failed))
            return _put(navigations, failed), ()
        case page.NavigateResult(loader_id=None):  # within the same document
            return _end(navigations, navigation, CommandResult(None))
        case page.NavigateResult(loader_id=loader_id):
            return _put(navigations, replace(navigation, loader_id=loader_id, is_accepted=True)), ()
        case None:  # to `Page.reload`
            return _put(navigations, replace(navigation, is_accepted=True)), ()
        case target.CloseTargetResult():
            return _put(navigations, replace(navigation, retries=True)), (
                Arm(NavigationRetry(navigation.call_id), CLOSE_RETRY_S),
            )
        case _:
            return navigations, ()


def _on_error(
    navigations: PageNavigations, navigation: PageNavigation, error: Exception
) -> tuple[PageNavigations, Effects]:
    if isinstance(error, CommandError) and error.message in RELOAD_DISCARDED:
        navigation = replace(navigation, discarded_loader_id=navigation.former_loader_id)
    if isinstance(error, CommandError) and error.message in (NOT_ACTIVE, *RELOAD_DISCARDED):
        return _put(navigations, replace(navigation, retries=True)), (
            Arm(NavigationRetry(navigation.call_id), RETRY_S),
        )
    if navigation.retries and isinstance(error, CommandError) and error.message == NO_SUCH_TARGET:
        return navigations, ()  # it was closed meanwhile; `Target.detachedFromTarget` follows
    return _end(navigations, navigation, CallLost(error.reason) if isinstance(error, ConnectionLost) else error)


def _on_crash(navigations: PageNavigations, session_id: str, world: World) -> tuple[PageNavigations, Effects]:
    """End navigations that the crash has ended. Measured on Chromium 156: `Page.frameStoppedLoading` comes before it.

    One that leads to another process goes on, and so does one that the browser hears of after the crash.
    """
    effects: Effects = ()
    for navigation in navigations.pending.values():
        session, top = world.targets.page(navigation.page_id), world.frames.root(navigation.page_id)
        is_its_own = session is not None and session.session_id == session_id
        if is_its_own and navigation.is_accepted and not (top is not None and top.is_loading):
            navigations, more = _end(navigations, navigation, TargetCrashed(session_id))
            effects = (*effects, *more)
    return navigations, effects


def _note_start(navigations: PageNavigations, event: page.FrameStartedNavigating, world: World) -> PageNavigations:
    """Note the loader id of a navigation that begins in a page's top frame."""
    for navigation in navigations.pending.values():
        top = world.frames.root(navigation.page_id)
        if navigation.is_sent and top is not None and top.frame_id == event.frame_id:
            started = {**navigation.started, event.loader_id: event.url}
            navigations = _put(navigations, replace(navigation, started=started))
    return navigations


def _note_document(navigations: PageNavigations, session_id: str, frame: page.Frame, world: World) -> PageNavigations:
    """Note a new top document. Measured on Chromium 150 and 156: a page that a dialog froze before we came reports its
    old document when a reload has closed the dialog."""
    session = world.targets.sessions.get(session_id)
    for navigation in navigations.pending.values():
        if isinstance(navigation.work, ClosePage):
            continue  # whatever the page shows, it is not closed yet
        is_top = session is not None and session.target_id == navigation.page_id and frame.parent_id is None
        started = navigation.started if isinstance(navigation.work, ReloadPage) else ()
        is_new = frame.loader_id != navigation.former_loader_id and (not started or frame.loader_id in started)
        if is_top and navigation.is_sent and is_new:
            shown = (*navigation.new_loader_ids, frame.loader_id)
            unreachable = frame.unreachable_url or ""
            navigations = _put(navigations, replace(navigation, new_loader_ids=shown, unreachable_url=unreachable))
    return navigations


def _arrive(navigations: PageNavigations, navigation: PageNavigation, world: World) -> tuple[PageNavigations, Effects]:
    """End when the new document is there and the page responds."""
    session = world.targets.page(navigation.page_id)
    assert session is not None, "`_advance` has checked it"
    top = world.frames.root(navigation.page_id)
    if navigation.error_text is not None and (navigation.has_arrived or top is None or not top.is_loading):
        return _end(navigations, navigation, _outcome(navigation))
    if not navigation.has_arrived:
        return navigations, ()
    if navigation.is_on_detour and navigation.page_id in world.detached_frame_dialogs.pages:
        return navigations, ()  # while Page is disabled, the next document is not announced
    if navigation.is_on_detour:
        again = replace(
            navigation,
            is_at_blank=True,
            former_loader_id=navigation.new_loader_ids[-1],
            loader_id=None,
            new_loader_ids=(),
            is_accepted=False,
        )
        return _put(navigations, again), (_command(again, session.session_id),)
    if not session.unresponsive:
        return _end(navigations, navigation, _outcome(navigation))
    return navigations, ()


def _outcome(navigation: PageNavigation) -> CommandResult | NavigationFailed:
    """Return the outcome of a navigation whose document is there, or does not come."""
    if navigation.error_text is None:
        return CommandResult(None)
    url = navigation.work.url if isinstance(navigation.work, NavigatePage) else ""
    first, last = navigation.started.get(navigation.loader_id or ""), navigation.unreachable_url
    if not navigation.started:  # Chrome before 133 does not tell it: the address as Chrome writes it
        first = quote(url if url.count("/") != 2 else f"{url}/", punctuation)
    # After a redirect the first server has had a request, whatever became of the second.
    has_asked_nobody = navigation.error_text.startswith(NO_REQUEST_SENT) and first == last
    return NavigationFailed(url, navigation.error_text, maybe_executed=not has_asked_nobody)


def _overdue(navigation: PageNavigation, world: World) -> CallTimeout:
    top = world.frames.root(navigation.page_id)
    other_pages = (
        [dialog for dialog in world.blocking_dialogs(top) if dialog.info.target_id != navigation.page_id] if top else []
    )
    if other_pages:
        info = other_pages[0].info
        why = f"dialog {info.id!r} of page {info.target_id!r} stops its process; answer that one first"
        return CallTimeout(navigation.timeout_s, "unresponsive", why, maybe_executed=navigation.is_sent)
    if isinstance(navigation.work, ClosePage):
        why = f"page {navigation.page_id!r} is still there"
    else:
        why = f"page {navigation.page_id!r} shows no new document, or does not respond; closing it may help"
    return CallTimeout(navigation.timeout_s, "unresponsive", why, maybe_executed=navigation.is_sent)


def _put(navigations: PageNavigations, navigation: PageNavigation) -> PageNavigations:
    return PageNavigations({**navigations.pending, navigation.call_id: navigation})


def _end(
    navigations: PageNavigations, navigation: PageNavigation, outcome: CommandResult | Exception
) -> tuple[PageNavigations, Effects]:
    others = {key: other for key, other in navigations.pending.items() if key != navigation.call_id}
    forget: Effects = (Forget(NavigationReply(navigation.call_id)),) if navigation.is_sent else ()
    retry: Effects = (Disarm(NavigationRetry(navigation.call_id)),) if navigation.retries else ()
    return PageNavigations(others), (
        Disarm(NavigationDeadline(navigation.call_id)),
        *retry,
        *forget,
        CompleteCall(navigation.call_id, outcome),
    )
