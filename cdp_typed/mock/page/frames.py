"""Iframes: how they appear, move between processes, and go."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.page.dialogs import orphan
from cdp_typed.mock.page.documents import fail_promises, forget_processes, install, show
from cdp_typed.mock.runtime.execution_contexts import clear_contexts
from cdp_typed.mock.site import SRCDOC_URL, Page, origin_of, resolve, site_of
from cdp_typed.mock.state.browser import Frame, Navigation, Target
from cdp_typed.mock.state.http import HttpResponse
from cdp_typed.mock.state.step import Turn, base_of, home_of
from cdp_typed.mock.target.attachment import auto_attach_new, detach, discoverers, info, info_changed, remove_target
from cdp_typed.mock.target.workers import end_workers

__all__ = [
    "attach_frames",
    "commit_child",
    "finish_swap",
    "is_oopif",
    "leave_process",
    "navigate_child",
    "purge_children",
    "remove_frame",
    "request_navigation",
]


def is_oopif(frame: Frame) -> bool:
    """Whether the frame is the root of an out-of-process iframe."""
    return frame.parent is not None and frame.target == frame.id


def attach_frames(turn: Turn, frame: Frame) -> list[Navigation]:
    """Make the iframes of the frame's document; the navigations they start with are returned."""
    started: list[Navigation] = []
    for element in frame.document.frames:
        child = Frame(turn.new_id(), frame.id, frame.target, frame.page, name=element.name, loading="committing")
        turn.put_frame(child)
        url = SRCDOC_URL if element.srcdoc is not None else resolve(base_of(frame), element.url)
        turn.tell(frame.target, "Page.frameAttached", {"frameId": child.id, "parentFrameId": frame.id})
        _requested(turn, frame.target, child.id, url, "initialFrameNavigation")
        started.append(_start(turn, child, url, element.srcdoc))
    return started


def _requested(turn: Turn, target: str, frame: str, url: str, reason: str) -> None:
    params = {"frameId": frame, "reason": reason, "url": url, "disposition": "currentTab"}
    turn.tell(target, "Page.frameRequestedNavigation", params)


def _start(turn: Turn, frame: Frame, url: str, srcdoc: Page | None = None) -> Navigation:
    answer = None if srcdoc is None else HttpResponse(200, page=srcdoc)
    navigation = Navigation(frame.id, url, turn.new_id(), answer=answer)
    params = {
        "frameId": frame.id,
        "url": url,
        "loaderId": navigation.loader,
        "navigationType": "differentDocument",
    }
    turn.tell(frame.target, "Page.frameStartedNavigating", params)
    turn.tell(frame.target, "Page.frameStartedLoading", {"frameId": frame.id})
    return navigation


