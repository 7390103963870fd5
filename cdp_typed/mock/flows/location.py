"""Navigations that page scripts start: `location`, fragments, and steps of the session history."""

from __future__ import annotations

from cdp_typed.mock.flows.navigation import travel
from cdp_typed.mock.js.effects import AssignLocation, PushState, ReloadPage, TraverseHistory
from cdp_typed.mock.page.history import entry_at
from cdp_typed.mock.page.same_document import go_to_fragment, push_state, stays
from cdp_typed.mock.state.browser_state import DocumentLocation, FrameNode, ScriptNavigation
from cdp_typed.mock.state.step import Step

__all__ = ["move", "place_of"]


def place_of(step: Step, frame: FrameNode) -> DocumentLocation:
    """Where a script of the frame begins."""
    history = step.state.histories.get(frame.page)
    return DocumentLocation(
        frame.url, frame.title, (0, 1) if history is None else (history.index, len(history.entries))
    )


def move(step: Step, frame: FrameNode, effect: AssignLocation | ReloadPage | PushState | TraverseHistory) -> None:
    """A script goes elsewhere: within the document at once, otherwise when the script has ended."""
    match effect:
        case AssignLocation(url, replaces) if stays(frame, url):
            go_to_fragment(step, frame, url, replaces=replaces)
        case AssignLocation(url, replaces):
            _schedule(step, frame, ScriptNavigation(frame.id, url, replaces=replaces), "scriptInitiated")
        case ReloadPage():
            _schedule(step, frame, ScriptNavigation(frame.id, frame.url, reload=True), "reload")
        case PushState(url, replaces):
            push_state(step, frame, url, replaces=replaces)
        case _:
            entry = entry_at(step, frame.page, effect.delta)
            if entry is not None:
                travel(step, frame.page, entry)


def _schedule(step: Step, frame: FrameNode, departure: ScriptNavigation, reason: str) -> None:
    params = {"frameId": frame.id, "reason": reason, "url": departure.url}
    step.emit_if_enabled(frame.target, "Page.frameScheduledNavigation", {**params, "delay": 0})
    step.emit_if_enabled(frame.target, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
    step.emit_if_enabled(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    step.enqueue(departure)
