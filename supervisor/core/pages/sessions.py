"""Slice: the sessions of the pages, and of the out-of-process iframes below them."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import inspector, log, page, runtime, target
from supervisor.core.state.pages import Session, Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import PRINT_PREVIEW_URL
from supervisor.core.vocabulary.command_tags import (
    ChildAutoAttach,
    FrameTreeReply,
    HangProbe,
    LogEnabled,
    WorkerReleased,
)
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import (
    AllAnnounced,
    CommandFailed,
    CommandSucceeded,
    EventReceived,
    Input,
    TimerFired,
)
from supervisor.core.vocabulary.timers import FrameTreeRetry, HangDeadline, SetupDeadline

SETUP_TIMEOUT_S = 2.0
"""The deadline for the replies to a session's set-up. Chromium 156 needs milliseconds; a page that a dialog from before
stops never answers."""

MAX_RETRY_S = 30.0


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow attachments, detachments and crashes; send the set-up of a new session without waiting for replies."""
    targets, effects = _reduce(world.targets, received, now)
    return replace(world, targets=targets), effects


def watch_again(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Enable Page again in a page whose detached-frame dialog has ended, and probe its iframes: a dialog that they
    opened meanwhile was not announced.

    `Page.disable` ended the Page domain alone. The rest of the set-up remains, and `Target.setAutoAttach` must not be
    sent twice: an iframe that moves into another process at that moment stays paused for good (150 and 156).
    """
    again = before.detached_frame_dialogs.pages.keys() - world.detached_frame_dialogs.pages.keys()
    effects = _enable_spares(world.targets, again)
    for session in world.targets.sessions.values():
        if session.target_id in again:
            effects = (*effects, _enable_page(session.session_id), *_ask_for_frame_tree(session))
        elif session.page_id in again:
            effects = (*effects, *_ask_for_frame_tree(session))
    return world, effects


def _reduce(targets: Targets, received: Input, now: float) -> tuple[Targets, Effects]:
    """Follow attachments, detachments and crashes; send the set-up of a new session without waiting for replies."""
    match received:
        case EventReceived(session_id, target.AttachedToTarget() as event):
            return _attach(targets, session_id, event)
        case EventReceived(_, target.DetachedFromTarget() as event):
            return _drop(_forget_spares(targets, {event.session_id}), {event.session_id})
        case EventReceived(str() as session_id, inspector.TargetCrashed()):
            return _update(targets, session_id, crashed=True, since=now), ()
        case EventReceived(str() as session_id, inspector.TargetReloadedAfterCrash()):
            return _update(targets, session_id, crashed=False), ()
        case CommandSucceeded(WorkerReleased(session_id, parent)) | CommandFailed(
            WorkerReleased(session_id, parent), CommandError()
        ):
            return targets, _detach(targets, session_id, parent)
        case CommandSucceeded(FrameTreeReply(session_id)):
            return _note_known(_update(targets, session_id, has_frame_tree=True), session_id)
        case CommandSucceeded(ChildAutoAttach(session_id)) | CommandFailed(ChildAutoAttach(session_id), CommandError()):
            return _note_known(_update(targets, session_id, children_announced=True), session_id)
        case AllAnnounced():  # a stale page that was not announced is gone
            return _drop(targets, {session.session_id for session in targets.pages() if session.stale})
        case CommandFailed(FrameTreeReply(session_id), CommandError()) if (
            session := targets.sessions.get(session_id)
        ) is not None and not session.stale:
            return _retry_frame_tree(targets, session)
        case TimerFired(FrameTreeRetry(session_id)) if session_id in targets.sessions:
            return targets, (Send(command=page.GetFrameTree(), session_id=session_id, tag=FrameTreeReply(session_id)),)
        case TimerFired(SetupDeadline(session_id)):
            return _update(targets, session_id, unresponsive=True, since=now), ()
        case TimerFired(HangDeadline(session_id)):
            return _update(targets, session_id, unresponsive=True, since=now), ()
        case CommandSucceeded(HangProbe(session_id)) | CommandFailed(HangProbe(session_id), CommandError()):
            # A refusal shows as well that the page responds.
            return _update(targets, session_id, unresponsive=False), ()
        case _:
            return targets, ()


def _retry_frame_tree(targets: Targets, session: Session) -> tuple[Targets, Effects]:
    """Retry `Page.getFrameTree`: a page refuses it while it is navigated; one that is gone is detached soon."""
    delay_s = min(2.0**session.refusals, MAX_RETRY_S)
    return _update(targets, session.session_id, refusals=session.refusals + 1), (
        Arm(FrameTreeRetry(session.session_id), delay_s),
    )


def on_disconnected(targets: Targets) -> tuple[Targets, Effects]:
    """Mark all sessions stale: their targets may still exist when the connection is opened again."""
    stale = {key: replace(session, stale=True) for key, session in targets.sessions.items()}
    return replace(targets, sessions=stale, spares={}), _disarm(targets, stale)


def _attach(targets: Targets, parent: str | None, event: target.AttachedToTarget) -> tuple[Targets, Effects]:
    info = event.target_info
    above = targets.sessions.get(parent) if parent else None
    if info.url == PRINT_PREVIEW_URL:  # a page of the browser, attached while it is open
        return targets, _let_run(event)
    is_page, is_iframe = info.type == "page", info.type == "iframe" and above is not None
    if not (is_page or is_iframe):
        return targets, _release_unsupervised(targets, event, parent)
    if event.session_id in targets.sessions:
        return targets, _let_run(event)
    known = targets.page(info.target_id) if is_page else None
    # Measured on Chromium 156: only a session that had Page enabled when a dialog opened can answer it. So a second
    # session of a page has Page enabled from the start, and takes over when the first one ends.
    if known is not None and not known.stale and event.session_id not in targets.spares:
        spares = {**targets.spares, event.session_id: event}
        return replace(targets, spares=spares), (_enable_page(event.session_id), *_let_run(event))
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
    """Add a session: at the end, or in the place of an earlier session of the same page."""
    before = targets.page(session.target_id)
    if before is None or session.is_iframe:
        sessions = {**targets.sessions, session.session_id: session}
    else:
        gone = targets.subtree(before.session_id) - {before.session_id}
        left = [other for other in targets.sessions.values() if other.session_id not in gone]
        sessions = {new.session_id: new for new in (session if other is before else other for other in left)}
    return replace(targets, sessions=sessions, current=targets.current or session.page_id)


def _enable_page(session_id: str) -> Send:
    return Send(command=page.Enable(), session_id=session_id)


def _enable_spares(targets: Targets, pages: Collection[str]) -> Effects:
    """Enable Page again on the spare sessions of these pages."""
    return tuple(_enable_page(key) for key, spare in targets.spares.items() if spare.target_info.target_id in pages)


def _forget_spares(targets: Targets, gone: Collection[str]) -> Targets:
    left = {key: spare for key, spare in targets.spares.items() if key not in gone}
    return replace(targets, spares=left) if len(left) < len(targets.spares) else targets


def _let_run(event: target.AttachedToTarget) -> Effects:
    """Let a target run that was paused for the supervisor (`waitForDebuggerOnStart`)."""
    if not event.waiting_for_debugger:
        return ()
    return (Send(command=runtime.RunIfWaitingForDebugger(), session_id=event.session_id),)


def _release_unsupervised(targets: Targets, event: target.AttachedToTarget, parent: str | None) -> Effects:
    """Let a target that is not supervised (a worker, a worklet) run, then detach from it.

    Measured: a session-level filter that leaves them out has them paused at their start all the same, for good (131 to
    156; service workers on 112 and 122). Detaching before the release is answered leaves them paused up to 122. A
    service worker that has a session is never stopped when it is idle.
    """
    if not event.waiting_for_debugger:
        return _detach(targets, event.session_id, parent)
    tag = WorkerReleased(event.session_id, parent)
    return (Send(command=runtime.RunIfWaitingForDebugger(), session_id=event.session_id, tag=tag),)


def _detach(targets: Targets, session_id: str, parent: str | None) -> Effects:
    if parent is not None and parent not in targets.sessions:  # it has ended with its parent's session
        return ()
    return (Send(command=target.DetachFromTarget(session_id=target.SessionID(session_id)), session_id=parent),)


def _set_up(session: Session) -> Effects:
    """Return all set-up commands, sent at once: a page that an old dialog stops never answers any of them.

    `Page.enable` comes first: a client can answer a dialog only if Page was enabled when it opened.
    """
    session_id = session.session_id
    burst = (
        Send(command=page.Enable(), session_id=session_id),
        Send(command=inspector.Enable(), session_id=session_id),
        Send(command=page.GetFrameTree(), session_id=session_id, tag=FrameTreeReply(session_id)),
        Send(command=runtime.Enable(), session_id=session_id),
        Send(
            command=target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True),
            session_id=session_id,
            tag=ChildAutoAttach(session_id),
        ),
        Send(command=log.Enable(), session_id=session_id, tag=LogEnabled(session_id)),
    )
    return (*burst, Arm(SetupDeadline(session_id), SETUP_TIMEOUT_S))


def _note_known(targets: Targets, session_id: str) -> tuple[Targets, Effects]:
    """Mark a session responsive when its set-up is answered, also after the deadline."""
    session = targets.sessions.get(session_id)
    if session is None or not session.is_known:
        return targets, ()
    retry: Effects = (Disarm(FrameTreeRetry(session_id)),) if session.refusals else ()
    targets = _update(targets, session_id, unresponsive=False, refusals=0)
    return targets, (Disarm(SetupDeadline(session_id)), *retry)


def _ask_for_frame_tree(session: Session) -> Effects:
    """Send `Page.getFrameTree` with a deadline."""
    seed = Send(command=page.GetFrameTree(), session_id=session.session_id, tag=FrameTreeReply(session.session_id))
    return (seed, Arm(SetupDeadline(session.session_id), SETUP_TIMEOUT_S))


def _drop(targets: Targets, tops: Collection[str]) -> tuple[Targets, Effects]:
    """Remove sessions with all sessions below them. If the current page is among them, the newest page replaces it."""
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
        *(Disarm(SetupDeadline(key)) for key in ended),
        *(Disarm(FrameTreeRetry(key)) for key in ended if targets.sessions[key].refusals),
    )


def _update(targets: Targets, session_id: str, **changes: bool | float) -> Targets:
    session = targets.sessions.get(session_id)
    if session is None:
        return targets
    return replace(targets, sessions={**targets.sessions, session_id: replace(session, **changes)})