def navigate_child(turn: Turn, frame_id: str, url: str, *, base: str, srcdoc: Page | None = None) -> None:
    """A script gives an iframe another address, or document; it commits after what is to be done already."""
    frame = turn.state.frames[frame_id]
    url = resolve(base, url)
    parent = turn.state.frames[frame.parent or ""].target
    local = frame.target == parent
    if local:
        params = {"frameId": frame.id, "delay": 0, "reason": "scriptInitiated", "url": url}
        turn.tell(parent, "Page.frameScheduledNavigation", params)
    _requested(turn, parent, frame.id, url, "scriptInitiated")
    navigation = _start(turn, frame, url, srcdoc)
    if local:
        turn.tell(parent, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    turn.then(navigation)


def request_navigation(turn: Turn, frame: Frame, url: str) -> Navigation:
    """A client gives an iframe another address: no script asked, so the parent hears of no request."""
    navigation = _start(turn, frame, url)
    turn.then(navigation)
    return navigation


def leave_process(turn: Turn, navigation: Navigation) -> None:
    """An OOPIF that is frozen by a dialog starts to leave its process: its sessions go now, its document later."""
    frame = turn.state.frames.get(navigation.frame)
    if frame is not None and is_oopif(frame) and site_of(navigation.url) != site_of(frame.url):
        for session in list(turn.sessions_of(frame.target)):
            detach(turn, session)


def commit_child(turn: Turn, navigation: Navigation) -> None:
    """An iframe's new document arrives: in its parent's process, or in one of its own."""
    frame = turn.state.frames[navigation.frame]
    parent = turn.state.frames[frame.parent or ""]
    purge_children(turn, frame)
    end_workers(turn, frame)
    fail_promises(turn, frame.id)
    stays_local = origin_of(navigation.url) == "://" or site_of(navigation.url) == site_of(home_of(parent))
    if stays_local:
        _commit_local(turn, frame, parent, navigation)
    elif is_oopif(frame):
        _show_remote(turn, install(turn, frame, navigation), clears=2)
    else:
        _commit_remote(turn, frame, parent, navigation)


def _commit_local(turn: Turn, frame: Frame, parent: Frame, navigation: Navigation) -> None:
    if is_oopif(frame):
        remove_target(turn, turn.state.targets[frame.id])
        frame = replace(frame, target=parent.target, contexts=())
        turn.tell(parent.target, "Page.frameAttached", {"frameId": frame.id, "parentFrameId": parent.id})
    _destroy_contexts(turn, frame, frame.target)
    show(turn, install(turn, replace(frame, inherits=home_of(parent)), navigation), clears=0)
    forget_processes(turn, frame.page)


def _commit_remote(turn: Turn, frame: Frame, parent: Frame, navigation: Navigation) -> None:
    turn.put_frame(replace(install(turn, frame, navigation), contexts=frame.contexts, loading="committing"))
    context = turn.state.targets[frame.page].context
    target = Target(frame.id, "iframe", frame.page, parent=parent.target, parent_frame=parent.id, context=context)
    turn.put_target(target)
    turn.emit(discoverers(turn, target), "Target.targetCreated", {"targetInfo": info(turn, target)})
    auto_attach_new(turn, target, parent.target)
    if not turn.state.targets[target.id].waiting:
        finish_swap(turn, target.id)


def finish_swap(turn: Turn, target_id: str) -> None:
    """Nothing holds the OOPIF any more: its document commits, and the frame leaves its parent's process."""
    frame = turn.state.frames[target_id]
    old_contexts = frame.contexts
    frame = replace(frame, target=target_id, contexts=())
    turn.put_frame(frame)
    parent = turn.state.frames[frame.parent or ""]
    _show_remote(turn, frame, clears=1)
    turn.tell(parent.target, "Page.frameDetached", {"frameId": frame.id, "reason": "swap"})
    _destroy_contexts(turn, replace(frame, contexts=old_contexts), parent.target)


def _show_remote(turn: Turn, frame: Frame, *, clears: int) -> None:
    target = replace(turn.state.targets[frame.id], url=frame.url, title=frame.url)
    turn.put_target(target)
    turn.put_frame(replace(frame, loading="script"))
    show(turn, replace(frame, loading="script"), clears=clears)
    curious = [session for session in turn.sessions_of(target.parent) if session.auto_attach is not None]
    turn.emit(curious, "Target.targetInfoChanged", {"targetInfo": info(turn, target)})
    info_changed(turn, target)


def _destroy_contexts(turn: Turn, frame: Frame, target: str) -> None:
    for context in frame.contexts:
        params = {"executionContextId": context.id, "executionContextUniqueId": context.unique_id}
        turn.tell(target, "Runtime.executionContextDestroyed", params)


def remove_frame(turn: Turn, frame_id: str) -> None:
    """A script takes an iframe out of its document."""
    frame = turn.state.frames.get(frame_id)
    if frame is None:
        return
    parent = turn.state.frames[frame.parent or ""].target
    turn.tell(parent, "Page.frameSubtreeWillBeDetached", {"frameId": frame.id})
    _remove(turn, frame)
    forget_processes(turn, frame.page)


def _remove(turn: Turn, frame: Frame, *, with_its_process: bool = False) -> None:
    """Take the frame and what is in it away. A renderer that ends as a whole says nothing of its frames."""
    ends = with_its_process or is_oopif(frame)
    for child in turn.children(frame.id):
        _remove(turn, child, with_its_process=ends and child.target == frame.target)
    parent = turn.state.frames[frame.parent or ""].target
    orphan(turn, frame.id)
    end_workers(turn, frame)
    turn.drop_frame(frame.id)
    if not with_its_process:
        turn.tell(parent, "Page.frameDetached", {"frameId": frame.id, "reason": "remove"})
    if frame.id in turn.state.targets:
        remove_target(turn, turn.state.targets[frame.id])
    elif not with_its_process:
        _destroy_contexts(turn, frame, frame.target)


def purge_children(turn: Turn, frame: Frame, *, removed: bool = False) -> None:
    """The frame's document goes, and its iframes with it. `removed`: their parent says so, as on a reload."""
    children = turn.subtree(frame.id)
    direct = {child.id for child in turn.children(frame.id) if child.id in turn.state.targets}
    for child in children:
        orphan(turn, child.id)
        end_workers(turn, child)
        if child.id in turn.state.targets:
            remove_target(turn, turn.state.targets[child.id])
    if removed and direct:
        clear_contexts(turn, frame.target)
    for child in children:
        turn.drop_frame(child.id)
        if removed and child.id in direct:
            turn.tell(frame.target, "Page.frameDetached", {"frameId": child.id, "reason": "remove"})
    forget_processes(turn, frame.page)
