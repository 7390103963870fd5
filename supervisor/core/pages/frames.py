"""Slice: the frames of all pages, the session of each document, and its default script context."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from msgspec.structs import replace

from cdp_typed.protocol import inspector, page, runtime, target
from supervisor.core.state.frames import Context, Frame, Frames
from supervisor.core.state.pages import Targets
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import INITIAL_URL, NO_ORIGIN, NO_URL
from supervisor.core.vocabulary.command_tags import ChildAutoAttach, FrameTreeReply
from supervisor.core.vocabulary.effects import Arm, Disarm, Effects, Send
from supervisor.core.vocabulary.inputs import AllAnnounced, CommandSucceeded, EventReceived, Input, TimerFired
from supervisor.core.vocabulary.timers import FrameMoveDeadline, UnloadedFramesCheck

MAX_GONE = 500

MOVED_WITHIN_S = 5.0
"""The deadline for a frame between two processes. Chromium 156 needs milliseconds."""


LOADED_WITHIN_S = 5.0
"""The time after which a frame without a document is looked for in the frame tree."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Follow the frame tree over all sessions."""
    old = replace(world.frames, touched=()) if world.frames.touched else world.frames
    frames, effects = _reduce(old, received, world.targets, world.page_ownership.opened)
    if frames is old:
        return world, effects
    removed = tuple(key for key in dict.fromkeys(frames.touched) if key in old.nodes and key not in frames.nodes)
    if removed:
        frames = replace(frames, gone=(*frames.gone, *removed)[-MAX_GONE:])
    return replace(world, frames=frames), (*effects, *_watch_moves(old, frames))


def _reduce(frames: Frames, received: Input, targets: Targets, opened: Collection[str]) -> tuple[Frames, Effects]:
    match received:
        case EventReceived(parent, target.AttachedToTarget() as event):
            frames = _attach_target(frames, parent, event, targets)
            # The session may have replaced another one of its page.
            is_orphaned = any(_is_orphan(frame, targets) for frame in frames.of_page(event.target_info.target_id))
            return _drop_unfollowed(frames, targets) if is_orphaned else frames, ()
        case EventReceived(_, target.DetachedFromTarget()) | AllAnnounced():
            return _drop_unfollowed(frames, targets), ()
        case TimerFired(FrameMoveDeadline(frame_id)):
            return _drop(frames, lambda frame: frame.frame_id == frame_id and frame.is_moving), ()
        case CommandSucceeded(FrameTreeReply(session_id), page.GetFrameTreeResult() as result):
            frames = _take_frame_tree(
                _note_empty(frames, result.frame_tree.frame, opened), session_id, result.frame_tree, targets
            )
            frames = _drop_removed(frames, session_id, result.frame_tree)
            return _drop_unseen(frames, session_id, targets), _ask_whether_loaded(frames, session_id, result.frame_tree)
        case TimerFired(UnloadedFramesCheck(session_id)):
            frames = replace(frames, checked=frames.checked - {session_id})
            asks = any(frame.session_id == session_id and frame.is_unloaded for frame in frames.nodes.values())
            return frames, (_ask_for_frame_tree(session_id),) if asks and session_id in targets.sessions else ()
        case CommandSucceeded(ChildAutoAttach(session_id)):
            return _drop_unseen(frames, session_id, targets), ()
        case EventReceived(str() as session_id, event) if session_id in targets.sessions:
            return _follow(frames, session_id, event, targets)
        case _:
            return frames, ()


def on_disconnected(frames: Frames) -> tuple[Frames, Effects]:
    """Remove all script contexts and mark all frames stale: they may still exist after a reconnect."""
    stale = Frames(
        limits=frames.limits,
        nodes={key: replace(frame, stale=True, is_moving=False) for key, frame in frames.nodes.items()},
        tops=frames.tops,
        below=frames.below,
        misplaced=frames.misplaced,
    )
    return stale, _watch_moves(frames, stale)


