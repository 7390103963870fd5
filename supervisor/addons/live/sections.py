"""The content of the live view, in sections: a section is sent when it has changed. Page text is text here and in the
page.

Control, bidi and invisible characters of page text are shown as escapes, and every text is cut.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from cdp_typed.printable import visible
from cdp_typed.protocol import target
from cdp_typed.redaction import Redaction
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

from .person import frames_by_tab

Sections: TypeAlias = dict[str, Any]

MAX_TEXT = 2_000
MAX_FRAMES = 200
PERSON = "the person in control"
RECENT = 5
"""Closed dialogs that are shown."""


def sections(
    supervisor: AsyncSupervisor | None,
    tools: Iterable[RunningCall],
    browser_tabs: Iterable[target.TargetInfo] = (),
    hosts: Collection[str] = (),
) -> Sections:
    """Everything that is known now; without a supervisor, that there is none.

    `browser_tabs` are all tabs of the browser. A tab that shows the live view, on one of `hosts`, is not offered: in
    it, the agent could approve its calls itself.
    """
    try:
        now = supervisor.snapshot() if supervisor is not None else None
    except NotRunning:
        now = None
    if now is None or supervisor is None:
        return {"connection": {"state": "not started", "reason": ""}, "tabs": [], "others": [], "calls": []}
    written = _Sections(supervisor.redaction)
    titles = {str(info.target_id): info.title for info in browser_tabs}
    # The tabs of a browser that supervisors share by contexts belong to other tasks.
    beyond = () if supervisor.config_of_others.own_context else (tab for tab in browser_tabs if _is_offered(tab, hosts))
    return {**written.of(supervisor, now, tools, titles), "others": written.others(now, titles, beyond)}


def _is_offered(tab: target.TargetInfo, hosts: Collection[str]) -> bool:
    if tab.subtype is not None or tab.url.startswith("devtools:"):  # a prerendered page, the browser's own tools
        return False
    return not (tab.url.startswith(("http:", "https:")) and urlsplit(tab.url).netloc in hosts)


class _Sections:
    """Writes the sections without secrets."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction

    def of(
        self,
        supervisor: AsyncSupervisor,
        now: SupervisorSnapshot,
        tools: Iterable[RunningCall],
        titles: Mapping[str, str],
    ) -> Sections:
        return {
            "connection": {"state": now.state, "reason": self._shown(now.reason)},
            "tabs": [self._tab(page, titles) for page in now.pages],
            "dialogs": [self._dialog(dialog) for dialog in now.pending_dialogs],
            "recent": [self._closed(record) for record in reversed(now.recent_dialogs[-RECENT:])],
            "storms": [self._storm(storm) for storm in now.dialog_storms],
            "blockers": [self._blocker(blocker) for blocker in now.blockers],
            "downloads": [
                {"name": self._shown(ended.name), "complete": ended.is_complete}
                for ended in now.recent_downloads[-RECENT:]
            ],
            "frames": self._frames(supervisor.frames(), now),
            "console": [self._message(message) for message in now.console],
            "calls": list(self._calls(supervisor, tools)),
        }

    def _shown(self, text: str, limit: int = MAX_TEXT) -> str:
        return visible(self._redaction.text(text), limit)

    def _tab(self, page: PageInfo, titles: Mapping[str, str]) -> Sections:
        return {
            "id": page.target_id,
            "title": self._shown(titles.get(page.target_id, ""), 200),
            "url": self._shown(page.url),
            "status": page.status,
            "current": page.is_current,
            "managed": page.is_managed,
            "given": page.is_given,
        }

    def others(
        self, now: SupervisorSnapshot, titles: Mapping[str, str], beyond: Iterable[target.TargetInfo]
    ) -> list[Sections]:
        """The tabs that a person may give to the agent, or take back. `beyond` are tabs also beyond the scope."""
        known = {page.target_id for page in now.pages}
        inside = [
            (page.target_id, page.url, page.is_given) for page in now.pages if page.is_given or not page.is_managed
        ]
        outside = [(tab.target_id, tab.url, False) for tab in beyond if tab.target_id not in known]
        return [
            {
                "id": target_id,
                "title": self._shown(titles.get(target_id, ""), 200),
                "url": self._shown(url.partition("#")[0], 300),
                "given": is_given,
            }
            for target_id, url, is_given in (*inside, *outside)
        ]

    def _dialog(self, dialog: PendingDialog) -> Sections:
        return {
            "id": dialog.id,
            "type": dialog.type,
            "message": self._lines(dialog.message),
            "default": visible(dialog.default_prompt, MAX_TEXT),
            "url": self._shown(dialog.url),
            "tab": dialog.target_id,
            "since": dialog.opened_at,
            "answerable": dialog.answerable,
            "note": self._shown(dialog.note),
        }

    def _lines(self, text: str) -> str:
        """Page text with its own lines."""
        return "\n".join(self._shown(line) for line in self._redaction.text(text).split("\n")[:100])[: 5 * MAX_TEXT]

    def _closed(self, record: DialogRecord) -> Sections:
        return {
            "id": record.id,
            "type": record.type,
            "message": self._shown(record.message, 200),
            "accepted": record.accepted,
            "by": record.closed_by,
            "note": self._shown(record.note),
        }

    def _blocker(self, blocker: Blocker) -> Sections:
        return {
            "id": blocker.id,
            "kind": blocker.kind,
            "tab": blocker.target_id,
            "url": self._shown(blocker.url),
            "text": self._shown(blocker.text),
            "since": blocker.since,
        }

    def _storm(self, storm: DialogStorm) -> Sections:
        return {
            "id": f"storm-{storm.target_id}",
            "kind": "storm",
            "tab": storm.target_id,
            "url": "",
            "text": f"{storm.count} of its dialogs were dismissed. Navigate or close it.",
            "since": storm.since,
        }

    def _frames(self, frames: tuple[FrameInfo, ...], now: SupervisorSnapshot) -> Sections:
        """The frames of each tab, depth first, by target id."""
        reported: Sections = {}
        for tab, depth, frame in frames_by_tab(frames[:MAX_FRAMES], now):
            reported.setdefault(tab, []).append(
                {
                    "id": frame.frame_id,
                    "depth": depth,
                    "url": self._shown(frame.url, 300),
                    "name": self._shown(frame.name, 60),
                    "own": frame.is_oopif,
                    "loading": frame.is_loading,
                }
            )
        return reported

    def _message(self, message: ConsoleMessage) -> Sections:
        return {"seq": message.seq, "level": message.level, "text": self._shown(message.text)}

    def _calls(self, supervisor: AsyncSupervisor, tools: Iterable[RunningCall]) -> Iterator[Sections]:
        """Tools, calls that wait for the person in control, and those that the supervisor has under way."""
        waiting = list(supervisor.takeover.waiting)
        for tool in tools:
            its_own = next((waiter for waiter in waiting if waiter.what == tool.name), None)
            if its_own is not None:
                waiting.remove(its_own)
            yield self._row(tool.name, tool.since, PERSON if its_own is not None else "", is_tool=True)
        for waiter in waiting:
            yield self._row(waiter.what, waiter.since, PERSON)
        for call in supervisor.calls():
            yield self._row(call.what, call.since, call.waits_for, call.text)

    def _row(self, what: str, since: float, waits_for: str, text: str = "", *, is_tool: bool = False) -> Sections:
        return {
            "what": self._shown(what, 100),
            "text": self._shown(text, 200),
            "since": since,
            "waits": waits_for,
            "tool": is_tool,
        }
