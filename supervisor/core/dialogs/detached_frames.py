"""Slice: pages whose dialog lost its iframe, and how they are rid of it without taking the browser down.

Measured on Chromium 156: when a dialog ends (answered, replaced by another, or ended by a navigation or the closing of
its page) after its iframe was removed, the browser process dies if any session of the page has Page enabled. So, as
soon as such an iframe goes, Page is disabled on all sessions of the page; then a same-document navigation of the top
document, which ends every dialog of its page, is made from a world of our own, where the page cannot interfere; and
only when the browser has confirmed it is Page enabled again. The page itself notices nothing.

What is lost meanwhile is told anew when the page is watched again. A page that opens a second dialog, navigates or
crashes in the same moment as it removes the iframe, kills the browser before anybody can do anything about it.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, ConnectionLost, SessionDetached
from cdp_typed.protocol import page, runtime, target
from supervisor.core.state.dialogs import Dialogs, Rescue, Rescues
from supervisor.core.state.frames import Frames, removed_by
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NAVIGATED, NO_SUCH_CONTEXT, OUR_WORLD
from supervisor.core.vocabulary.command_tags import OrphanCleared, OrphanWorld, SeedTree, WatchEnded
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import Answered, EventReceived, Input, Refused, StopRequested, TimerFired
from supervisor.core.vocabulary.timers import OrphanRetry, SeedDeadline

from .reconnect import left_behind

COMMAND_TIMEOUT_S = 5.0
RETRY_S = 10.0
"""Chromium ignores the navigation of a page that has made 200 of them within ten seconds."""

CLEAR = """(() => {
  const entry = () => window.navigation?.currentEntry?.id;
  const before = entry();
  history.replaceState(history.state, "");
  return before === undefined || before !== entry();
})()"""
"""A navigation to the same document under the same address. It gives the history entry a new id, unless the page
cancelled it or made too many of them. (A document without an origin has no such ids.)"""


def _endangered(
    rescues: Rescues, dialogs: Dialogs, received: Input, frames: Frames, targets: Targets
) -> frozenset[str]:
    """The pages that this input leaves with a dialog without an iframe: one that we know, or may not know, because the
    iframe did not answer; and those with a dialog that nobody saw. All slices are those before it."""
    match received:
        case TimerFired(SeedDeadline(session_id)) if session_id in rescues.suspects - rescues.tried:
            page_id = targets.sessions[session_id].page_id
            is_known = any(dialog.info.target_id == page_id for dialog in dialogs.open)
            return frozenset() if is_known else frozenset({page_id})
        case _:
            gone = removed_by(received, frames)
    pages = {one.info.target_id for one in dialogs.open if one.info.frame_id in gone and one.is_in_iframe}
    for frame_id in gone:
        frame = frames.nodes.get(frame_id)
        session = targets.sessions.get(frame.session_id) if frame else None
        if session is not None and (session.unresponsive or session.session_id in rescues.suspects):
            pages.add(session.page_id)
    return frozenset(pages)


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the pages whose dialog lost its iframe."""
    in_danger = _endangered(before.rescues, before.dialogs, received, before.frames, before.targets)
    in_danger |= frozenset(left_behind(before.dialogs, world.frames, world.targets).values())
    rescues, effects = _reduce(world.rescues, received, in_danger, world.targets.listening, world.frames)
    return replace(world, rescues=rescues), effects


def _reduce(
    rescues: Rescues, received: Input, in_danger: frozenset[str], targets: Targets, frames: Frames
) -> tuple[Rescues, Effects]:
    """Follow the rescues. `in_danger` are the pages that this input leaves with such a dialog; `targets` and `frames`
    are the slices after it."""
    effects: Effects = ()
    for page_id in sorted(in_danger - rescues.pages.keys()):
        rescues, more = _begin(rescues, page_id, targets)
        effects = (*effects, *more)
    rescues, more = _forget_gone(rescues, targets)
    effects = (*effects, *more)
    match received:
        case Answered(WatchEnded(session_id)) | Refused(WatchEnded(session_id)):
            rescues, more = _stop_watching(rescues, session_id, targets, frames)
        case Answered(OrphanWorld(page_id) | OrphanCleared(page_id), result) if page_id in rescues.pages:
            rescues, more = _go_on(rescues, page_id, result, targets)
        case Refused(OrphanWorld(page_id) | OrphanCleared(page_id), error) if page_id in rescues.pages:
            rescues, more = _fail(rescues, page_id, error, targets)
        case TimerFired(OrphanRetry(page_id)) if page_id in rescues.pages:
            more = _make_world(page_id, targets, frames)
        case EventReceived(str() as session_id, runtime.ExecutionContextCreated() as event):
            rescues, more = _meet_document(rescues, session_id, event.context, targets, frames)
        case Answered(SeedTree(session_id)):
            rescues, more = replace(rescues, suspects=rescues.suspects - {session_id}), ()
        case TimerFired(SeedDeadline(session_id)) if session_id in rescues.suspects:
            rescues, more = replace(rescues, tried=rescues.tried | {session_id}), ()
        case EventReceived(_, target.AttachedToTarget(target_info=info)) if info.target_id in rescues.pages:
            rescues, more = _begin(rescues, info.target_id, targets)  # a new session, and it listens
        case StopRequested():
            rescues, more = pause(rescues)
        case _:
            more = ()
    return rescues, (*effects, *more)


