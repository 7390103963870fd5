"""A report made from a flight recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from cdp_typed.conversions import convert
from cdp_typed.wire.json_text import is_object
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.journal import LATEST, Beginning, FlightAnnotation, RecordedStep, flight

from .calls import CallSpans
from .columns import Columns
from .lanes import ConnectionLane, PageLanes
from .model import FORMAT, Report, Summary, Timeline
from .page_logs import ConsoleEntries, NetworkFailures, PageRequests, TrafficMoment
from .remarks import Pictures, Tools
from .report_events import Collector, ReportEvent
from .story.actions import actions_of
from .story.incidents import BlockerSpans, DialogSpans, StormSpans
from .story.summary import summary_of
from .timeline import States


class _Flight:
    """Takes a recording in, part by part."""

    def __init__(self, beginning: Beginning) -> None:
        self.beginning = beginning
        self.state = beginning.state
        self.started_at: float | None = None
        self.browser = ""
        self.index = -1
        self._time = 0.0
        self._clock: float | None = None
        self.columns, self.states = Columns(), States(beginning.state)
        self.connection, self.pages = ConnectionLane(), PageLanes()
        self.dialogs, self.blockers, self.storms = DialogSpans(), BlockerSpans(), StormSpans()
        self.calls, self.console, self.network = CallSpans(), ConsoleEntries(), NetworkFailures()
        self.pictures, self.tools, self.requests = Pictures(), Tools(), PageRequests()
        collectors: tuple[Collector, ...] = (
            self.columns,
            self.states,
            self.connection,
            self.pages,
            self.dialogs,
            self.blockers,
            self.storms,
            self.calls,
            self.console,
            self.network,
        )
        self._collectors = collectors
        self._remarks: Mapping[str, Callable[[Mapping[str, Any], int, float], None]] = {
            "picture": self.pictures.take,
            "tool_began": self._begin_tool,
            "tool_ended": self.tools.end,
        }

    def take(self, part: RecordedStep | FlightAnnotation) -> None:
        """The next part."""
        if isinstance(part, FlightAnnotation):
            self._take_remark(part.entry)
            return
        time = self._moment(part.now)
        self.index += 1
        moment = ReportEvent(
            index=self.index,
            time=time,
            received=part.received,
            before=self.state,
            after=part.state,
            effects=part.effects,
        )
        for collector in self._collectors:
            collector.see(moment)
        self.state = part.state

    def _take_remark(self, entry: Mapping[str, Any]) -> None:
        for name, take in self._remarks.items():
            if name in entry:
                at = float(entry[name]["at"])
                if not 0 <= at <= LATEST:
                    raise ValueError(f"'at' is no time: {at!r}")
                time = 0.0 if self.started_at is None else (at - self.started_at) * 1_000
                take(entry, self.columns.index_at(time), max(0.0, round(time, 1)))
        if entry.get("dir") == "recv" and self.started_at is not None:
            self._take_message(entry)

    def _take_message(self, entry: Mapping[str, Any]) -> None:
        """A message of the browser. Its time is as the recorder's clock, the first message being at the last input."""
        self.browser = self.browser or _product(entry)
        method, seconds = entry.get("method"), entry.get("t")
        if not isinstance(method, str) or not isinstance(seconds, int | float):
            return
        if self._clock is None:
            self._clock = self._time - seconds * 1_000
        time = max(0.0, round(self._clock + seconds * 1_000, 1))
        session = self.state.world.targets.sessions.get(str(entry.get("sessionId", "")))
        page = session.page_id if session is not None else ""
        self.requests.take(method, entry.get("params"), TrafficMoment(max(0, self.index), time, page))

    def _begin_tool(self, entry: Mapping[str, Any], index: int, time: float) -> None:
        self.tools.begin(entry, index, time, self.state.world.targets.current or "")

    def _moment(self, now: float) -> float:
        """Milliseconds since the start; after a clock is set back, the time does not change."""
        if self.started_at is None:
            self.started_at = now
        self._time = max(self._time, round((now - self.started_at) * 1_000, 1))
        return self._time

    def report(self, title: str, notes: list[str]) -> Report:
        """All that was taken in."""
        tools, calls, dialogs = self.tools.spans(), self.calls.spans(), self.dialogs.spans()
        report = Report(
            format=FORMAT,
            summary=_NO_SUMMARY,
            actions=actions_of(tools, calls, dialogs, self.pictures.all),
            inputs=self.columns.inputs(),
            timeline=self.states.timeline(),
            connection=self.connection.spans(),
            pages=self.pages.lanes(),
            dialogs=dialogs,
            calls=calls,
            tools=tools,
            blockers=self.blockers.spans(),
            storms=self.storms.spans(),
            console=self.console.all,
            network=self.network.all,
            requests=self.requests.spans(),
            pictures=self.pictures.all,
        )
        versions = {"recorder": self.beginning.version, "browser": self.browser}
        summary = summary_of(report, self.state, self.beginning.config, versions)
        return replace(
            report,
            summary=replace(
                summary, title=title, started_at=self.started_at or 0.0, duration=self._time, notes=[*notes]
            ),
        )