def _watch_moves(before: Frames, after: Frames) -> Effects:
    """Arm a deadline for each frame that is between two processes."""
    begun = tuple(Arm(FrameMoveDeadline(key), MOVED_WITHIN_S) for key in sorted(after.moving - before.moving))
    return (*begun, *(Disarm(FrameMoveDeadline(key)) for key in sorted(before.moving - after.moving)))


def _move_out(frames: Frames, targets: Targets) -> Frames:
    """Mark out-of-process iframes as moving whose session has ended and that were not removed.

    Measured on Chromium 150 and 156: of a frame that is removed, `Page.frameDetached` comes before the end of its
    session. One that moves to the process of its parent gets `Page.frameAttached` next, with the same id; when the
    parent itself has navigated, the parent's `Page.frameNavigated` is next.
    """
    for frame in list(frames.nodes.values()):
        if frame.frame_id not in frames.nodes:  # it was below a frame that moves
            continue
        above = frames.nodes.get(frame.parent_id or "")
        if not frame.is_oopif or frame.stale or frame.session_id in targets.sessions or above is None:
            continue
        if above.session_id not in targets.sessions:
            continue
        frames = frames.without([below.frame_id for below in frames.descendants(frame.frame_id)])
        moving = replace(frame, session_id=above.session_id, is_oopif=False, is_loading=True, is_moving=True)
        frames = frames.with_frames(moving).without_contexts((frame.frame_id,))
    return frames


def _drop_unfollowed(frames: Frames, targets: Targets) -> Frames:
    frames = _move_out(frames, targets)
    return _drop(frames, lambda frame: _is_orphan(frame, targets))


def _is_orphan(frame: Frame, targets: Targets) -> bool:
    return (frame.session_id not in targets.sessions and not frame.stale) or targets.page(frame.page_id) is None


def _drop_unseen(frames: Frames, session_id: str, targets: Targets) -> Frames:
    """Remove stale frames below a session that has reported all its frames: they were removed during the reconnect."""
    session = targets.sessions.get(session_id)
    if session is None or not session.is_known:
        return frames
    in_session = {frame.frame_id for frame in frames.nodes.values() if frame.session_id == session_id}
    return _drop(frames, lambda frame: frame.stale and frame.parent_id in in_session)


def _check_later(frames: Frames, session_id: str) -> tuple[Frames, Effects]:
    """Ask for the frame tree later. Measured on Chromium 156: of a thousand iframes that come and go, the removal of
    two is never announced."""
    if session_id in frames.checked:
        return frames, ()
    check = Arm(UnloadedFramesCheck(session_id), LOADED_WITHIN_S)
    return replace(frames, checked=frames.checked | {session_id}), (check,)


def _drop_removed(frames: Frames, session_id: str, tree: page.FrameTree) -> Frames:
    """Remove the frames of a session that never showed a document and that its frame tree does not have."""
    present = set(_ids(tree))
    return _drop(
        frames,
        lambda frame: frame.session_id == session_id and frame.is_unloaded and frame.frame_id not in present,
    )


def _ids(tree: page.FrameTree) -> Iterator[str]:
    yield tree.frame.id
    for child in tree.child_frames or ():
        yield from _ids(child)


