"""Slice: the supervised and the managed pages; opens pages and selects the current one.

A browser may be shared with a person or with other clients. Every supervised page is watched; only a managed one is
acted on without a call: its dialogs are answered by policies, rules and the watchdog, it gets the bridge, its file
choosers are intercepted, and it behaves as if it were in front.

A page is opened empty, and navigated by another command. Measured on Chromium 156: if `Target.createTarget` gets the
URL, an alert in the first script is now and then not announced, and cannot be answered.

Every new page of the browser is announced and paused until the supervisor lets it run: a dialog that it opens at once
is not missed. A page outside the scope is let run and detached from before anything else is sent to it.

Measured on Chromium 156: a popup runs as soon as one of the clients that hold it lets it run, and no client learns of
the others; a client that detaches without `Runtime.runIfWaitingForDebugger` leaves it paused for good. So a popup of a
page that is not managed is held for a moment, because the client that drives that page may have to set it up.
"""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.errors import ConnectionLost
from cdp_typed.protocol import browser, page, runtime, target
from supervisor.core.pages import giving, opening
from supervisor.core.state.connection import ConnectionState
from supervisor.core.state.pages import PageOwnership, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import is_world_of_another_client
from supervisor.core.vocabulary.command_tags import (
    BrowserIdentity,
    ContextMade,
    FirstPage,
    OwnContext,
    PageClosed,
    PageCreated,
)
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.errors import UnknownPage
from supervisor.core.vocabulary.inputs import (
    CommandFailed,
    CommandSucceeded,
    Disconnected,
    EventReceived,
    Input,
    StopRequested,
    TimerFired,
)
from supervisor.core.vocabulary.requests import OpenRequested, SelectRequested
from supervisor.core.vocabulary.timers import PopupRelease

POPUP_HOLD_S = 0.5
"""The pause of a popup of a page that is not managed, for the set-up of another client."""


SELECTED: frozenset[type] = frozenset(
    {target.AttachedToTarget, target.DetachedFromTarget, FirstPage, PageCreated, ContextMade, Disconnected}
)
"""The kinds of inputs that `select` may hold back, or that announce or end a page; each other kind is taken in."""


def select(
    ownership: PageOwnership, received: Input, targets: Targets
) -> tuple[PageOwnership, tuple[Input, ...], Effects]:
    """Return the inputs to take in: none for a page outside the scope, and also the events that were held back once
    their page is known to be within it. `targets` is the slice before this input."""
    match received:
        case EventReceived(_, target.DetachedFromTarget(session_id=ended)) if (
            successor := targets.successor(ended)
        ) is not None:
            return ownership, (EventReceived(None, successor), received), ()
        case EventReceived(None, target.AttachedToTarget(target_info=info)) if info.type == "page":
            if ownership.claims(info, targets):
                return _note_announced(ownership, info), (received,), ()
            # Measured on Chromium 156: a page that we open is announced before the reply that names its target id.
            if ownership.opening or ownership.opens_first:
                return replace(ownership, undecided=(*ownership.undecided, received)), (), ()
            return ownership, (), _release_foreign(received)
        case CommandSucceeded(FirstPage() | PageCreated() as tag, target.CreateTargetResult() as result):
            ownership = replace(ownership, opened=ownership.opened | {result.target_id})
            return _decide_undecided(ownership, received, tag, targets)
        case CommandFailed(FirstPage() | PageCreated() | ContextMade() as tag):
            return _decide_undecided(ownership, received, tag, targets)
        case Disconnected():
            return replace(ownership, undecided=(), opens_first=False), (received,), ()
        case _:
            return ownership, (received,), ()


def _decide_undecided(
    ownership: PageOwnership, received: Input, tag: FirstPage | PageCreated | ContextMade, targets: Targets
) -> tuple[PageOwnership, tuple[Input, ...], Effects]:
    """Decide about the undecided pages when the opening of a page has ended: select those within the scope."""
    ours = tuple(event for event in ownership.undecided if ownership.claims(_info(event), targets))
    others = tuple(event for event in ownership.undecided if event not in ours)
    ended = set[str]() if isinstance(tag, FirstPage) else {tag.call_id}
    ownership = replace(ownership, opens_first=ownership.opens_first and not isinstance(tag, FirstPage))
    if ownership.opens_first or ownership.opening.keys() - ended:
        return replace(ownership, undecided=others), (received, *ours), ()
    effects: Effects = ()
    for event in others:
        effects = (*effects, *_release_foreign(event))
    return replace(ownership, undecided=()), (received, *ours), effects


def _note_announced(ownership: PageOwnership, info: target.TargetInfo) -> PageOwnership:
    """Note an announced page: a popup of a managed page is managed, and so is the first page, unless it is occupied or
    the scope is `shared`."""
    if info.opener_id is not None and ownership.manages(info.opener_id):
        return replace(ownership, adopted=ownership.adopted | {info.target_id})
    if ownership.has_begun:
        return ownership
    is_free = ownership.scope != "shared" and info.target_id not in ownership.occupied
    return replace(ownership, has_begun=True, first=info.target_id if is_free else None)


def _info(event: EventReceived) -> target.TargetInfo:
    assert isinstance(event.event, target.AttachedToTarget)
    return event.event.target_info


def _release_foreign(announced: EventReceived) -> Effects:
    event = announced.event
    assert isinstance(event, target.AttachedToTarget)
    if event.waiting_for_debugger and event.target_info.opener_id is not None:
        return (Arm(PopupRelease(event.session_id), POPUP_HOLD_S),)
    return (_run(event.session_id), giving.detach(event.session_id))