def _begin(rescues: Rescues, page_id: str, targets: Targets) -> tuple[Rescues, Effects]:
    """Let no session of the page be told of dialogs any more."""
    watching = frozenset(session.session_id for session in targets.pages() if session.target_id == page_id)
    disable = tuple(
        Send(command=page.Disable(), session_id=session_id, tag=WatchEnded(session_id), timeout_s=COMMAND_TIMEOUT_S)
        for session_id in sorted(watching)
    )
    return replace(rescues, pages={**rescues.pages, page_id: Rescue(watching)}), disable


def _stop_watching(rescues: Rescues, session_id: str, targets: Targets, frames: Frames) -> tuple[Rescues, Effects]:
    for page_id, rescue in rescues.pages.items():
        if session_id in rescue.watching:
            left = rescue.watching - {session_id}
            rescues = replace(rescues, pages={**rescues.pages, page_id: Rescue(left)})
            return rescues, () if left else _make_world(page_id, targets, frames)
    return rescues, ()


def _make_world(page_id: str, targets: Targets, frames: Frames) -> Effects:
    command = page.CreateIsolatedWorld(frame_id=page.FrameId(_top(page_id, frames)), world_name=OUR_WORLD)
    return _send(command, OrphanWorld(page_id), targets)


def _top(page_id: str, frames: Frames) -> str:
    """The top frame of a page has the page's id, unless it was prerendered."""
    top = frames.root(page_id)
    return top.frame_id if top is not None else page_id


def _send(command: Command[Any], tag: OrphanWorld | OrphanCleared, targets: Targets) -> Effects:
    session = targets.page(tag.page_id)
    assert session is not None, "a rescue ends with its page"
    return (Send(command=command, session_id=session.session_id, tag=tag, timeout_s=COMMAND_TIMEOUT_S),)


def _go_on(rescues: Rescues, page_id: str, result: object, targets: Targets) -> tuple[Rescues, Effects]:
    match result:
        case page.CreateIsolatedWorldResult():
            context_id = result.execution_context_id
            command = runtime.Evaluate(expression=CLEAR, context_id=context_id, return_by_value=True)
            return rescues, _send(command, OrphanCleared(page_id), targets)
        case runtime.EvaluateResult() if result.result.value is True:
            return _watch_again(rescues, page_id, targets)
        case _:
            return rescues, (Arm(OrphanRetry(page_id), RETRY_S),)


def _fail(rescues: Rescues, page_id: str, error: Exception, targets: Targets) -> tuple[Rescues, Effects]:
    if isinstance(error, ConnectionLost | SessionDetached):
        return rescues, ()
    if isinstance(error, CommandError) and error.message in NAVIGATED | NO_SUCH_CONTEXT:
        return _watch_again(rescues, page_id, targets)
    return rescues, (Arm(OrphanRetry(page_id), RETRY_S),)


def pause(rescues: Rescues) -> tuple[Rescues, Effects]:
    """Without a connection nothing can be done, and nobody of us is told of dialogs."""
    paused = {page_id: Rescue(frozenset()) for page_id in rescues.pages}
    return Rescues(pages=paused), tuple(Disarm(OrphanRetry(page_id)) for page_id in paused)


def _meet_document(
    rescues: Rescues, session_id: str, context: runtime.ExecutionContextDescription, targets: Targets, frames: Frames
) -> tuple[Rescues, Effects]:
    """A new top document: with the old one, its dialogs have ended."""
    session, details = targets.sessions.get(session_id), context.aux_data or {}
    if session is None or not details.get("isDefault") or details.get("frameId") != _top(session.target_id, frames):
        return rescues, ()
    return _watch_again(rescues, session.target_id, targets) if session.target_id in rescues.pages else (rescues, ())


def _watch_again(rescues: Rescues, page_id: str, targets: Targets) -> tuple[Rescues, Effects]:
    """The page can be watched as before."""
    asked = {one.session_id for one in targets.sessions.values() if one.page_id == page_id and one.is_iframe}
    left = {key: rescue for key, rescue in rescues.pages.items() if key != page_id}
    return replace(rescues, pages=left, suspects=rescues.suspects | asked), (Disarm(OrphanRetry(page_id)),)


def _forget_gone(rescues: Rescues, targets: Targets) -> tuple[Rescues, Effects]:
    gone = [page_id for page_id in rescues.pages if targets.page(page_id) is None]
    suspects, tried = rescues.suspects & targets.sessions.keys(), rescues.tried & targets.sessions.keys()
    if not gone and (suspects, tried) == (rescues.suspects, rescues.tried):
        return rescues, ()
    left = {page_id: rescue for page_id, rescue in rescues.pages.items() if page_id not in gone}
    return Rescues(pages=left, suspects=suspects, tried=tried), tuple(Disarm(OrphanRetry(page_id)) for page_id in gone)
