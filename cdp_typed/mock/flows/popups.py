"""Popups: pages that scripts open, their events, and access between opener and popup."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.js.effects import OpenWindow
from cdp_typed.mock.js.values import Window
from cdp_typed.mock.page.dialogs import cancel_all
from cdp_typed.mock.page.history import begin_history
from cdp_typed.mock.page.same_document import go_to_fragment, is_fragment_navigation
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.browser_state import FrameNode, LoadStage, Navigation, PendingPopup, ScriptRun, Target
from cdp_typed.mock.state.network import Initiator
from cdp_typed.mock.state.step import Step, initiator_of, origin_url_of
from cdp_typed.mock.target.attachment import auto_attach_new, discoverers, target_info
from cdp_typed.mock.urls import BLANK_URL

_PLAIN_WINDOW = ("menubar", "toolbar", "status", "scrollbars", "resizable")


def related_windows(step: Step, frame: FrameNode) -> dict[str, bool]:
    """Return the pages that a script can reach as openers or popups, and for each whether it is same-origin."""
    origin = origin_of(origin_url_of(frame))
    return {
        target.id: origin != "://" and origin_of(origin_url_of(step.state.frames[target.id])) == origin
        for target in step.windows(frame.page)
    }


def open_popup(step: Step, frame: FrameNode, script_run: ScriptRun, window: OpenWindow) -> None:
    """`window.open`: without a user gesture, Chrome's popup blocker returns null."""
    gesture = frame.user_activated or (script_run.reply is not None and script_run.reply.user_gesture)
    features = [word.strip() for word in window.features.split(",") if word.strip()]
    params = {
        "url": window.url or BLANK_URL,
        "windowName": window.name,
        "windowFeatures": _features(features),
        "userGesture": gesture,
    }
    step.emit_if_enabled(frame.target, "Page.windowOpen", params)
    existing = [target for target in step.windows(frame.page) if target.window == window.name != "_blank"]
    if existing:
        if window.url:
            navigate_window(step, existing[0].id, window.url, initiator_of(frame, "script"))
        _answer(step, script_run, Window(existing[0].id))
    elif gesture:
        _open(step, frame, script_run, window, noopener="noopener" in features)
    else:
        _answer(step, script_run, None)


def _features(features: list[str]) -> list[str]:
    sized = [word for word in features if "=" in word]
    return [*sized, "resizable"] if sized else [*_PLAIN_WINDOW, *features]


def _answer(step: Step, script_run: ScriptRun, window: Window | None) -> None:
    step.enqueue_first(replace(script_run, answers=(*script_run.answers, window)))


def _open(step: Step, frame: FrameNode, script_run: ScriptRun, window: OpenWindow, *, noopener: bool) -> None:
    opener = step.state.targets[frame.page]
    page, tab = step.new_id(), Target(step.new_id(), "tab", "", context=opener.context)
    step.put_target(tab)
    step.emit(discoverers(step, tab), "Target.targetCreated", {"targetInfo": target_info(step, tab)})
    auto_attach_new(step, tab, None)
    step.put_target(replace(step.state.targets[tab.id], page=page))
    if not noopener:
        step.state = replace(step.state, groups={**step.state.groups, page: step.group(frame.page)})
    home = "" if noopener else origin_url_of(frame)
    empty = FrameNode(page, None, page, page, loader=step.new_id(), inherited_url=home, loading="committing")
    step.put_frame(empty)
    add_context(step, empty)
    begin_history(step, empty)
    target = Target(
        page, "page", page, opener=opener.id, opener_frame=frame.id, can_access_opener=not noopener,
        window="" if noopener else window.name, context=opener.context,
    )  # fmt: skip
    step.put_target(target)
    url = window.url or BLANK_URL
    cause = initiator_of(frame, "other" if noopener else "script")
    navigation = Navigation(page, url, step.new_id(), replaces=True, transition="link", initiator=cause)
    popup = PendingPopup(navigation, None if noopener else script_run)
    step.state = replace(step.state, pending_popups={**step.state.pending_popups, page: popup})
    auto_attach_new(step, target, None)
    step.emit(discoverers(step, target), "Target.targetCreated", {"targetInfo": target_info(step, target)})
    if noopener:
        _answer(step, script_run, None)
    if not step.state.targets[page].waiting:
        step.enqueue(LoadStage(page, empty.loader, "committing"))


def show_popup(step: Step, frame: FrameNode) -> None:
    """Let a popup that no session holds any more load: resume the script that opened it, commit its document."""
    popup = step.state.pending_popups[frame.id]
    pending_popups = {page: item for page, item in step.state.pending_popups.items() if page != frame.id}
    step.state = replace(step.state, pending_popups=pending_popups)
    navigation = popup.navigation
    if popup.script_run is not None:
        blank = navigation.url == BLANK_URL
        params: dict[str, Any] = {"frameId": frame.id, "reason": "other", "url": "" if blank else navigation.url}
        step.emit_if_enabled(frame.id, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
        if not blank:
            _emit_started(step, navigation)
        _answer(step, popup.script_run, Window(frame.id))
    step.enqueue(navigation)


def _emit_started(step: Step, navigation: Navigation) -> None:
    params = {
        "frameId": navigation.frame,
        "url": navigation.url,
        "loaderId": navigation.loader,
        "navigationType": "differentDocument",
    }
    step.emit_if_enabled(navigation.frame, "Page.frameStartedNavigating", params)
    step.emit_if_enabled(navigation.frame, "Page.frameStartedLoading", {"frameId": navigation.frame})


def navigate_window(step: Step, page: str, url: str, initiator: Initiator) -> None:
    """Navigate another page of the group, as a script of its opener or popup does."""
    frame = step.state.frames[page]
    if is_fragment_navigation(frame, url):
        go_to_fragment(step, frame, url)
        return
    params = {"frameId": page, "reason": "scriptInitiated", "url": url}
    step.emit_if_enabled(page, "Page.frameScheduledNavigation", {**params, "delay": 0})
    step.emit_if_enabled(page, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
    navigation = Navigation(page, url, step.new_id(), transition="link", initiator=initiator)
    _emit_started(step, navigation)
    step.emit_if_enabled(page, "Page.frameClearedScheduledNavigation", {"frameId": page})
    cancel_all(step, page)
    step.enqueue(navigation)