def _release_session(
    ownership: PageOwnership, received: Input, targets: Targets, connection: ConnectionState
) -> Effects:
    """Let a new session's page run when its set-up is sent. The slices are as after this input."""
    match received:
        case EventReceived(_, target.AttachedToTarget() as event) if event.session_id in targets.sessions:
            info = event.target_info
            is_foreign = info.opener_id is not None and not ownership.manages(info.target_id)
            if is_foreign and event.waiting_for_debugger:
                return (Arm(PopupRelease(event.session_id), POPUP_HOLD_S),)
            return (_run(event.session_id),)
        case TimerFired(PopupRelease(session_id)) if connection.is_up:
            leaving = () if session_id in targets.sessions else (giving.detach(session_id),)
            return (_run(session_id), *leaving)
        case _:
            return ()


def _run(session_id: str) -> Send:
    return Send(command=runtime.RunIfWaitingForDebugger(), session_id=session_id)


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Open pages, select the current one, and close the opened ones at the end."""
    ownership, targets, effects = _reduce(world.page_ownership, received, world.targets, world.connection)
    return replace(world, page_ownership=ownership, targets=targets), effects


def release_new_page(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Let a new session's page run when its set-up is sent."""
    return world, _release_session(world.page_ownership, received, world.targets, world.connection)


def _reduce(
    ownership: PageOwnership, received: Input, targets: Targets, connection: ConnectionState
) -> tuple[PageOwnership, Targets, Effects]:
    """Open pages, select the current one, and close the opened ones at the end. The slices are as after this input."""
    match received:
        case (
            OpenRequested()
            | CommandSucceeded(ContextMade() | PageCreated())
            | CommandFailed(ContextMade() | PageCreated())
        ):
            return opening.advance(ownership, received, targets, connection)
        case EventReceived(str() as session_id, runtime.ExecutionContextCreated(context=context)):
            return _note_isolated_world(ownership, session_id, context, targets), targets, ()
        case CommandSucceeded(BrowserIdentity(), target.GetTargetsResult(target_infos=infos)) if not connection.started:
            # A page that another client holds does not become the first page. That choice is made once.
            occupied = frozenset(info.target_id for info in infos if info.attached)
            return replace(ownership, occupied=occupied), targets, ()
        case EventReceived(_, target.DetachedFromTarget()) if not connection.started:
            return _replace_first(ownership, targets), targets, ()
        case CommandSucceeded(OwnContext(), target.CreateBrowserContextResult() as result):
            ownership = replace(ownership, context_id=result.browser_context_id)
            return ownership, targets, (opening.first(ownership),)
        case SelectRequested(call_id, target_id):
            if targets.page(target_id) is None:
                return ownership, targets, (CompleteCall(call_id, UnknownPage(target_id)),)
            adopted = replace(ownership, adopted=ownership.adopted | {target_id})
            return adopted, replace(targets, current=target_id), (CompleteCall(call_id, CommandResult(None)),)
        case StopRequested():
            return ownership, targets, _close_opened(ownership, targets) if connection.was_up else ()
        case _:
            return giving.advance(ownership, received, targets, connection)


def _replace_first(ownership: PageOwnership, targets: Targets) -> PageOwnership:
    """Put the current page in the place of a first page that was closed before the start was over."""
    if ownership.first is None or targets.page(ownership.first) is not None:
        return ownership
    current = targets.current
    return replace(ownership, has_begun=current is not None, first=None if current in ownership.occupied else current)


def _note_isolated_world(
    ownership: PageOwnership, session_id: str, context: runtime.ExecutionContextDescription, targets: Targets
) -> PageOwnership:
    """Note another client in the first page by its isolated world: Playwright, Puppeteer and others make them."""
    session = targets.sessions.get(session_id)
    if session is None or session.page_id != ownership.first or not is_world_of_another_client(context):
        return ownership
    return replace(ownership, first=None)


def on_disconnected(ownership: PageOwnership, reason: str) -> tuple[PageOwnership, Effects]:
    """End the calls that open or give pages."""
    pending = (*ownership.opening, *ownership.giving)
    completing = tuple(CompleteCall(call_id, ConnectionLost(reason)) for call_id in pending)
    return replace(ownership, opening={}, giving={}), completing


def _close_opened(ownership: PageOwnership, targets: Targets) -> Effects:
    """Close the pages that the supervisor opened, but never the last page of a browser, which may end with it.

    Page is disabled first: Chromium 156 crashes when a page is closed whose out-of-process iframe shows a dialog while
    a client has Page enabled.
    """
    pages = list(targets.pages())
    ours = [session for session in pages if session.target_id in ownership.opened]
    contexts, kept = sorted(ownership.own_contexts), None
    if ownership.covers_all and ours and len(ours) == len(pages):
        kept, *ours = sorted(ours, key=lambda session: session.browser_context_id in contexts)
    effects: Effects = tuple(Send(command=page.Disable(), session_id=session.session_id) for session in ours)
    for session in ours:
        close = target.CloseTarget(target_id=target.TargetID(session.target_id))
        effects = (*effects, Send(command=close, session_id=None, tag=PageClosed(session.target_id)))
    for context_id in contexts:
        if kept is None or kept.browser_context_id != context_id:
            dispose = target.DisposeBrowserContext(browser_context_id=browser.BrowserContextID(context_id))
            effects = (*effects, Send(command=dispose, session_id=None, tag=PageClosed(context_id)))
    return effects
