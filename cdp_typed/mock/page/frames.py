"""Iframes: attachment, navigation, swaps between processes, and removal."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.document_html import place_of
from cdp_typed.mock.page.dialogs import mark_frame_detached
from cdp_typed.mock.page.documents import announce_document, fail_promises, forget_processes, install_document
from cdp_typed.mock.runtime.execution_contexts import clear_contexts
from cdp_typed.mock.site import Page, origin_of, resolve, site_of
from cdp_typed.mock.state.browser_state import CommandCall, FrameNode, Navigation, Target
from cdp_typed.mock.state.http import HttpResponse
from cdp_typed.mock.state.network import Initiator
from cdp_typed.mock.state.step import Step, base_url_of, initiator_of, origin_url_of
from cdp_typed.mock.target.attachment import (
    auto_attach_new,
    detach,
    discoverers,
    emit_info_changed,
    remove_target,
    target_info,
)
from cdp_typed.mock.target.workers import end_workers
from cdp_typed.mock.urls import SRCDOC_URL


def is_oopif(frame: FrameNode) -> bool:
    """Return whether the frame is the root of an out-of-process iframe."""
    return frame.parent is not None and frame.target == frame.id


def attach_frames(step: Step, frame: FrameNode) -> list[Navigation]:
    """Attach the iframes of the frame's document; return the navigations that they start with."""
    started: list[Navigation] = []
    for element in frame.document.frames:
        child = FrameNode(step.new_id(), frame.id, frame.target, frame.page, name=element.name, loading="committing")
        step.put_frame(child)
        url = SRCDOC_URL if element.srcdoc is not None else resolve(base_url_of(frame), element.url)
        step.emit_if_enabled(frame.target, "Page.frameAttached", {"frameId": child.id, "parentFrameId": frame.id})
        step.emit_if_enabled(frame.target, "Network.policyUpdated")
        _requested(step, frame.target, child.id, url, "initialFrameNavigation")
        line, column = place_of(frame.document, element)
        cause = initiator_of(frame, "parser", url=frame.url, lineNumber=line, columnNumber=column)
        started.append(_start(step, child, url, cause, element.srcdoc))
    return started


def _requested(step: Step, target: str, frame: str, url: str, reason: str) -> None:
    params = {"frameId": frame, "reason": reason, "url": url, "disposition": "currentTab"}
    step.emit_if_enabled(target, "Page.frameRequestedNavigation", params)


def _start(step: Step, frame: FrameNode, url: str, initiator: Initiator, srcdoc: Page | None = None) -> Navigation:
    response = None if srcdoc is None else HttpResponse(200, page=srcdoc)
    navigation = Navigation(frame.id, url, step.new_id(), response=response, initiator=initiator)
    params = {
        "frameId": frame.id,
        "url": url,
        "loaderId": navigation.loader,
        "navigationType": "differentDocument",
    }
    step.emit_if_enabled(frame.target, "Page.frameStartedNavigating", params)
    step.emit_if_enabled(frame.target, "Page.frameStartedLoading", {"frameId": frame.id})
    return navigation


