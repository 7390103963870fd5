"""Documents: the stages in which they load."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from cdp_typed.mock.flows.close_page import close_page
from cdp_typed.mock.flows.network_requests import is_loading, request_resources
from cdp_typed.mock.flows.popups import show_popup
from cdp_typed.mock.page.frames import attach_frames, finish_swap
from cdp_typed.mock.page.new_document_scripts import emit_lifecycle
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.state.browser_state import FrameNode, LoadStage, ScriptRun
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import emit_info_changed
from cdp_typed.mock.target.workers import end_worker, perform_worker_stage

__all__ = ["perform_load_stage"]


def perform_load_stage(step: Step, stage: LoadStage) -> None:
    """Perform the next stage of loading a document, unless the document was replaced meanwhile."""
    if stage.next == "closing":
        target = step.state.targets.get(stage.frame)
        if target is not None and target.type == "worker":
            end_worker(step, target.id)
        elif target is not None:
            close_page(step, target.id, quietly=True)
        return
    frame = step.state.frames.get(stage.frame)
    if frame is None or frame.loader != stage.loader:
        return
    if frame.thread:
        perform_worker_stage(step, frame, stage)
        return
    match stage.next:
        case "starting" | "committing":
            _resume(step, frame, stage)
        case "script":
            _run(step, frame, frame.document.script, replace(stage, next="frames"))
        case "frames":
            _load_resources(step, frame, stage)
        case "settling":
            _settle(step, frame)
        case "on_load":
            _run(step, frame, frame.document.on_load, replace(stage, next="done"))
        case "done":
            _loaded(step, frame)
        case _:
            assert_never(stage.next)


def _resume(step: Step, frame: FrameNode, stage: LoadStage) -> None:
    target = step.state.targets[frame.id]
    if target.id in step.state.pending_popups:
        show_popup(step, frame)
        return
    if target.type == "page":
        emit_info_changed(step, target)
    script = LoadStage(frame.id, frame.loader, "script", stage.reply)
    if target.type == "iframe" and frame.loading == "committing":
        finish_swap(step, target.id)
        # The swap has queued the script already; this stage carries the reply as well.
        step.todo.remove(replace(script, reply=None))
    step.enqueue(script)


def _run(step: Step, frame: FrameNode, script: str, after: LoadStage) -> None:
    if script and frame.contexts:
        # A document that a client has made up may have any script.
        program = program_of({}, script)
        step.enqueue(ScriptRun(frame.id, frame.contexts[0].unique_id, program, stage=after, url=frame.url))
    else:
        step.enqueue(after)


def _load_resources(step: Step, frame: FrameNode, stage: LoadStage) -> None:
    """Request the document's subresources; its scripts delay the next stage."""
    if frame.loading != "script":
        return
    if frame.document.resources and not frame.resources_requested:
        request_resources(step, frame)
        step.enqueue(stage)
    elif is_loading(step, frame, scripts_only=True):
        if stage.reply is not None:
            step.reply(stage.reply, method="Runtime.runIfWaitingForDebugger")
    else:
        _load_frames(step, frame, stage)


def _load_frames(step: Step, frame: FrameNode, stage: LoadStage) -> None:
    if stage.reply is not None:
        step.reply(stage.reply, method="Runtime.runIfWaitingForDebugger")
    frame = replace(frame, loading="frames")
    step.put_frame(frame)
    started = attach_frames(step, frame)
    if frame.target == frame.id:
        step.emit_if_enabled(frame.target, "Page.domContentEventFired", {"timestamp": step.now})
    emit_lifecycle(step, frame, "DOMContentLoaded")
    for navigation in started:
        step.enqueue(navigation)
    _settle(step, frame)


def _settle(step: Step, frame: FrameNode) -> None:
    """Let the frame reach its load event when all its iframes and subresources have loaded."""
    if is_loading(step, frame):
        return
    if frame.loading == "frames" and all(child.loading == "done" for child in step.children(frame.id)):
        step.put_frame(replace(frame, loading="on_load"))
        step.enqueue(LoadStage(frame.id, frame.loader, "on_load"))


def _loaded(step: Step, frame: FrameNode) -> None:
    step.put_frame(replace(frame, loading="done"))
    if frame.target == frame.id:
        step.emit_if_enabled(frame.target, "Page.loadEventFired", {"timestamp": step.now})
    emit_lifecycle(step, frame, "load")
    step.emit_if_enabled(frame.target, "Page.frameStoppedLoading", {"frameId": frame.id})
    emit_lifecycle(step, frame, "networkAlmostIdle", "networkIdle")
    parent = step.state.frames.get(frame.parent or "")
    if parent is not None:
        _settle(step, parent)
