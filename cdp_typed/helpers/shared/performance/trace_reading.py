"""Reads a trace event by event, and keeps only what its summary needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.conversions import convert, decode

from .main_thread import KINDS, LEAST_US, SCRIPTS, MainThread, Work, main_thread_of
from .timeline import Happened, Loaded, Moved, Painted, PerformanceTimeline, Shifted
from .trace_events import TraceEvent
from .vitals import ScriptTime, TraceSummary
from .vitals_of import vitals_of

Thread: TypeAlias = tuple[int, int]
"""A process and a thread in it."""
_MOST_WORK = 500_000
BLANK = "about:blank"
_COMMITTED = "FrameCommittedInBrowser"
_NO_VISIT = "no document was loaded during the trace, so it has neither LCP, FCP nor TTFB"
_LATE = "the page's process began to record after the navigation, so LCP, FCP and TTFB are missing; load the page again"
"""Chromium 156 does so now and then where a navigation starts a process on a busy machine."""


class _Visit(Struct, frozen=True):
    """A document that began to load."""

    start: float
    frame: str
    url: str
    id: str
    """Of the navigation, which is also the id of the request for the document."""


class _Request(Struct, frozen=True):
    url: str
    sent: float
    frame: str
    blocking: bool
    started: float | None = None
    first_byte: float | None = None
    ended: float | None = None
    size: float = 0
    body: float = 0


class _Input(Struct, frozen=True, rename="camel"):
    """The data of an event. Times are milliseconds on the document's clock."""

    interaction_id: int
    type: str
    duration: float
    time_stamp: float
    processing_start: float
    processing_end: float
    node_id: int = 0


