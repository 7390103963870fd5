"""Slice: the pages of the browser and the tree of sessions below them."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import inspector, log, page, runtime, target
from supervisor.core.state.pages import Session, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.command_tags import HangProbe, SeedChildren, SeedConsole, SeedTree, WorkerReleased
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import AllAnnounced, Answered, EventReceived, Input, Refused, TimerFired
from supervisor.core.vocabulary.timers import HangDeadline, SeedDeadline, SeedRetry

SEED_TIMEOUT_S = 2.0
"""How long a session may take to answer when it is attached. Chromium 156 needs milliseconds; a page that is frozen by
a dialog from before never answers."""

MAX_RETRY_S = 30.0


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow attachments, detachments and crashes; set a new session up in one pipelined burst."""
    targets, effects = _reduce(world.targets, received, now)
    return replace(world, targets=targets), effects


def watch_again(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Watch a page again that is rid of its dialog, and ask its iframes whether they live.

    `Page.disable` ended the Page domain alone. The rest of the set-up stands, and `Target.setAutoAttach` must not be
    sent twice: an iframe that moves into another process at that moment stays paused for good (150 and 156).
    """
    again = before.rescues.pages.keys() - world.rescues.pages.keys()
    effects = _listen_again(world.targets, again)
    for session in world.targets.sessions.values():
        if session.target_id in again:
            effects = (*effects, _listen(session.session_id), *_ask(session))
        elif session.page_id in again:
            effects = (*effects, *_ask(session))
    return world, effects


def _reduce(targets: Targets, received: Input, now: float) -> tuple[Targets, Effects]:
    """Follow attachments, detachments and crashes; set a new session up in one pipelined burst."""
    match received:
        case EventReceived(session_id, target.AttachedToTarget() as event):
            return _attach(targets, session_id, event)
        case EventReceived(_, target.DetachedFromTarget() as event):
            return _drop(_forget_spares(targets, {event.session_id}), {event.session_id})
        case EventReceived(str() as session_id, inspector.TargetCrashed()):
            return _update(targets, session_id, crashed=True, since=now), ()
        case EventReceived(str() as session_id, inspector.TargetReloadedAfterCrash()):
            return _update(targets, session_id, crashed=False), ()
        case Answered(WorkerReleased(session_id, parent)) | Refused(WorkerReleased(session_id, parent), CommandError()):
            return targets, _detach(targets, session_id, parent)
        case Answered(SeedTree(session_id)):
            return _take_in(_update(targets, session_id, seeded=True), session_id)
        case Answered(SeedChildren(session_id)) | Refused(SeedChildren(session_id), CommandError()):
            return _take_in(_update(targets, session_id, complete=True), session_id)
        case AllAnnounced():  # a page from before that was not announced is gone
            return _drop(targets, {session.session_id for session in targets.pages() if session.stale})
        case Refused(SeedTree(session_id), CommandError()) if session_id in targets.sessions:
            return _ask_later(targets, targets.sessions[session_id])
        case TimerFired(SeedRetry(session_id)) if session_id in targets.sessions:
            return targets, (Send(command=page.GetFrameTree(), session_id=session_id, tag=SeedTree(session_id)),)
        case TimerFired(SeedDeadline(session_id)):
            return _update(targets, session_id, unresponsive=True, since=now), ()
        case TimerFired(HangDeadline(session_id)):
            return _update(targets, session_id, unresponsive=True, since=now), ()
        case Answered(HangProbe(session_id)) | Refused(HangProbe(session_id), CommandError()):
            return _update(targets, session_id, unresponsive=False), ()
        case _:
            return targets, ()


def _ask_later(targets: Targets, session: Session) -> tuple[Targets, Effects]:
    """A page that was navigated meanwhile refuses what it was asked before; one that is gone is detached soon."""
    delay_s = min(2.0**session.refusals, MAX_RETRY_S)
    return _update(targets, session.session_id, refusals=session.refusals + 1), (
        Arm(SeedRetry(session.session_id), delay_s),
    )


def lose(targets: Targets) -> tuple[Targets, Effects]:
    """The connection is gone, and all sessions with it; their targets may well be there when it comes back."""
    stale = {key: replace(session, stale=True) for key, session in targets.sessions.items()}
    return replace(targets, sessions=stale, spares={}), _disarm(targets, stale)


def _attach(targets: Targets, parent: str | None, event: target.AttachedToTarget) -> tuple[Targets, Effects]:
    info = event.target_info
    above = targets.sessions.get(parent) if parent else None
    is_page, is_iframe = info.type == "page", info.type == "iframe" and above is not None
    if not (is_page or is_iframe):
        return targets, _leave_alone(targets, event, parent)
    if event.session_id in targets.sessions:
        return targets, _let_run(event)
    known = targets.page(info.target_id) if is_page else None
    if known is not None and not known.stale and event.session_id not in targets.spares:
        spares = {**targets.spares, event.session_id: event}
        return replace(targets, spares=spares), (_listen(event.session_id), *_let_run(event))
    replaced = targets.subtree(known.session_id) if known is not None and not known.stale else frozenset[str]()
    disarming = _disarm(targets, sorted(replaced))
    targets = _forget_spares(targets, {event.session_id})
    session = Session(
        session_id=event.session_id,
        target_id=info.target_id,
        is_iframe=is_iframe,
        parent_session_id=above.session_id if above and is_iframe else None,
        page_id=above.page_id if above and is_iframe else info.target_id,
        opener_page_id=info.opener_id if info.can_access_opener else None,
        browser_context_id=info.browser_context_id,
    )
    return _put(targets, session), (*disarming, *_set_up(session))


def _put(targets: Targets, session: Session) -> Targets:
    """At the end, or in the place of the same page's session that ends, or was one of a connection that is lost."""
    before = targets.page(session.target_id)
    if before is None or session.is_iframe:
        sessions = {**targets.sessions, session.session_id: session}
    else:
        gone = targets.subtree(before.session_id) - {before.session_id}
        left = [each for each in targets.sessions.values() if each.session_id not in gone]
        sessions = {each.session_id: each for each in (session if one is before else one for one in left)}
    return replace(targets, sessions=sessions, current=targets.current or session.page_id)


def _listen(session_id: str) -> Send:
    return Send(command=page.Enable(), session_id=session_id)


def _listen_again(targets: Targets, pages: Collection[str]) -> Effects:
    """Have the spare sessions of these pages told of dialogs."""
    return tuple(_listen(key) for key, spare in targets.spares.items() if spare.target_info.target_id in pages)


def _forget_spares(targets: Targets, gone: Collection[str]) -> Targets:
    left = {key: spare for key, spare in targets.spares.items() if key not in gone}
    return replace(targets, spares=left) if len(left) < len(targets.spares) else targets


def _let_run(event: target.AttachedToTarget) -> Effects:
    """A target must not stay paused because of us."""
    if not event.waiting_for_debugger:
        return ()
    return (Send(command=runtime.RunIfWaitingForDebugger(), session_id=event.session_id),)


def _leave_alone(targets: Targets, event: target.AttachedToTarget, parent: str | None) -> Effects:
    """Workers, worklets and other targets that are not supervised: let them run, then detach from them.

    Measured: a session-level filter that leaves them out has them paused at their start all the same, for good (131 to
    156; service workers on 112 and 122). Detaching before the release is answered leaves them paused up to 122. A
    service worker that has a session is never stopped when it is idle.
    """
    if not event.waiting_for_debugger:
        return _detach(targets, event.session_id, parent)
    tag = WorkerReleased(event.session_id, parent)
    return (Send(command=runtime.RunIfWaitingForDebugger(), session_id=event.session_id, tag=tag),)


def _detach(targets: Targets, session_id: str, parent: str | None) -> Effects:
    if parent is not None and parent not in targets.sessions:  # with its parent's session it ended as well
        return ()
    return (Send(command=target.DetachFromTarget(session_id=target.SessionID(session_id)), session_id=parent),)


def _set_up(session: Session) -> Effects:
    """Everything at once, nothing awaited: on a page that an old dialog freezes, none of it is ever answered.

    Page first: whoever had it enabled when a dialog opened can answer it.
    """
    session_id = session.session_id
    burst = (
        Send(command=page.Enable(), session_id=session_id),
        Send(command=inspector.Enable(), session_id=session_id),
        Send(command=page.GetFrameTree(), session_id=session_id, tag=SeedTree(session_id)),
        Send(command=runtime.Enable(), session_id=session_id),
        Send(
            command=target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True),
            session_id=session_id,
            tag=SeedChildren(session_id),
        ),
        Send(command=log.Enable(), session_id=session_id, tag=SeedConsole(session_id)),
    )
    return (*burst, Arm(SeedDeadline(session_id), SEED_TIMEOUT_S))