def _follow(frames: Frames, session_id: str, event: object, targets: Targets) -> tuple[Frames, Effects]:
    match event:
        case page.FrameAttached():
            return _check_later(_attach(frames, session_id, event, targets), session_id)
        case page.FrameNavigated():
            return _navigate(frames, session_id, event, targets)
        case page.NavigatedWithinDocument():
            frame = frames.nodes.get(event.frame_id)
            return (_put(frames, replace(frame, url=event.url)) if frame else frames), ()
        case page.FrameStartedLoading():
            return _set_loading(frames, session_id, event.frame_id, True), ()
        case page.FrameStoppedLoading():
            return _set_loading(frames, session_id, event.frame_id, False), ()
        case page.LifecycleEvent():
            return _note_lifecycle(frames, event), ()
        case page.FrameDetached() if event.reason != "swap":  # a swapped frame lives on in another process
            frame = frames.nodes.get(event.frame_id)
            if frame is not None and not event.reason and frame.session_id != session_id:
                return frames, ()  # Chrome 83 does not tell the reason
            return (_drop_subtree(frames, frame) if frame else frames), ()
        case runtime.ExecutionContextCreated():
            return _on_context_created(frames, session_id, event.context, targets)
        case runtime.ExecutionContextDestroyed():
            # The numbers of contexts begin anew in each process, so that the event may mean an earlier context.
            frame_id = frames.frame_of_context(session_id, event.execution_context_id) or ""
            context = frames.context_in(session_id, frame_id)
            is_ended = context is not None and _is_context(context, event)
            return frames.without_contexts((frame_id,), session_id) if is_ended else frames, ()
        case runtime.ExecutionContextsCleared() | inspector.TargetCrashed():
            frames = frames.without_contexts(tuple(frames.numbers.get(session_id, {}).values()), session_id)
            around = frames.of_page(targets.sessions[session_id].page_id)
            in_session = {frame.frame_id: frame.loader_id for frame in around if frame.session_id == session_id}
            return replace(frames, left={**frames.left, **in_session}), ()
        case _:
            return frames, ()


def _attach_target(frames: Frames, parent: str | None, event: target.AttachedToTarget, targets: Targets) -> Frames:
    session = targets.sessions.get(event.session_id)
    if session is None:
        return frames
    above = targets.sessions.get(parent) if parent else None
    known = frames.nodes.get(session.target_id)
    parent_id = event.target_info.parent_frame_id or (known.parent_id if known else None)
    # Measured on Chromium 156: a page that was opened empty has often loaded before Page is enabled, while one that
    # is loading has its URL here, or none.
    is_loading = event.waiting_for_debugger and event.target_info.url != INITIAL_URL
    frame = Frame(
        frame_id=session.target_id,  # measured: the target id of a page or OOPIF is the id of its root frame
        parent_id=(parent_id or (above.target_id if above else None)) if session.is_iframe else None,
        page_id=session.page_id,
        session_id=session.session_id,
        named_parent=parent_id if session.is_iframe else None,
        is_oopif=session.is_iframe,
        loader_id=known.loader_id if known else "",
        url=event.target_info.url or (known.url if known else ""),
        origin=known.origin if known else "",
        name=known.name if known else "",
        is_loading=is_loading,
        is_loading_assumed=is_loading,
        is_moving=known is not None and known.is_moving,
    )
    return _put(frames, frame)


def _note_empty(frames: Frames, document: page.Frame, opened: Collection[str]) -> Frames:
    """Mark a page that the supervisor opened as loaded when it shows `about:blank`: Chrome 131 announces it without its
    URL, and sends no `Page.frameStoppedLoading`."""
    known = frames.nodes.get(document.id)
    if known is None or known.loader_id or document.url != INITIAL_URL or known.page_id not in opened:
        return frames
    return frames.with_frames(replace(known, is_loading=False))


def _take_frame_tree(frames: Frames, session_id: str, tree: page.FrameTree, targets: Targets) -> Frames:
    """Add the frames of a tree. It omits the children in other processes: those are announced as targets."""
    if session_id not in targets.sessions:
        return frames
    frames = _put_document(frames, session_id, tree.frame, targets)
    for child in tree.child_frames or ():
        if not _has_left(frames.nodes.get(child.frame.id), session_id, targets):
            frames = _take_frame_tree(frames, session_id, child, targets)
    return frames


def _has_left(frame: Frame | None, session_id: str, targets: Targets) -> bool:
    """Return True for an iframe that has its own process. Measured on Chromium 156: its parent's process lists it
    until it has seen it go, after the new process has announced its document. One that comes back gets
    `Page.frameAttached` first."""
    if frame is None or frame.stale or not frame.is_oopif:
        return False
    return frame.session_id != session_id and frame.session_id in targets.sessions