class TraceReader:
    """Takes in the events of a page's trace, and sums them up. Times in it are microseconds on the trace's clock."""

    def __init__(self) -> None:
        self.events: int = 0
        self._frames: dict[str, str] = {}
        """By the id of each outermost main frame, its address."""
        self._processes: set[int] = set()
        self._main_threads: set[Thread] = set()
        self._has_loaded = False
        self._visits: list[_Visit] = []
        self._contents: dict[str, float] = {}
        self._paints: dict[str, tuple[float, dict[str, Any]]] = {}
        self._images: dict[int, str] = {}
        self._loads: dict[str, float] = {}
        self._shifts: list[tuple[float, dict[str, Any]]] = []
        self._inputs: list[tuple[float, _Input]] = []
        self._requests: dict[str, _Request] = {}
        self._work: dict[Thread, list[Work]] = {}
        self._works = 0
        self._takers: Mapping[str, Callable[[TraceEvent, dict[str, Any]], None]] = {
            "thread_name": self._take_thread,
            "TracingStartedInBrowser": self._take_start,
            _COMMITTED: self._take_frame,
            "navigationStart": self._take_navigation,
            "firstContentfulPaint": self._take_content,
            "largestContentfulPaint::Candidate": self._take_paint,
            "LargestImagePaint::Candidate": self._take_image,
            "loadEventEnd": self._take_load,
            "LayoutShift": self._take_shift,
            "EventTiming": self._take_input,
            "ResourceSendRequest": self._take_request,
            "ResourceReceiveResponse": self._take_response,
            "ResourceFinish": self._take_finish,
        }

    def take(self, event: TraceEvent) -> None:
        """Take in an event. One of an unexpected shape is left out of the summary."""
        self.events += 1
        if event.ph == "X":
            self._take_work(event)
        elif (take := self._takers.get(event.name)) is not None:
            args: dict[str, Any] = decode(event.args)
            with suppress(KeyError, TypeError, ValueError, AttributeError, msgspec.MsgspecError):
                take(event, {"frame": args.get("frame", ""), **(args.get("data") or args)})

    @property
    def nodes(self) -> frozenset[int]:
        """The numbers of the nodes that the summary names (`DOM.describeNode`)."""
        moved = (node.get("node_id", 0) for _, shift in self._shifts for node in shift.get("impacted_nodes", ()))
        inputs = (data.node_id for _, data in self._inputs)
        painted = (data.get("nodeId", 0) for _, data in self._paints.values())
        return frozenset(node for node in (*moved, *inputs, *painted) if node)

    def summary(self, names: Mapping[int, str] | None = None, left_out: Iterable[str] = ()) -> TraceSummary:
        """Return the summary. `names` has names of nodes."""
        names = names or {}
        visit = max(self._visits, key=lambda each: each.start, default=None)
        work = [
            each for thread in self._main_threads if thread[0] in self._processes for each in self._work.get(thread, ())
        ]
        start = min((each.start for each in work), default=0.0)
        zero = visit.start if visit else start
        busy = main_thread_of(work)
        missing = [*left_out]
        if visit is None:
            missing.append(_LATE if self._has_loaded else _NO_VISIT)
        if self._works > _MOST_WORK:
            missing.append(f"the main thread's work after its first {_MOST_WORK} parts is not in the sums")
        return TraceSummary(
            duration_ms=round((max((each.start + each.duration for each in work), default=0.0) - start) / 1000, 1),
            events=self.events,
            visit=vitals_of(self._timeline(visit, zero, busy, names)),
            main_thread_ms={kind: round(ms, 1) for kind, ms in busy.kinds.items()},
            scripts=[
                ScriptTime(
                    url=script.url,
                    function=script.function,
                    duration_ms=round(script.duration, 1),
                    forced_layout_ms=round(script.forced, 1),
                )
                for script in busy.scripts[:10]
            ],
            left_out=missing,
        )

    def _timeline(
        self, visit: _Visit | None, zero: float, busy: MainThread, names: Mapping[int, str]
    ) -> PerformanceTimeline:
        def ms(time: float) -> float:
            return (time - zero) / 1000

        url = visit.url if visit else next(iter(self._frames.values()), "")
        paint = self._paints.get(visit.id) if visit else None
        document = self._requests.get(visit.id) if visit else None
        contents = self._contents.get(visit.id) if visit else None
        loaded = self._loads.get(visit.frame) if visit else None
        return PerformanceTimeline(
            url=url,
            host=_host(url),
            origin=0.0,
            was_hidden=False,
            keeps_all=True,
            response=ms(document.first_byte) if document and document.first_byte else None,
            load=ms(loaded) if loaded and loaded >= zero else None,
            fcp=ms(contents) if contents is not None else None,
            paint=_painted(paint[1], ms(paint[0]), self._images, names) if paint else None,
            shifts=tuple(_shifted(data, ms(at), names) for at, data in self._shifts if at >= zero),
            events=tuple(_happened(data, ms(at), names) for at, data in self._inputs if at >= zero),
            frames=tuple(replace(each, start=ms(each.start)) for each in busy.long_tasks if each.start >= zero),
            resources=tuple(
                _loaded(request, visit, ms)
                for number, request in self._requests.items()
                if request.sent >= zero and (visit is None or number != visit.id)
            ),
        )

    def _take_work(self, event: TraceEvent) -> None:
        if event.name not in KINDS or event.dur < LEAST_US:
            return
        self._works += 1
        if self._works > _MOST_WORK:
            return
        url = function = ""
        if event.name in SCRIPTS:
            data: dict[str, Any] = decode(event.args).get("data") or {}
            url, function = str(data.get("url", "")), str(data.get("functionName", ""))
        work = Work(event.ts, event.dur, event.name, url, function)
        self._work.setdefault((event.pid, event.tid), []).append(work)

    def _take_thread(self, event: TraceEvent, data: dict[str, Any]) -> None:
        if data.get("name") == "CrRendererMain":
            self._main_threads.add((event.pid, event.tid))

    def _take_start(self, event: TraceEvent, data: dict[str, Any]) -> None:
        for frame in data.get("frames", ()):
            self._take_frame(event, frame)

    def _take_frame(self, event: TraceEvent, data: dict[str, Any]) -> None:
        if data.get("isOutermostMainFrame", not data.get("parent")):
            self._frames[data["frame"]] = str(data.get("url", ""))
            self._processes.add(int(data.get("processId", 0)))
            self._has_loaded |= event.name == _COMMITTED and data.get("url") != BLANK

    def _take_navigation(self, event: TraceEvent, data: dict[str, Any]) -> None:
        url = str(data.get("documentLoaderURL", ""))
        if url and data.get("isOutermostMainFrame", data.get("isLoadingMainFrame")) and url != BLANK:
            self._visits.append(_Visit(event.ts, data["frame"], url, str(data.get("navigationId", ""))))

    def _take_content(self, event: TraceEvent, data: dict[str, Any]) -> None:
        self._contents.setdefault(str(data.get("navigationId", "")), event.ts)

    def _take_paint(self, event: TraceEvent, data: dict[str, Any]) -> None:
        self._paints[str(data.get("navigationId", ""))] = (event.ts, data)

    def _take_image(self, event: TraceEvent, data: dict[str, Any]) -> None:
        self._images[int(data.get("DOMNodeId", 0))] = str(data.get("imageUrl", ""))

    def _take_load(self, event: TraceEvent, data: dict[str, Any]) -> None:
        self._loads[data["frame"]] = event.ts

    def _take_shift(self, event: TraceEvent, data: dict[str, Any]) -> None:
        self._shifts.append((event.ts, data))

    def _take_input(self, event: TraceEvent, data: dict[str, Any]) -> None:
        if event.ph == "b" and data.get("interactionId"):
            self._inputs.append((event.ts, convert(data, _Input)))

    def _take_request(self, event: TraceEvent, data: dict[str, Any]) -> None:
        blocking = data.get("renderBlocking") == "blocking"
        request = _Request(str(data.get("url", "")), event.ts, data["frame"], blocking)
        self._requests.setdefault(str(data.get("requestId", "")), request)

    def _take_response(self, event: TraceEvent, data: dict[str, Any]) -> None:
        number = str(data.get("requestId", ""))
        timing: dict[str, float] = data.get("timing") or {}
        if number in self._requests and timing:
            begin = timing["requestTime"] * 1e6
            self._requests[number] = replace(
                self._requests[number],
                started=begin + max(0.0, timing.get("sendStart", 0)) * 1000,
                first_byte=begin + timing.get("receiveHeadersStart", timing.get("receiveHeadersEnd", 0)) * 1000,
            )

    def _take_finish(self, event: TraceEvent, data: dict[str, Any]) -> None:
        number, finish = str(data.get("requestId", "")), data.get("finishTime")
        if number in self._requests:
            self._requests[number] = replace(
                self._requests[number],
                ended=finish * 1e6 if finish else event.ts,
                size=float(data.get("encodedDataLength", 0)),
                body=float(data.get("decodedBodyLength", 0)),
            )


