"""Renderers that die."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.mock.page.frames import is_oopif
from cdp_typed.mock.state.browser import Target
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.target.attachment import discoverers, remove_target
from cdp_typed.mock.target.workers import end_workers

__all__ = ["crash_target"]

_IFRAME_ERROR_CODE = 0
_PAGE_ERROR_CODE = 5  # as `Page.crash` on a page's session was seen to give; a SIGKILL gives others


def crash_target(turn: Turn, target: Target, status: str = "crashed") -> None:
    """The renderer of the target dies. What is in flight on it stays unanswered, and so does what comes later."""
    frame = turn.state.frames[target.id]
    end_workers(turn, frame)
    if target.type == "page":
        for child in reversed(turn.subtree(target.id)):
            end_workers(turn, child)
            if is_oopif(child) and child.id in turn.state.targets:
                parent = turn.state.frames[child.parent or ""].target
                turn.tell(parent, "Page.frameDetached", {"frameId": child.id, "reason": "remove"})
                remove_target(turn, turn.state.targets[child.id])
            turn.drop_frame(child.id)
    key = turn.frame_process(frame)
    turn.put_process(key, replace(turn.process(key), blocked="crashed"))
    if target.type == "iframe":
        kept = tuple(promise for promise in turn.state.promises if promise.frame != frame.id)
        turn.state = replace(turn.state, promises=kept)
    target = replace(turn.state.targets[target.id], crashed=True)
    turn.put_target(target)
    turn.emit(turn.sessions_of(target.id), "Inspector.targetCrashed")
    code = _IFRAME_ERROR_CODE if target.type == "iframe" else _PAGE_ERROR_CODE
    params = {"targetId": target.id, "status": status, "errorCode": code}
    turn.emit(discoverers(turn, target), "Target.targetCrashed", params)