def _attach(frames: Frames, session_id: str, event: page.FrameAttached, targets: Targets) -> Frames:
    known = frames.nodes.get(event.frame_id)
    frame = Frame(
        frame_id=event.frame_id,
        parent_id=event.parent_frame_id,
        page_id=targets.sessions[session_id].page_id,
        session_id=session_id,
        named_parent=event.parent_frame_id,
        loader_id=known.loader_id if known else "",
        url=known.url if known else INITIAL_URL,
        origin=known.origin if known else "",
        name=known.name if known else "",
        is_loading=known.is_loading if known else False,
        is_moving=known is not None and known.is_moving,
    )
    return _put(frames, frame)


def _navigate(frames: Frames, session_id: str, event: page.FrameNavigated, targets: Targets) -> tuple[Frames, Effects]:
    is_restored = event.type == "BackForwardCacheRestore"
    # Measured on Chromium 156: a page from this cache has its OOPIFs announced before itself, and no other iframe.
    for below in tuple(frames.descendants(event.frame.id)):
        if (not is_restored or below.session_id == session_id) and below.frame_id in frames.nodes:
            frames = _drop_subtree(frames, below)
    frames = _put_document(frames, session_id, event.frame, targets)
    return frames, (_ask_for_frame_tree(session_id),) if is_restored else ()


def _put_document(frames: Frames, session_id: str, document: page.Frame, targets: Targets) -> Frames:
    session = targets.sessions[session_id]
    known = frames.nodes.get(document.id)
    frame = Frame(
        frame_id=document.id,
        parent_id=document.parent_id or (known.parent_id if known else None),
        page_id=session.page_id,
        session_id=session_id,
        named_parent=document.parent_id or (known.named_parent if known else None),
        is_oopif=session.is_iframe and session.target_id == document.id,
        loader_id=document.loader_id,
        url=document.url + (document.url_fragment or ""),
        origin="null" if document.security_origin == NO_ORIGIN else document.security_origin,
        name=document.name or (known.name if known else ""),  # an OOPIF's own session does not report its name
        is_loading=known.is_loading if known and not known.stale else False,
        is_loading_assumed=known is not None and known.is_loading_assumed,
        is_network_idle=known is not None and known.loader_id == document.loader_id and known.is_network_idle,
    )
    if document.url in NO_URL:  # the initial empty document of a process
        frame = replace(
            frame,
            loader_id=known.loader_id if known else "",
            url=known.url if known else INITIAL_URL,
            origin=known.origin if known else "",
            is_moving=known is not None and known.is_moving,
        )
    if frame.parent_id is None:  # a page has one top frame: one that was swapped in replaces the old one
        old = frames.root(frame.page_id)
        if old is not None and old.frame_id != frame.frame_id:
            return _replace_top(frames, old, frame)
    return _put(frames, frame)


def _replace_top(frames: Frames, old: Frame, new: Frame) -> Frames:
    """Replace the top frame of a page. Measured on Chromium 156: a prerendered page has another top frame, and iframes
    whose sessions may be announced before it."""
    early = [below for below in frames.descendants(old.frame_id) if below.named_parent not in (None, *frames.nodes)]
    frames = frames.with_frames(*(replace(below, parent_id=new.frame_id) for below in early))
    return _drop_subtree(_put(frames, new), old)


def _set_loading(frames: Frames, session_id: str, frame_id: str, is_loading: bool) -> Frames:
    frame = frames.nodes.get(frame_id)
    if frame is None or frame.session_id != session_id:  # an event of a process that the frame has left
        return frames
    return _put(frames, replace(frame, is_loading=is_loading, is_loading_assumed=False))


