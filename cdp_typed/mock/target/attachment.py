"""Targets and sessions: attaching, detaching, discovery, and their events."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.state.browser_state import CDPSession, FrameNode, Target, TargetFilter
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.urls import visible_url

BROWSER_ID = "00000000-0000-4000-8000-000000000001"
"""The target id of the browser itself."""


def target_info(step: Step, target: Target) -> dict[str, Any]:
    """Return the `Target.TargetInfo` of a target."""
    attached = any(True for _ in step.sessions_of(target.id))
    # A tab has the title and the URL of its page.
    page = step.state.targets.get(target.page) or target
    parent = {"parentId": target.parent} if target.parent else {}
    frame = {"parentFrameId": target.parent_frame} if target.parent_frame else {}
    has_opener = target.opener in step.state.targets
    return {
        "targetId": target.id,
        "type": target.type,
        "title": page.title if target.type == "tab" else target.title,
        "url": page.url if target.type == "tab" else target.url,
        "attached": attached,
        **parent,
        **({"openerId": target.opener} if has_opener else {}),
        "canAccessOpener": has_opener and target.can_access_opener,
        **({"openerFrameId": target.opener_frame} if target.opener_frame else {}),
        **frame,
        "browserContextId": target.context,
    }


def filter_allows(entries: TargetFilter, kind: str) -> bool:
    """Return whether a target filter allows this type."""
    for wanted, exclude in entries:
        if wanted in ("", kind):
            return not exclude
    return False


def discoverers(step: Step, target: Target) -> list[CDPSession]:
    """Return the sessions that discover such targets by `Target.setDiscoverTargets`."""
    sessions = step.state.sessions.values()
    return [
        session for session in sessions if session.discover is not None and filter_allows(session.discover, target.type)
    ]


def early_title(target: Target) -> str:
    """Return the title that a target has when its document is committed: its address, without the scheme."""
    scheme, mark, place = target.url.partition("://")
    return place.removesuffix("/") if mark and scheme in ("http", "https") else target.title


def show_address(step: Step, frame: FrameNode) -> Target:
    """Return the page's target with the address and the title of its new document."""
    shown = visible_url(frame.url)
    # Without its own title, an `about:` page has its address.
    title = frame.title or (shown if shown.startswith("about:") else "")
    target = replace(step.state.targets[frame.target], url=shown, title=title)
    step.put_target(target)
    return target


def emit_info_changed(step: Step, target: Target) -> None:
    """Emit `Target.targetInfoChanged` on the sessions that discover the target."""
    step.emit(discoverers(step, target), "Target.targetInfoChanged", {"targetInfo": target_info(step, target)})


def attach(step: Step, target: Target, by: CDPSession, *, waiting: bool = False, automatic: bool = False) -> CDPSession:
    """Attach a session to `target` for the session `by`, and emit it there."""
    session_id = step.new_id()
    session = CDPSession(session_id, by.connection, session_id, target.id, by.key, automatic=automatic)
    first = not any(True for _ in step.sessions_of(target.id))
    step.put_session(session)
    if waiting:
        target = replace(step.state.targets[target.id], waiting=step.state.targets[target.id].waiting | {session_id})
        step.put_target(target)
    if first:
        emit_info_changed(step, target)
    params = {"sessionId": session_id, "targetInfo": target_info(step, target), "waitingForDebugger": waiting}
    step.emit([by], "Target.attachedToTarget", params)
    return session


def auto_attach_new(step: Step, target: Target, parent: str | None, *, runs: bool = False) -> None:
    """Attach the sessions of `parent` (the browser, for None) whose auto-attach includes a new target.

    A target that `runs` already is not held.
    """
    for session in list(step.sessions_of(parent)):
        settings = session.auto_attach
        if settings is not None and filter_allows(settings.filter, target.type):
            attach(step, target, session, waiting=settings.wait and not runs, automatic=True)


def detach(step: Step, session: CDPSession) -> None:
    """Detach a session and emit that on its parent. Its calls in flight are never answered.

    A connection of the target's own ends with the target.
    """
    if session.session_id is None:
        step.emit([session], "Inspector.detached", {"reason": "target_closed"})
        step.hang_up(session.connection)
    drop_sessions(step, [session])
    parent = step.state.sessions.get(session.parent or "")
    if parent is not None:
        params = {"sessionId": session.session_id, "targetId": session.target or BROWSER_ID}
        step.emit([parent], "Target.detachedFromTarget", params)


def drop_sessions(step: Step, sessions: list[CDPSession]) -> None:
    """Remove sessions and their descendants, without events on their parents."""
    for session in sessions:
        step.drop_session(session.key)
        children = [other for other in step.state.sessions.values() if other.parent == session.key]
        drop_sessions(step, children)
        target = step.state.targets.get(session.target or "")
        if target is not None:
            target = replace(target, waiting=target.waiting - {session.key})
            step.put_target(target)
            if not any(True for _ in step.sessions_of(target.id)):
                emit_info_changed(step, target)


def remove_target(step: Step, target: Target) -> None:
    """Remove a target: detach its sessions, and emit its end."""
    for session in list(step.sessions_of(target.id)):
        if session.key in step.state.sessions:
            detach(step, session)
    step.drop_target(target.id)
    step.emit(discoverers(step, target), "Target.targetDestroyed", {"targetId": target.id})
