"""Navigations that page scripts start: `location`, fragments, and session history traversal."""

from __future__ import annotations

from cdp_typed.mock.flows.navigation import traverse_history
from cdp_typed.mock.js.effects import AssignLocation, PushState, ReloadLocation, TraverseHistory
from cdp_typed.mock.page.documents import ERROR_URL
from cdp_typed.mock.page.history import entry_at
from cdp_typed.mock.page.same_document import go_to_fragment, is_fragment_navigation, push_state
from cdp_typed.mock.state.browser_state import DocumentLocation, FrameNode, ScriptNavigation
from cdp_typed.mock.state.step import Step


def document_location(step: Step, frame: FrameNode) -> DocumentLocation:
    """Return the URL, title and history position that a script of the frame sees at its start."""
    history = step.state.histories.get(frame.page)
    return DocumentLocation(
        ERROR_URL if frame.unreachable else frame.url,
        frame.title,
        (0, 1) if history is None else (history.index, len(history.entries)),
    )


def navigate_from_script(
    step: Step, frame: FrameNode, effect: AssignLocation | ReloadLocation | PushState | TraverseHistory
) -> None:
    """Navigate for a script: within the document at once, to another document when the script has ended."""
    match effect:
        case AssignLocation(url, replaces) if is_fragment_navigation(frame, url):
            go_to_fragment(step, frame, url, replaces=replaces)
        case AssignLocation(url, replaces):
            _schedule(step, frame, ScriptNavigation(frame.id, url, replaces=replaces), "scriptInitiated")
        case ReloadLocation():
            _schedule(step, frame, ScriptNavigation(frame.id, frame.url, reload=True), "reload")
        case PushState(url, replaces):
            push_state(step, frame, url, replaces=replaces)
        case _:
            entry = entry_at(step, frame.page, effect.delta)
            if entry is not None:
                traverse_history(step, frame.page, entry)


def _schedule(step: Step, frame: FrameNode, navigation: ScriptNavigation, reason: str) -> None:
    params = {"frameId": frame.id, "reason": reason, "url": navigation.url}
    step.emit_if_enabled(frame.target, "Page.frameScheduledNavigation", {**params, "delay": 0})
    step.emit_if_enabled(frame.target, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
    step.emit_if_enabled(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    step.enqueue(navigation)
