"""Slice: works around a Chromium 156 crash: ends a dialog whose iframe was detached.

Measured on Chromium 156: when a dialog ends (answered, replaced by another, or ended by a navigation or the closing of
its page) after its iframe was removed, the browser process crashes if any session of the page has Page enabled. So, as
soon as such an iframe is detached, Page is disabled on all sessions of the page; then a same-document navigation of the
top document, which ends every dialog of its page, is made in an isolated world, where the page cannot interfere; and
only after the reply is Page enabled again. The page itself notices nothing.

Events that are missed meanwhile are made up for by the new set-up. A page that opens a second dialog, navigates or
crashes in the same moment as it removes the iframe crashes the browser, and no client can prevent it.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, ConnectionLost, SessionDetached
from cdp_typed.protocol import page, runtime, target
from supervisor.core.state.dialogs import DetachedFrameDialog, DetachedFrameDialogs, Dialogs
from supervisor.core.state.frames import Frames, removed_by
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import NAVIGATED, NO_SUCH_CONTEXT, OUR_WORLD
from supervisor.core.vocabulary.command_tags import (
    DetachedDialogEnded,
    DetachedDialogWorld,
    FrameTreeReply,
    PageDisabled,
)
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import (
    CommandFailed,
    CommandSucceeded,
    EventReceived,
    Input,
    StopRequested,
    TimerFired,
)
from supervisor.core.vocabulary.timers import DetachedDialogRetry, SetupDeadline

from .reconnect import without_frame

COMMAND_TIMEOUT_S = 5.0
RETRY_S = 10.0
"""Chromium ignores the navigation of a page that has made 200 of them within ten seconds."""

CLEAR = """(() => {
  const entry = () => window.navigation?.currentEntry?.id;
  const before = entry();
  history.replaceState(history.state, "");
  return before === undefined || before !== entry();
})()"""
"""A same-document navigation to the same URL. It gives the history entry a new id, unless the page cancelled it or made
too many of them. (A document with an opaque origin has no such ids.)"""


def _endangered(
    detached: DetachedFrameDialogs, dialogs: Dialogs, received: Input, frames: Frames, targets: Targets
) -> frozenset[str]:
    """Return the pages with a dialog whose iframe this input detaches: a known dialog, or one that may be there because
    the iframe did not answer; and pages with a dialog that was not announced. All slices are those before the input."""
    match received:
        case TimerFired(SetupDeadline(session_id)) if session_id in detached.suspects - detached.tried:
            page_id = targets.sessions[session_id].page_id
            is_known = any(dialog.info.target_id == page_id for dialog in dialogs.open)
            return frozenset() if is_known else frozenset({page_id})
        case _:
            gone = removed_by(received, frames)
    pages = {dialog.info.target_id for dialog in dialogs.open if dialog.info.frame_id in gone and dialog.is_in_iframe}
    for frame_id in gone:
        frame = frames.nodes.get(frame_id)
        session = targets.sessions.get(frame.session_id) if frame else None
        if session is not None and (session.unresponsive or session.session_id in detached.suspects):
            pages.add(session.page_id)
    return frozenset(pages)


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the pages with a dialog whose iframe was detached."""
    in_danger = _endangered(before.detached_frame_dialogs, before.dialogs, received, before.frames, before.targets)
    in_danger |= frozenset(without_frame(before.dialogs, world.frames, world.targets).values())
    detached, effects = _reduce(
        world.detached_frame_dialogs, received, in_danger, world.targets.listening, world.frames
    )
    return replace(world, detached_frame_dialogs=detached), effects


def _reduce(
    detached: DetachedFrameDialogs, received: Input, in_danger: frozenset[str], targets: Targets, frames: Frames
) -> tuple[DetachedFrameDialogs, Effects]:
    """Follow such pages. `in_danger` are those that this input adds; `targets` and `frames` are the slices after it."""
    effects: Effects = ()
    for page_id in sorted(in_danger - detached.pages.keys()):
        detached, more = _begin(detached, page_id, targets)
        effects = (*effects, *more)
    detached, more = _forget_gone(detached, targets)
    effects = (*effects, *more)
    match received:
        case CommandSucceeded(PageDisabled(session_id)) | CommandFailed(PageDisabled(session_id)):
            detached, more = _stop_watching(detached, session_id, targets, frames)
        case CommandSucceeded(DetachedDialogWorld(page_id) | DetachedDialogEnded(page_id), result) if (
            page_id in detached.pages
        ):
            detached, more = _on_reply(detached, page_id, result, targets)
        case CommandFailed(DetachedDialogWorld(page_id) | DetachedDialogEnded(page_id), error) if (
            page_id in detached.pages
        ):
            detached, more = _on_error(detached, page_id, error, targets)
        case TimerFired(DetachedDialogRetry(page_id)) if page_id in detached.pages:
            more = _make_world(page_id, targets, frames)
        case EventReceived(str() as session_id, runtime.ExecutionContextCreated() as event):
            detached, more = _meet_document(detached, session_id, event.context, targets, frames)
        case CommandSucceeded(FrameTreeReply(session_id)):  # a frame that shows a dialog does not reply
            detached, more = replace(detached, suspects=detached.suspects - {session_id}), ()
        case TimerFired(SetupDeadline(session_id)) if session_id in detached.suspects:
            # Once only: a frame that runs a long script does not reply either.
            detached, more = replace(detached, tried=detached.tried | {session_id}), ()
        case EventReceived(_, target.AttachedToTarget(target_info=info)) if info.target_id in detached.pages:
            detached, more = _begin(detached, info.target_id, targets)  # its new session has Page enabled
        case StopRequested():
            detached, more = pause(detached)
        case _:
            more = ()
    return detached, (*effects, *more)