def _ask_whether_loaded(frames: Frames, session_id: str, tree: page.FrameTree) -> Effects:
    """Have the events of a document repeated that was there before Page was enabled.

    Measured on Chromium 156 on a busy machine: a page that another client opened is announced as one that waits, and
    has loaded when it is asked for its frames. No `Page.frameStoppedLoading` comes then.
    """
    frame = frames.nodes.get(tree.frame.id)
    if frame is None or not (frame.is_loading_assumed and frame.loader_id):
        return ()
    return (Send(command=page.SetLifecycleEventsEnabled(enabled=True), session_id=session_id),)


def _note_lifecycle(frames: Frames, event: page.LifecycleEvent) -> Frames:
    frame = frames.nodes.get(event.frame_id)
    if frame is None or frame.loader_id != event.loader_id:
        return frames
    if event.name == "networkIdle":
        return _put(frames, replace(frame, is_network_idle=True))
    if event.name == "load" and frame.is_loading_assumed:
        return _set_loading(frames, frame.session_id, frame.frame_id, False)
    return frames


def _on_context_created(
    frames: Frames, session_id: str, context: runtime.ExecutionContextDescription, targets: Targets
) -> tuple[Frames, Effects]:
    details = context.aux_data or {}  # a worker's context has none
    frame_id = details.get("frameId")
    if not details.get("isDefault") or not isinstance(frame_id, str):
        return frames, ()
    order = frames.contexts_count + 1
    opened = Context(
        unique_id=context.unique_id or None,
        session_id=session_id,
        number=context.id,
        origin=context.origin,
        order=order,
    )
    was_asked = any(key not in frames.nodes for key in frames.numbers.get(session_id, {}).values())
    frames = replace(frames.with_context(frame_id, opened), contexts_count=order)
    known = frames.nodes.get(frame_id)
    loader_id = known.loader_id if known is not None else ""
    if (
        (loader_id and frames.left.get(frame_id) != loader_id)
        or was_asked
        or not targets.sessions[session_id].has_frame_tree
    ):
        return frames, ()
    # Measured on Chromium 156: nothing else is announced of the frames of a page that was prerendered before it was
    # attached, nor of the document of an iframe with a `javascript:` URL. Chrome 131 may not announce a document that
    # follows a failed one at once (11 of 30): only its context is.
    left = {key: loader for key, loader in frames.left.items() if key != frame_id}
    return replace(frames, left=left), (_ask_for_frame_tree(session_id),)


def _ask_for_frame_tree(session_id: str) -> Send:
    return Send(command=page.GetFrameTree(), session_id=session_id, tag=FrameTreeReply(session_id))


def _is_context(context: Context, event: runtime.ExecutionContextDestroyed) -> bool:
    return not event.execution_context_unique_id or context.unique_id == event.execution_context_unique_id


def _put(frames: Frames, frame: Frame) -> Frames:
    is_new = frame.frame_id not in frames.nodes
    frames = frames.with_frames(_placed(frames, frame))
    for key in sorted(frames.misplaced) if is_new else ():
        waiting = frames.nodes[key]
        if waiting.named_parent == frame.frame_id:
            frames = frames.with_frames(_placed(frames, replace(waiting, parent_id=frame.frame_id)))
    return frames


def _placed(frames: Frames, frame: Frame) -> Frame:
    """Return the frame with a parent that exists: the named one, else the top frame of its page."""
    below = {frame.frame_id, *(child.frame_id for child in frames.descendants(frame.frame_id))}
    if frame.parent_id is None or (frame.parent_id in frames.nodes and frame.parent_id not in below):
        return frame
    top = frames.root(frame.page_id)
    return replace(frame, parent_id=top.frame_id if top and top.frame_id not in below else None)


def _drop_subtree(frames: Frames, top: Frame) -> Frames:
    return frames.without([top.frame_id, *(frame.frame_id for frame in frames.descendants(top.frame_id))])


def _drop(frames: Frames, drops: Callable[[Frame], bool]) -> Frames:
    """Remove frames, everything below them, and their contexts."""
    for frame in tuple(frames.nodes.values()):
        if drops(frame) and frame.frame_id in frames.nodes:
            frames = _drop_subtree(frames, frame)
    return frames