def _take_in(targets: Targets, session_id: str) -> tuple[Targets, Effects]:
    """A session that has told all is responsive, also when it took longer than was waited for."""
    session = targets.sessions.get(session_id)
    if session is None or not session.is_known:
        return targets, ()
    retry: Effects = (Disarm(SeedRetry(session_id)),) if session.refusals else ()
    targets = _update(targets, session_id, unresponsive=False, refusals=0)
    return targets, (Disarm(SeedDeadline(session_id)), *retry)


def _ask(session: Session) -> Effects:
    """Have a session tell its frames, and notice if it does not."""
    seed = Send(command=page.GetFrameTree(), session_id=session.session_id, tag=SeedTree(session.session_id))
    return (seed, Arm(SeedDeadline(session.session_id), SEED_TIMEOUT_S))


def _drop(targets: Targets, tops: Collection[str]) -> tuple[Targets, Effects]:
    """Let sessions go with all that is below them; where the current page is among them, the newest is next."""
    gone = frozenset[str]().union(*(targets.subtree(session_id) for session_id in tops)) & targets.sessions.keys()
    if not gone:
        return targets, ()
    left = {key: session for key, session in targets.sessions.items() if key not in gone}
    disarming = _disarm(targets, sorted(gone))
    targets = replace(targets, sessions=left)
    if targets.current is not None and targets.page(targets.current) is None:
        newest = [session.target_id for session in targets.pages()][-1:]
        targets = replace(targets, current=newest[0] if newest else None)
    return targets, disarming


def _disarm(targets: Targets, ended: Collection[str]) -> Effects:
    return (
        *(Disarm(SeedDeadline(key)) for key in ended),
        *(Disarm(SeedRetry(key)) for key in ended if targets.sessions[key].refusals),
    )


def _update(targets: Targets, session_id: str, **changes: bool | float) -> Targets:
    session = targets.sessions.get(session_id)
    if session is None:
        return targets
    return replace(targets, sessions={**targets.sessions, session_id: replace(session, **changes)})
