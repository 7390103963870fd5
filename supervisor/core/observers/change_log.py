"""Slice: the log of changes, bounded and numbered, made by comparing the worlds before and after an input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from supervisor.core.state.bridge import Bridge
from supervisor.core.state.frames import Frame
from supervisor.core.state.observed import ChangeLog
from supervisor.core.state.pages import Session
from supervisor.core.state.world import World
from supervisor.core.vocabulary.effects import Effects
from supervisor.core.vocabulary.inputs import Input
from supervisor.core.vocabulary.values import Change, ChangeKind

CAPACITY = 500
TEXT_LIMIT = 200

Difference: TypeAlias = tuple[ChangeKind, str, str]
"""Kind, subject, text."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Add the differences between the two worlds to the log."""
    change_log = _reduce(world.change_log, before, world, now)
    return (world if change_log is world.change_log else replace(world, change_log=change_log)), ()


def _reduce(change_log: ChangeLog, old: World, new: World, now: float) -> ChangeLog:
    """Add the differences between the two worlds to the log."""
    differences = tuple(_differences(old, new))
    if not differences:
        return change_log
    added = tuple(
        Change(seq=change_log.count + number, at=now, kind=kind, subject=subject, text=text[:TEXT_LIMIT])
        for number, (kind, subject, text) in enumerate(differences, 1)
    )
    return ChangeLog((*change_log.changes, *added)[-CAPACITY:], change_log.count + len(added))


def _differences(old: World, new: World) -> Iterator[Difference]:
    if new.connection is not old.connection and new.connection.state != old.connection.state:
        yield "link", new.connection.state, new.connection.reason
    if (
        new.targets is not old.targets
        or new.detached_frame_dialogs is not old.detached_frame_dialogs
        or new.page_ownership is not old.page_ownership
    ):
        yield from _pages(old, new)
    if new.frames is not old.frames:
        yield from _frames(old.frames.nodes, new.frames.nodes, tuple(dict.fromkeys(new.frames.touched)))
    if new.interception.refusals != old.interception.refusals and new.interception.last_refused is not None:
        yield (
            "navigation_refused",
            new.interception.last_refused.frame_id,
            f"{new.interception.last_refused.why}: {new.interception.last_refused.origin}",
        )
    if new.dialogs is not old.dialogs:
        yield from _dialogs(old, new)
    if new.bridge is not old.bridge:
        yield from _bridge(old.bridge, new.bridge)
    if new.blockers is not old.blockers:
        yield from _blockers(old, new)
    if new.console is not old.console:
        for message in new.console.since(old.console.count).messages:
            yield "console", str(message.seq), f"{message.level}: {message.text}"
    if new.network_requests.count != old.network_requests.count:
        # `failed` keeps only the latest requests, and `count` counts all: new ones are found from the end.
        for request in new.network_requests.failed[old.network_requests.count - new.network_requests.count :]:
            yield "request_failed", request.url, request.error or str(request.status)


def _pages(old: World, new: World) -> Iterator[Difference]:
    before = {session.target_id: session for session in old.targets.pages()}
    after = {session.target_id: session for session in new.targets.pages()}
    for target_id in before.keys() - after.keys():
        yield "page_closed", target_id, _url(old, before[target_id])
    # Only pages that are set up: a page that we opened may be announced before the reply to the command that opened it.
    had_none = {target_id for target_id in old.not_bridged() if old.status(before[target_id]) != "attaching"}
    for target_id in new.not_bridged():
        if target_id not in had_none and new.status(after[target_id]) != "attaching":
            yield "bridge", "absent", target_id
    changed = _changed_pages(old, new)
    for target_id, session in after.items():
        known = before.get(target_id)
        if known is None:
            yield "page_opened", target_id, _url(new, session)
            continue
        if target_id in changed and old.status(known) != new.status(session):
            yield "page_status", target_id, new.status(session)
        if new.page_ownership is not old.page_ownership and old.page_ownership.manages(
            target_id
        ) != new.page_ownership.manages(target_id):
            yield (
                "page_managed",
                target_id,
                "managed" if new.page_ownership.manages(target_id) else "used by another client",
            )


def _changed_pages(old: World, new: World) -> set[str]:
    """Return the pages with a changed session, or whose detached-frame dialog has begun or ended."""
    was, now = old.targets.sessions, new.targets.sessions
    changed = {session.page_id for key, session in now.items() if was.get(key) is not session}
    changed |= {session.page_id for key, session in was.items() if key not in now}
    return changed | (old.detached_frame_dialogs.pages.keys() ^ new.detached_frame_dialogs.pages.keys())


def _url(world: World, session: Session) -> str:
    top = world.frames.root(session.target_id)
    return top.url if top else ""


def _frames(before: Mapping[str, Frame], after: Mapping[str, Frame], touched: tuple[str, ...]) -> Iterator[Difference]:
    for frame_id in touched:
        if frame_id in before and frame_id not in after:
            yield "frame_detached", frame_id, before[frame_id].url
    for frame_id in touched:
        known, frame = before.get(frame_id), after.get(frame_id)
        if frame is not None and known is None:
            yield "frame_attached", frame_id, frame.url
        elif frame is not None and known is not None and _has_navigated(known, frame):
            yield "frame_navigated", frame_id, frame.url


def _has_navigated(before: Frame, after: Frame) -> bool:
    """Return True if the frame shows another document, or the same one under another URL."""
    is_other = bool(before.loader_id and after.loader_id) and before.loader_id != after.loader_id
    return is_other or before.url != after.url


def _bridge(old: Bridge, new: Bridge) -> Iterator[Difference]:
    if new.is_armed != old.is_armed:
        yield "bridge", "armed" if new.is_armed else "off", new.reason
    for origin in new.native:
        if origin not in old.native:
            yield "bridge", "native", origin


def _dialogs(old: World, new: World) -> Iterator[Difference]:
    was_closed = {closed.record.id for closed in old.dialogs.closed}
    was_open = {dialog.info.id for dialog in old.dialogs.open}
    for closed in new.dialogs.closed:
        if closed.record.id not in was_closed:
            how = "accepted" if closed.record.accepted else "dismissed"
            yield "dialog_closed", closed.record.id, f"{how} by {closed.record.closed_by}"
    for dialog in new.dialogs.open:
        if dialog.info.id not in was_open:
            yield "dialog_opened", dialog.info.id, f"{dialog.info.type}: {dialog.info.message}"


def _blockers(old: World, new: World) -> Iterator[Difference]:
    before = {entry.info.id: entry.info for entry in old.blockers.entries}
    after = {entry.info.id: entry.info for entry in new.blockers.entries}
    for blocker_id, blocker in before.items():
        if blocker_id not in after:
            yield "blocker_closed", blocker_id, f"{blocker.kind}: {blocker.text}"
    for blocker_id, blocker in after.items():
        if blocker_id not in before:
            yield "blocker_opened", blocker_id, f"{blocker.kind}: {blocker.text}"