def _begin(detached: DetachedFrameDialogs, page_id: str, targets: Targets) -> tuple[DetachedFrameDialogs, Effects]:
    """Disable Page on all sessions of the page."""
    watching = frozenset(session.session_id for session in targets.pages() if session.target_id == page_id)
    disable = tuple(
        Send(command=page.Disable(), session_id=session_id, tag=PageDisabled(session_id), timeout_s=COMMAND_TIMEOUT_S)
        for session_id in sorted(watching)
    )
    return replace(detached, pages={**detached.pages, page_id: DetachedFrameDialog(watching)}), disable


def _stop_watching(
    detached: DetachedFrameDialogs, session_id: str, targets: Targets, frames: Frames
) -> tuple[DetachedFrameDialogs, Effects]:
    for page_id, entry in detached.pages.items():
        if session_id in entry.watching:
            left = entry.watching - {session_id}
            detached = replace(detached, pages={**detached.pages, page_id: DetachedFrameDialog(left)})
            return detached, () if left else _make_world(page_id, targets, frames)
    return detached, ()


def _make_world(page_id: str, targets: Targets, frames: Frames) -> Effects:
    command = page.CreateIsolatedWorld(frame_id=page.FrameId(_top(page_id, frames)), world_name=OUR_WORLD)
    return _send(command, DetachedDialogWorld(page_id), targets)


def _top(page_id: str, frames: Frames) -> str:
    """Return the id of the top frame, which is the target id unless the page was prerendered."""
    top = frames.root(page_id)
    return top.frame_id if top is not None else page_id


def _send(command: Command[Any], tag: DetachedDialogWorld | DetachedDialogEnded, targets: Targets) -> Effects:
    session = targets.page(tag.page_id)
    assert session is not None, "the entry of a page ends with the page"
    return (Send(command=command, session_id=session.session_id, tag=tag, timeout_s=COMMAND_TIMEOUT_S),)


def _on_reply(
    detached: DetachedFrameDialogs, page_id: str, result: object, targets: Targets
) -> tuple[DetachedFrameDialogs, Effects]:
    match result:
        case page.CreateIsolatedWorldResult():
            context_id = result.execution_context_id
            command = runtime.Evaluate(expression=CLEAR, context_id=context_id, return_by_value=True)
            return detached, _send(command, DetachedDialogEnded(page_id), targets)
        case runtime.EvaluateResult() if result.result.value is True:
            return _watch_again(detached, page_id, targets)
        case _:
            return detached, (Arm(DetachedDialogRetry(page_id), RETRY_S),)


def _on_error(
    detached: DetachedFrameDialogs, page_id: str, error: Exception, targets: Targets
) -> tuple[DetachedFrameDialogs, Effects]:
    if isinstance(error, ConnectionLost | SessionDetached):
        return detached, ()
    if isinstance(error, CommandError) and error.message in NAVIGATED | NO_SUCH_CONTEXT:
        return _watch_again(detached, page_id, targets)
    return detached, (Arm(DetachedDialogRetry(page_id), RETRY_S),)


def pause(detached: DetachedFrameDialogs) -> tuple[DetachedFrameDialogs, Effects]:
    """Stop all work on the dialogs: without a connection, no session has Page enabled."""
    paused = {page_id: DetachedFrameDialog(frozenset()) for page_id in detached.pages}
    return DetachedFrameDialogs(pages=paused), tuple(Disarm(DetachedDialogRetry(page_id)) for page_id in paused)


def _meet_document(
    detached: DetachedFrameDialogs,
    session_id: str,
    context: runtime.ExecutionContextDescription,
    targets: Targets,
    frames: Frames,
) -> tuple[DetachedFrameDialogs, Effects]:
    """Enable Page again when a new top document is there: the dialogs have ended with the old one."""
    session, details = targets.sessions.get(session_id), context.aux_data or {}
    if session is None or not details.get("isDefault") or details.get("frameId") != _top(session.target_id, frames):
        return detached, ()
    return _watch_again(detached, session.target_id, targets) if session.target_id in detached.pages else (detached, ())


def _watch_again(
    detached: DetachedFrameDialogs, page_id: str, targets: Targets
) -> tuple[DetachedFrameDialogs, Effects]:
    """Remove the page's entry: `sessions.watch_again` then enables Page again."""
    probed = {
        session.session_id for session in targets.sessions.values() if session.page_id == page_id and session.is_iframe
    }
    left = {key: entry for key, entry in detached.pages.items() if key != page_id}
    return replace(detached, pages=left, suspects=detached.suspects | probed), (Disarm(DetachedDialogRetry(page_id)),)


def _forget_gone(detached: DetachedFrameDialogs, targets: Targets) -> tuple[DetachedFrameDialogs, Effects]:
    gone = [page_id for page_id in detached.pages if targets.page(page_id) is None]
    suspects, tried = detached.suspects & targets.sessions.keys(), detached.tried & targets.sessions.keys()
    if not gone and (suspects, tried) == (detached.suspects, detached.tried):
        return detached, ()
    left = {page_id: entry for page_id, entry in detached.pages.items() if page_id not in gone}
    return DetachedFrameDialogs(pages=left, suspects=suspects, tried=tried), tuple(
        Disarm(DetachedDialogRetry(page_id)) for page_id in gone
    )
