"""Crashes of renderer processes."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.page.frames import is_oopif
from cdp_typed.mock.state.browser_state import Target
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import discoverers, remove_target
from cdp_typed.mock.target.workers import end_workers

_IFRAME_ERROR_CODE = 0
_PAGE_ERROR_CODE = 5  # as `Page.crash` on a page's session was seen to give; a SIGKILL gives others


def crash_target(step: Step, target: Target, status: str = "crashed") -> None:
    """Crash the renderer of a target. Its calls in flight and later ones stay unanswered."""
    frame = step.state.frames[target.id]
    end_workers(step, frame)
    if target.type == "page":
        for child in reversed(step.subtree(target.id)):
            end_workers(step, child)
            if is_oopif(child) and child.id in step.state.targets:
                parent = step.state.frames[child.parent or ""].target
                step.emit_if_enabled(parent, "Page.frameDetached", {"frameId": child.id, "reason": "remove"})
                remove_target(step, step.state.targets[child.id])
            step.drop_frame(child.id)
    key = step.process_key(frame)
    step.put_process(key, replace(step.process(key), blocked="crashed"))
    if target.type == "iframe":
        kept = tuple(waiting for waiting in step.state.awaiting_calls if waiting.frame != frame.id)
        step.state = replace(step.state, awaiting_calls=kept)
    target = replace(step.state.targets[target.id], crashed=True)
    step.put_target(target)
    step.emit(step.sessions_of(target.id), "Inspector.targetCrashed")
    code = _IFRAME_ERROR_CODE if target.type == "iframe" else _PAGE_ERROR_CODE
    params = {"targetId": target.id, "status": status, "errorCode": code}
    step.emit(discoverers(step, target), "Target.targetCrashed", params)
