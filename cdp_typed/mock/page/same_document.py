"""Same-document navigations: fragments, `history.pushState`, and traversal between such entries."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from cdp_typed.mock.page.history import record_navigation
from cdp_typed.mock.page.security_state import emit_security_state
from cdp_typed.mock.state.browser_state import FrameNode, Navigation
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import emit_info_changed


def is_fragment_navigation(frame: FrameNode, url: str) -> bool:
    """Return whether the URL differs from the frame's in its fragment only, and has one."""
    place, mark, _ = url.partition("#")
    return bool(mark) and not frame.unreachable and place == frame.url.partition("#")[0]


def go_to_fragment(
    step: Step, frame: FrameNode, url: str, *, replaces: bool = False, reason: str = "scriptInitiated"
) -> None:
    """Navigate to a fragment for a script, which goes on after the commit, or for a click."""
    params = {"frameId": frame.id, "delay": 0, "reason": reason, "url": url}
    step.emit_if_enabled(frame.target, "Page.frameScheduledNavigation", params)
    step.emit_if_enabled(frame.target, "Page.frameStartedLoading", {"frameId": frame.id})
    commit_same_document(
        step, Navigation(frame.id, url, frame.loader, replaces=replaces, same_document=True, transition="link")
    )
    step.emit_if_enabled(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})


def push_state(step: Step, frame: FrameNode, url: str, *, replaces: bool = False) -> None:
    """Perform `history.pushState` or `replaceState`."""
    step.emit_if_enabled(frame.target, "Page.frameStartedLoading", {"frameId": frame.id})
    navigation = Navigation(
        frame.id, url, frame.loader, replaces=replaces, same_document=True, pushes=True, transition="link"
    )
    commit_same_document(step, navigation, kind="historyApi")


def commit_same_document(
    step: Step, navigation: Navigation, *, kind: Literal["fragment", "historyApi"] = "fragment"
) -> None:
    """Commit a same-document navigation."""
    frame = replace(step.state.frames[navigation.frame], url=navigation.url)
    step.put_frame(frame)
    if frame.id == frame.page:
        record_navigation(step, frame, navigation)
        emit_security_state(step, frame)
    if frame.id == frame.target:
        target = replace(step.state.targets[frame.target], url=frame.url)
        step.put_target(target)
        emit_info_changed(step, target)
    params = {"frameId": frame.id, "url": frame.url, "navigationType": kind}
    step.emit_if_enabled(frame.target, "Page.navigatedWithinDocument", params)
    step.emit_if_enabled(frame.target, "Page.frameStoppedLoading", {"frameId": frame.id})