def _painted(data: Mapping[str, Any], start: float, images: Mapping[int, str], names: Mapping[int, str]) -> Painted:
    node = int(data.get("nodeId", 0))
    url = images.get(node, "") if data.get("type") == "image" else ""
    return Painted(names.get(node) or str(data.get("nodeName", "")).lower(), url, start)


def _shifted(data: Mapping[str, Any], start: float, names: Mapping[int, str]) -> Shifted:
    moved = tuple(
        Moved(_named(node.get("node_id", 0), names), tuple(node.get("old_rect", ())), tuple(node.get("new_rect", ())))
        for node in data.get("impacted_nodes", ())
    )
    score = data.get("weighted_score_delta", data.get("score", 0.0))
    return Shifted(score, start, bool(data.get("had_recent_input")), moved)


def _happened(data: _Input, start: float, names: Mapping[int, str]) -> Happened:
    return Happened(
        type=data.type,
        id=data.interaction_id,
        target=_named(data.node_id, names) if data.node_id else "",
        start=start,
        duration=data.duration,
        begin=start + data.processing_start - data.time_stamp,
        end=start + data.processing_end - data.time_stamp,
    )


def _loaded(request: _Request, visit: _Visit | None, ms: Callable[[float], float]) -> Loaded:
    started = request.sent if request.started is None else request.started
    return Loaded(
        url=request.url,
        host=_host(request.url),
        start=ms(request.sent),
        request=ms(started),
        end=ms(started if request.ended is None else request.ended),
        blocking=request.blocking and (visit is None or request.frame == visit.frame),
        size=request.size,
        body=request.body,
    )


def _named(node: int, names: Mapping[int, str]) -> str:
    return names.get(node) or f"node {node}"


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""
