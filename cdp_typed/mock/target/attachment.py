"""Targets and sessions: who is attached to what, and who hears about it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.state.browser import Filter, Session, Target
from cdp_typed.mock.state.step import Turn

__all__ = [
    "BROWSER_ID",
    "attach",
    "auto_attach_new",
    "detach",
    "discoverers",
    "drop_sessions",
    "info",
    "info_changed",
    "matches",
    "remove_target",
]


BROWSER_ID = "00000000-0000-4000-8000-000000000001"
"""The target id of the browser itself."""


def info(turn: Turn, target: Target) -> dict[str, Any]:
    """`Target.TargetInfo` of a target."""
    attached = any(True for _ in turn.sessions_of(target.id))
    # A tab has the title and the address of the page in it.
    page = turn.state.targets.get(target.page) or target
    parent = {"parentId": target.parent} if target.parent else {}
    frame = {"parentFrameId": target.parent_frame} if target.parent_frame else {}
    has_opener = target.opener in turn.state.targets
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


def matches(entries: Filter, kind: str) -> bool:
    """Whether a target filter lets targets of this type through."""
    for wanted, exclude in entries:
        if wanted in ("", kind):
            return not exclude
    return False


def discoverers(turn: Turn, target: Target) -> list[Session]:
    """The sessions that `Target.setDiscoverTargets` made curious about such targets."""
    sessions = turn.state.sessions.values()
    return [session for session in sessions if session.discover is not None and matches(session.discover, target.type)]


def info_changed(turn: Turn, target: Target) -> None:
    """Tell the discoverers what the target looks like now."""
    turn.emit(discoverers(turn, target), "Target.targetInfoChanged", {"targetInfo": info(turn, target)})


def attach(turn: Turn, target: Target, by: Session, *, waiting: bool = False, automatic: bool = False) -> Session:
    """Make a session of `target` for `by`, and announce it there."""
    wire = turn.new_id()
    session = Session(wire, by.connection, wire, target.id, by.key, automatic=automatic)
    first = not any(True for _ in turn.sessions_of(target.id))
    turn.put_session(session)
    if waiting:
        target = replace(turn.state.targets[target.id], waiting=turn.state.targets[target.id].waiting | {wire})
        turn.put_target(target)
    if first:
        info_changed(turn, target)
    params = {"sessionId": wire, "targetInfo": info(turn, target), "waitingForDebugger": waiting}
    turn.emit([by], "Target.attachedToTarget", params)
    return session


def auto_attach_new(turn: Turn, target: Target, parent: str | None, *, runs: bool = False) -> None:
    """Attach every session of `parent` (the browser, for None) that asked for new targets of this kind.

    A target that `runs` already waits for nobody.
    """
    for session in list(turn.sessions_of(parent)):
        wish = session.auto_attach
        if wish is not None and matches(wish.filter, target.type):
            attach(turn, target, session, waiting=wish.wait and not runs, automatic=True)


def detach(turn: Turn, session: Session) -> None:
    """End one session, and tell the one that made it. Whatever was in flight on it is never answered."""
    drop_sessions(turn, [session])
    parent = turn.state.sessions.get(session.parent or "")
    if parent is not None:
        params = {"sessionId": session.wire, "targetId": session.target or BROWSER_ID}
        turn.emit([parent], "Target.detachedFromTarget", params)


def drop_sessions(turn: Turn, sessions: list[Session]) -> None:
    """Forget sessions with all that were made through them; nobody is told."""
    for session in sessions:
        turn.drop_session(session.key)
        made = [other for other in turn.state.sessions.values() if other.parent == session.key]
        drop_sessions(turn, made)
        target = turn.state.targets.get(session.target or "")
        if target is not None:
            target = replace(target, waiting=target.waiting - {session.key})
            turn.put_target(target)
            if not any(True for _ in turn.sessions_of(target.id)):
                info_changed(turn, target)


def remove_target(turn: Turn, target: Target) -> None:
    """The target is gone: its sessions detach, and the discoverers hear of its end."""
    for session in list(turn.sessions_of(target.id)):
        if session.key in turn.state.sessions:
            detach(turn, session)
    turn.drop_target(target.id)
    turn.emit(discoverers(turn, target), "Target.targetDestroyed", {"targetId": target.id})