def navigate_child(step: Step, frame_id: str, url: str, *, base: str, srcdoc: Page | None = None) -> None:
    """Navigate an iframe for a script, to a URL or an `srcdoc`; the commit is queued."""
    frame = step.state.frames[frame_id]
    url = resolve(base, url)
    parent = step.state.frames[frame.parent or ""].target
    local = frame.target == parent
    if local:
        params = {"frameId": frame.id, "delay": 0, "reason": "scriptInitiated", "url": url}
        step.emit_if_enabled(parent, "Page.frameScheduledNavigation", params)
    _requested(step, parent, frame.id, url, "scriptInitiated")
    cause = initiator_of(step.state.frames[frame.parent or ""], "script")
    navigation = _start(step, frame, url, cause, srcdoc)
    if local:
        step.emit_if_enabled(parent, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    step.enqueue(navigation)


def request_navigation(step: Step, frame: FrameNode, url: str, initiator: Initiator) -> Navigation:
    """Navigate an iframe for a client: without a script, its parent gets no request event."""
    navigation = _start(step, frame, url, initiator)
    step.enqueue(navigation)
    return navigation


def leave_process(step: Step, navigation: Navigation) -> None:
    """Detach the sessions of a blocked OOPIF that navigates to another site; its document is committed later."""
    frame = step.state.frames.get(navigation.frame)
    if frame is not None and is_oopif(frame) and site_of(navigation.url) != site_of(frame.url):
        for session in list(step.sessions_of(frame.target)):
            detach(step, session)


def commit_child(step: Step, navigation: Navigation) -> None:
    """Commit an iframe's new document in its parent's process or in a separate one."""
    frame = step.state.frames[navigation.frame]
    parent = step.state.frames[frame.parent or ""]
    purge_children(step, frame)
    end_workers(step, frame)
    fail_promises(step, frame.id)
    stays_local = origin_of(navigation.url) == "://" or site_of(navigation.url) == site_of(origin_url_of(parent))
    if stays_local:
        _commit_local(step, frame, parent, navigation)
    elif is_oopif(frame):
        _show_remote(step, install_document(step, frame, navigation), clears=2)
    else:
        _commit_remote(step, frame, parent, navigation)


def _commit_local(step: Step, frame: FrameNode, parent: FrameNode, navigation: Navigation) -> None:
    if is_oopif(frame):
        remove_target(step, step.state.targets[frame.id])
        frame = replace(frame, target=parent.target, contexts=())
        step.emit_if_enabled(parent.target, "Page.frameAttached", {"frameId": frame.id, "parentFrameId": parent.id})
    _destroy_contexts(step, frame, frame.target)
    announce_document(
        step, install_document(step, replace(frame, inherited_url=origin_url_of(parent)), navigation), clears=0
    )
    forget_processes(step, frame.page)


def _commit_remote(step: Step, frame: FrameNode, parent: FrameNode, navigation: Navigation) -> None:
    step.put_frame(replace(install_document(step, frame, navigation), contexts=frame.contexts, loading="committing"))
    context = step.state.targets[frame.page].context
    target = Target(frame.id, "iframe", frame.page, parent=parent.target, parent_frame=parent.id, context=context)
    step.put_target(target)
    step.emit(discoverers(step, target), "Target.targetCreated", {"targetInfo": target_info(step, target)})
    auto_attach_new(step, target, parent.target)
    if not step.state.targets[target.id].waiting:
        finish_swap(step, target.id)


def finish_swap(step: Step, target_id: str) -> None:
    """Commit the document of an OOPIF that no session holds any more; the frame leaves its parent's process."""
    frame = step.state.frames[target_id]
    old_contexts = frame.contexts
    frame = replace(frame, target=target_id, contexts=())
    step.put_frame(frame)
    parent = step.state.frames[frame.parent or ""]
    _show_remote(step, frame, clears=1)
    step.emit_if_enabled(parent.target, "Page.frameDetached", {"frameId": frame.id, "reason": "swap"})
    _destroy_contexts(step, replace(frame, contexts=old_contexts), parent.target)
    works = step.state.suspended.get(_held(frame), ())
    step.state = replace(
        step.state, suspended={key: value for key, value in step.state.suspended.items() if key != _held(frame)}
    )
    for work in reversed(works):
        step.enqueue_first(work)


def _held(frame: FrameNode) -> str:
    return f"held {frame.id}"


def hold_for_document(step: Step, frame: FrameNode, call: CommandCall) -> None:
    """Let a call wait for the document of an OOPIF that a session holds."""
    works = (*step.state.suspended.get(_held(frame), ()), call)
    step.state = replace(step.state, suspended={**step.state.suspended, _held(frame): works})


def _show_remote(step: Step, frame: FrameNode, *, clears: int) -> None:
    target = replace(step.state.targets[frame.id], url=frame.url, title=frame.url)
    step.put_target(target)
    step.put_frame(replace(frame, loading="script"))
    announce_document(step, replace(frame, loading="script"), clears=clears)
    listeners = [session for session in step.sessions_of(target.parent) if session.auto_attach is not None]
    step.emit(listeners, "Target.targetInfoChanged", {"targetInfo": target_info(step, target)})
    emit_info_changed(step, target)


def _destroy_contexts(step: Step, frame: FrameNode, target: str) -> None:
    for context in frame.contexts:
        params = {"executionContextId": context.id, "executionContextUniqueId": context.unique_id}
        step.emit_if_enabled(target, "Runtime.executionContextDestroyed", params)


def remove_frame(step: Step, frame_id: str) -> None:
    """Remove an iframe for a script."""
    frame = step.state.frames.get(frame_id)
    if frame is None:
        return
    parent = step.state.frames[frame.parent or ""].target
    step.emit_if_enabled(parent, "Page.frameSubtreeWillBeDetached", {"frameId": frame.id})
    _remove(step, frame)
    forget_processes(step, frame.page)


def _remove(step: Step, frame: FrameNode, *, with_its_process: bool = False) -> None:
    """Remove a frame with its descendants. When its renderer is gone, no events report its frames."""
    ends = with_its_process or is_oopif(frame)
    for child in step.children(frame.id):
        _remove(step, child, with_its_process=ends and child.target == frame.target)
    parent = step.state.frames[frame.parent or ""].target
    mark_frame_detached(step, frame.id)
    end_workers(step, frame)
    step.drop_frame(frame.id)
    if not with_its_process:
        step.emit_if_enabled(parent, "Page.frameDetached", {"frameId": frame.id, "reason": "remove"})
    if frame.id in step.state.targets:
        remove_target(step, step.state.targets[frame.id])
    elif not with_its_process:
        _destroy_contexts(step, frame, frame.target)


def purge_children(step: Step, frame: FrameNode, *, removed: bool = False) -> None:
    """Remove the iframes of a document that goes; `removed`: with `Page.frameDetached`, as on a reload."""
    children = step.subtree(frame.id)
    direct = {child.id for child in step.children(frame.id) if child.id in step.state.targets}
    for child in children:
        mark_frame_detached(step, child.id)
        end_workers(step, child)
        if child.id in step.state.targets:
            remove_target(step, step.state.targets[child.id])
    if removed and direct:
        clear_contexts(step, frame.target)
    for child in children:
        step.drop_frame(child.id)
        if removed and child.id in direct:
            step.emit_if_enabled(frame.target, "Page.frameDetached", {"frameId": child.id, "reason": "remove"})
    forget_processes(step, frame.page)
