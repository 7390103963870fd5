"""Slice: which pages are supervised, which of them are managed, and how pages are opened and chosen.

A browser may be shared with a person or with other clients. Every supervised page is watched; only a managed one is
acted on without a call: its dialogs are answered by policies, rules and the watchdog, it gets the bridge, its file
choosers are intercepted, and it behaves as if it were in front.

A page is opened empty, and navigated by a request of its own: measured on Chromium 156, of a page that is opened with
its URL an alert in its first script is now and then announced to nobody, and cannot be answered.

Every page of the browser is announced to us, and stopped until we let it go: a dialog that it opens at once is not
missed. Those that are not ours are let go and left (`Target.detachFromTarget`) before anything else is done to them.

A popup runs as soon as anybody lets it go, however many clients hold it; and nobody who holds it is told of the others
(measured on Chromium 156; who detaches without letting go leaves it held for good). So a popup of a page that is not
managed is first left to whoever drives that page, who may have to set something up in it.
"""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import page, runtime, target
from supervisor.core.state.connection import Link
from supervisor.core.state.pages import BLANK, Tabs, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import is_refusal_for_good, is_world_of_another_client
from supervisor.core.vocabulary.command_tags import Census, FirstPage, OwnContext, PageClosed, PageCreated
from supervisor.core.vocabulary.effects import Arm, CommandResult, Effects, Send, Tell
from supervisor.core.vocabulary.errors import NO_PAGES, NotRunning, UnknownPage, UnsupportedByBrowser
from supervisor.core.vocabulary.inputs import (
    Answered,
    EventReceived,
    Input,
    LinkLost,
    Refused,
    StopRequested,
    TimerFired,
)
from supervisor.core.vocabulary.requests import OpenRequested, SelectRequested
from supervisor.core.vocabulary.timers import PopupRelease

POPUP_HOLD_S = 0.5
"""How long a popup of a page that is not managed waits for another client to let it go."""


def admit(tabs: Tabs, received: Input, targets: Targets) -> tuple[Tabs, tuple[Input, ...], Effects]:
    """What of an input is to be taken in now: nothing of a page that is not ours, and, once it is known that it is
    ours, what was held of it. `targets` is the slice before this input."""
    match received:
        case EventReceived(_, target.DetachedFromTarget(session_id=ended)) if (heir := targets.heir(ended)) is not None:
            return tabs, (EventReceived(None, heir), received), ()
        case EventReceived(None, target.AttachedToTarget(target_info=info)) if info.type == "page":
            if tabs.claims(info, targets):
                return _meet(tabs, info), (received,), ()
            if tabs.asked or tabs.opens_first:
                return replace(tabs, held=(*tabs.held, received)), (), ()
            return tabs, (), _turn_away(received)
        case Answered(FirstPage() | PageCreated() as tag, target.CreateTargetResult() as result):
            tabs = replace(tabs, opened=tabs.opened | {result.target_id})
            return _release(tabs, received, tag, targets)
        case Refused(FirstPage() | PageCreated() as tag):
            return _release(tabs, received, tag, targets)
        case LinkLost():
            return replace(tabs, held=(), opens_first=False), (received,), ()
        case _:
            return tabs, (received,), ()


def _release(
    tabs: Tabs, received: Input, tag: FirstPage | PageCreated, targets: Targets
) -> tuple[Tabs, tuple[Input, ...], Effects]:
    """A page was opened, or could not be: of those that were held, the ones that are ours come in now."""
    ours = tuple(held for held in tabs.held if tabs.claims(_info(held), targets))
    others = tuple(held for held in tabs.held if held not in ours)
    ended = {tag.call_id} if isinstance(tag, PageCreated) else set[str]()
    tabs = replace(tabs, opens_first=tabs.opens_first and not isinstance(tag, FirstPage))
    if tabs.opens_first or tabs.asked.keys() - ended:
        return replace(tabs, held=others), (received, *ours), ()
    effects: Effects = ()
    for held in others:
        effects = (*effects, *_turn_away(held))
    return replace(tabs, held=()), (received, *ours), effects


def _meet(tabs: Tabs, info: target.TargetInfo) -> Tabs:
    """A page is announced: a popup of a managed one is managed, and so is the very first page, if it is nobody's."""
    if info.opener_id is not None and tabs.manages(info.opener_id):
        return replace(tabs, given=tabs.given | {info.target_id})
    if tabs.has_begun:
        return tabs
    is_free = info.target_id not in tabs.occupied
    return replace(tabs, has_begun=True, first=info.target_id if is_free else None)


def _info(held: EventReceived) -> target.TargetInfo:
    assert isinstance(held.event, target.AttachedToTarget)
    return held.event.target_info


def _turn_away(announced: EventReceived) -> Effects:
    event = announced.event
    assert isinstance(event, target.AttachedToTarget)
    if event.waiting_for_debugger and event.target_info.opener_id is not None:
        return (Arm(PopupRelease(event.session_id), POPUP_HOLD_S),)
    return (_let_run(event.session_id), _leave(event.session_id))


def _release_session(tabs: Tabs, received: Input, targets: Targets, link: Link) -> Effects:
    """Let a new session's page run, once all that watches it is set up. The slices are as after this input."""
    match received:
        case EventReceived(_, target.AttachedToTarget() as event) if event.session_id in targets.sessions:
            info = event.target_info
            is_foreign = info.opener_id is not None and not tabs.manages(info.target_id)
            if is_foreign and event.waiting_for_debugger:
                return (Arm(PopupRelease(event.session_id), POPUP_HOLD_S),)
            return (_let_run(event.session_id),)
        case TimerFired(PopupRelease(session_id)) if link.is_up:
            leaving = () if session_id in targets.sessions else (_leave(session_id),)
            return (_let_run(session_id), *leaving)
        case _:
            return ()