_NO_SUMMARY = Summary(
    title="",
    started_at=0.0,
    duration=0.0,
    ended="",
    ended_reason="",
    inputs=0,
    counts={},
    versions={},
    settings={},
    items=[],
    notes=[],
)


PROGRESS_EVERY = 500
"""Lines between two calls of `progress`."""


def report_of(
    recording: str | Path, title: str = "", *, progress: Callable[[float], None] = lambda share: None
) -> Report:
    """The report of a flight recording, up to the first line that cannot be read; `Summary.notes` says so then.

    `progress` is called now and then with the share of the lines that were read, from 0 to 1.

    Raises `OSError`, and `InvalidConfig` for a file that is no flight recording.
    """
    path, notes = Path(recording), list[str]()
    lines = _line_count(path)
    parts = flight(path)
    taken = _Flight(_beginning(parts, path))
    line = 1
    try:
        for line, part in enumerate(parts, 2):
            if isinstance(part, Beginning):
                notes.append(f"Another recording begins in line {line}; it is not shown.")
                break
            taken.take(part)
            if line % PROGRESS_EVERY == 0:
                progress(line / max(line, lines))
    except InvalidConfig as error:
        notes.append(_broken(path, int(str(error.value).rpartition(":")[2]), error.allowed))
    except Exception as error:  # values of wrong types, which no recorder writes: what was taken in is shown
        notes.append(_broken(path, line, f"a line that a recorder writes ({type(error).__name__}: {error})"))
    return _checked(taken.report(title or path.name, notes), path)


def _beginning(parts: Iterator[Beginning | RecordedStep | FlightAnnotation], path: Path) -> Beginning:
    first = next(parts, None)
    if not isinstance(first, Beginning):
        raise InvalidConfig("recording", path.name, "settings in its first line, as the setting record_to writes them")
    return first


def _broken(path: Path, number: int, expected: str) -> str:
    count = _line_count(path)
    if number == count:
        return f"The recording breaks off in its last line, {number}: the report ends before it."
    return f"Line {number} is not {expected}: the report ends there; {count - number} lines after it are not shown."


def _line_count(path: Path) -> int:
    with path.open("rb") as lines:
        return sum(1 for _ in lines)


def _checked(report: Report, path: Path) -> Report:
    """The same; our recorder writes values of the right types, another program may not."""
    try:
        timeline = Timeline(keyframes=[], changed=[], patches=[])
        convert(msgspec.to_builtins(replace(report, timeline=timeline)), Report)
    except (msgspec.ValidationError, TypeError) as error:
        raise InvalidConfig("recording", path.name, f"values of the types that a recorder writes ({error})") from None
    return report


def _product(entry: Mapping[str, Any]) -> str:
    """The browser's name and version, where this message says it (`Browser.getVersion`)."""
    result = entry.get("result")
    product = result.get("product") if is_object(result) else None
    return product if isinstance(product, str) else ""
