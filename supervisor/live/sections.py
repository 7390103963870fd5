"""The content of the live view, in sections: a section is sent when it has changed. Page text is text here and in the
page.

Control, bidi and invisible characters of page text are shown as escapes, and every text is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from cdp_typed.printable import visible
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.console_values import ConsoleMessage
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.values import (
    Blocker,
    DialogRecord,
    DialogStorm,
    FrameInfo,
    PageInfo,
    PendingDialog,
    SupervisorSnapshot,
)
from supervisor.tools.handlers.handler_calls import RunningCall

Sections: TypeAlias = dict[str, Any]

MAX_TEXT = 2_000
MAX_FRAMES = 200
PERSON = "the person in control"
RECENT = 5
"""Closed dialogs that are shown."""


def sections(supervisor: AsyncSupervisor | None, tools: Iterable[RunningCall], titles: Mapping[str, str]) -> Sections:
    """Everything that is known now; without a supervisor, that there is none."""
    try:
        now = supervisor.snapshot() if supervisor is not None else None
    except NotRunning:
        now = None
    if now is None or supervisor is None:
        return {"connection": {"state": "not started", "reason": ""}, "tabs": [], "calls": []}
    return {
        "connection": {"state": now.state, "reason": _shown(now.reason)},
        "tabs": [_tab(page, titles) for page in now.pages],
        "dialogs": [_dialog(dialog) for dialog in now.pending_dialogs],
        "recent": [_closed(record) for record in reversed(now.recent_dialogs[-RECENT:])],
        "storms": [_storm(storm) for storm in now.dialog_storms],
        "blockers": [_blocker(blocker) for blocker in now.blockers],
        "downloads": [
            {"name": _shown(ended.name), "complete": ended.is_complete} for ended in now.recent_downloads[-RECENT:]
        ],
        "frames": _frames(supervisor.frames(), now),
        "console": [_message(message) for message in now.console],
        "calls": list(_calls(supervisor, tools)),
    }


def _shown(text: str, limit: int = MAX_TEXT) -> str:
    return visible(text, limit)


def _tab(page: PageInfo, titles: Mapping[str, str]) -> Sections:
    return {
        "id": page.target_id,
        "title": _shown(titles.get(page.target_id, ""), 200),
        "url": _shown(page.url),
        "status": page.status,
        "current": page.is_current,
        "managed": page.is_managed,
    }


def _dialog(dialog: PendingDialog) -> Sections:
    return {
        "id": dialog.id,
        "type": dialog.type,
        "message": _lines(dialog.message),
        "default": _shown(dialog.default_prompt),
        "url": _shown(dialog.url),
        "tab": dialog.target_id,
        "since": dialog.opened_at,
        "answerable": dialog.answerable,
        "note": _shown(dialog.note),
    }


def _lines(text: str) -> str:
    """Page text with its own lines."""
    return "\n".join(_shown(line) for line in text.split("\n")[:100])[: 5 * MAX_TEXT]


def _closed(record: DialogRecord) -> Sections:
    return {
        "id": record.id,
        "type": record.type,
        "message": _shown(record.message, 200),
        "accepted": record.accepted,
        "by": record.closed_by,
        "note": _shown(record.note),
    }


def _blocker(blocker: Blocker) -> Sections:
    return {
        "id": blocker.id,
        "kind": blocker.kind,
        "tab": blocker.target_id,
        "url": _shown(blocker.url),
        "text": _shown(blocker.text),
        "since": blocker.since,
    }


def _storm(storm: DialogStorm) -> Sections:
    return {
        "id": f"storm-{storm.target_id}",
        "kind": "storm",
        "tab": storm.target_id,
        "url": "",
        "text": f"{storm.count} of its dialogs were dismissed. Navigate or close it.",
        "since": storm.since,
    }


def _frames(frames: tuple[FrameInfo, ...], now: SupervisorSnapshot) -> Sections:
    """The frames of each tab, depth first, by target id."""
    pages = {page.session_id: page.target_id for page in now.pages}
    reported: Sections = {}
    depths: dict[str, int] = {}
    tab = ""
    for frame in frames[:MAX_FRAMES]:
        depths[frame.frame_id] = depth = depths[frame.parent_id] + 1 if frame.parent_id in depths else 0
        if depth == 0:
            tab = pages.get(frame.session_id, frame.frame_id)
        reported.setdefault(tab, []).append(
            {
                "id": frame.frame_id,
                "depth": depth,
                "url": _shown(frame.url, 300),
                "name": _shown(frame.name, 60),
                "own": frame.is_oopif,
                "loading": frame.is_loading,
            }
        )
    return reported


def _message(message: ConsoleMessage) -> Sections:
    return {"seq": message.seq, "level": message.level, "text": _shown(message.text)}


def _calls(supervisor: AsyncSupervisor, tools: Iterable[RunningCall]) -> Iterator[Sections]:
    """Tools, calls that wait for the person in control, and those that the supervisor has under way."""
    waiting = list(supervisor.takeover.waiting)
    for tool in tools:
        its_own = next((waiter for waiter in waiting if waiter.what == tool.name), None)
        if its_own is not None:
            waiting.remove(its_own)
        yield _row(tool.name, tool.since, PERSON if its_own is not None else "", is_tool=True)
    for waiter in waiting:
        yield _row(waiter.what, waiter.since, PERSON)
    for call in supervisor.calls():
        yield _row(call.what, call.since, call.waits_for, call.text)


def _row(what: str, since: float, waits_for: str, text: str = "", *, is_tool: bool = False) -> Sections:
    return {"what": _shown(what, 100), "text": _shown(text, 200), "since": since, "waits": waits_for, "tool": is_tool}