def _let_run(session_id: str) -> Send:
    return Send(command=runtime.RunIfWaitingForDebugger(), session_id=session_id)


def _leave(session_id: str) -> Send:
    return Send(command=target.DetachFromTarget(session_id=target.SessionID(session_id)), session_id=None)


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Open pages, choose the current one, and close at the end what we opened."""
    tabs, targets, effects = _reduce(world.tabs, received, world.targets, world.link)
    return replace(world, tabs=tabs, targets=targets), effects


def let_run(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Let a new session's page run, once all that watches it is set up."""
    return world, _release_session(world.tabs, received, world.targets, world.link)


def _reduce(tabs: Tabs, received: Input, targets: Targets, link: Link) -> tuple[Tabs, Targets, Effects]:
    """Open pages, choose the current one, and close at the end what we opened. The slices are as after this input."""
    match received:
        case OpenRequested() if not link.is_up:
            return tabs, targets, (Tell(received.call_id, link.end or NotRunning(link.state)),)
        case OpenRequested():
            asked = {**tabs.asked, received.call_id: received}
            return replace(tabs, asked=asked), targets, (_create(tabs, received),)
        case Answered(PageCreated(call_id), target.CreateTargetResult() as result) if call_id in tabs.asked:
            chosen = replace(targets, current=result.target_id) if tabs.asked[call_id].select else targets
            return _settle(tabs, call_id), chosen, (Tell(call_id, CommandResult(str(result.target_id))),)
        case Refused(PageCreated(call_id), error) if call_id in tabs.asked:
            if isinstance(error, CommandError) and is_refusal_for_good(error):
                error = UnsupportedByBrowser(error.method, f"{NO_PAGES} ({error.message})")
            return _settle(tabs, call_id), targets, (Tell(call_id, error),)
        case EventReceived(str() as session_id, runtime.ExecutionContextCreated(context=context)):
            return _see_world(tabs, session_id, context, targets), targets, ()
        case Answered(Census(), target.GetTargetsResult(target_infos=infos)) if not link.started:
            return replace(tabs, occupied=frozenset(info.target_id for info in infos if info.attached)), targets, ()
        case Answered(OwnContext(), target.CreateBrowserContextResult() as result):
            tabs = replace(tabs, context_id=result.browser_context_id)
            return tabs, targets, (_first(tabs),)
        case SelectRequested(call_id, target_id):
            if targets.page(target_id) is None:
                return tabs, targets, (Tell(call_id, UnknownPage(target_id)),)
            given = replace(tabs, given=tabs.given | {target_id})
            return given, replace(targets, current=target_id), (Tell(call_id, CommandResult(None)),)
        case StopRequested():
            return tabs, targets, _close_opened(tabs, targets) if link.was_up else ()
        case _:
            return tabs, targets, ()


def _see_world(tabs: Tabs, session_id: str, context: runtime.ExecutionContextDescription, targets: Targets) -> Tabs:
    """Playwright, Puppeteer and others make isolated worlds, which the sessions of all clients are told of."""
    session = targets.sessions.get(session_id)
    if session is None or session.page_id != tabs.first or not is_world_of_another_client(context):
        return tabs
    return replace(tabs, first=None)


def lose(tabs: Tabs, reason: str) -> tuple[Tabs, Effects]:
    """The connection is gone, and with it what was to be opened."""
    telling = tuple(Tell(call_id, ConnectionLost(reason)) for call_id in tabs.asked)
    return replace(tabs, asked={}), telling


def open_first(tabs: Tabs) -> Effects | UnknownPage:
    """What gets us a page, when none that is there is ours; or why nothing can."""
    if tabs.scope == "tab":
        return UnknownPage(tabs.target_id or "")
    if tabs.wants_context and tabs.context_id is None:
        return (Send(command=target.CreateBrowserContext(), session_id=None, tag=OwnContext()),)
    return (_first(tabs),)


def _first(tabs: Tabs) -> Send:
    create = target.CreateTarget(url=BLANK, browser_context_id=tabs.context_id or UNSET, background=True)
    return Send(command=create, session_id=None, tag=FirstPage())


def _create(tabs: Tabs, asked: OpenRequested) -> Send:
    context_id = tabs.context_id or UNSET
    create = target.CreateTarget(url=BLANK, browser_context_id=context_id, background=asked.background)
    return Send(command=create, session_id=None, tag=PageCreated(asked.call_id))


def _settle(tabs: Tabs, call_id: str) -> Tabs:
    return replace(tabs, asked={key: asked for key, asked in tabs.asked.items() if key != call_id})


def _close_opened(tabs: Tabs, targets: Targets) -> Effects:
    """Close what we opened and no other; and never the last page of a browser, which may end with it.

    Nobody is told of dialogs any more beforehand: Chromium 156 dies when a page is closed whose out-of-process iframe
    shows one, and somebody listens.
    """
    pages = list(targets.pages())
    ours = [one for one in pages if one.target_id in tabs.opened]
    if tabs.scope == "browser" and len(ours) == len(pages):
        ours = ours[1:]
    effects: Effects = tuple(Send(command=page.Disable(), session_id=one.session_id) for one in ours)
    for one in ours:
        close = target.CloseTarget(target_id=target.TargetID(one.target_id))
        effects = (*effects, Send(command=close, session_id=None, tag=PageClosed(one.target_id)))
    if tabs.context_id is not None:
        dispose = target.DisposeBrowserContext(browser_context_id=tabs.context_id)
        effects = (*effects, Send(command=dispose, session_id=None, tag=PageClosed(tabs.context_id)))
    return effects
