"""Reads a trace event by event, and keeps only what its summary needs."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, TypeAlias

from msgspec.structs import replace

from cdp_typed.conversions import decode

from .main_thread import KINDS, LEAST_US, SCRIPTS, Work, main_thread_of
from .trace_events import TraceEvent
from .vitals import ScriptTime, TraceSummary

Thread: TypeAlias = tuple[int, int]
"""A process and a thread in it."""
_MOST_WORK = 500_000
_LONG_SCRIPT = "AnimationFrame::Script::Execute"
"""A script that took 5 ms or more. It has no duration: its end is another event."""


class TraceReader:
    """Takes in the events of a page's trace, and sums them up. Times in it are microseconds on the trace's clock."""

    def __init__(self) -> None:
        self.events: int = 0
        self._processes: set[int] = set()
        self._main_threads: set[Thread] = set()
        self._work: dict[Thread, list[Work]] = {}
        self._works = 0
        self._begun: dict[Thread, Work] = {}
        self._long_scripts: dict[Thread, list[Work]] = {}

    def take(self, event: TraceEvent) -> None:
        """Take in an event. One of an unexpected shape is left out of the summary."""
        self.events += 1
        if event.ph == "X":
            self._take_work(event)
        elif event.name == _LONG_SCRIPT:
            self._take_long_script(event)
        elif event.name in ("thread_name", "TracingStartedInBrowser", "FrameCommittedInBrowser"):
            args: dict[str, Any] = decode(event.args)
            with suppress(KeyError, TypeError, ValueError, AttributeError):
                self._take_place(event, args.get("data") or args)

    def summary(self, left_out: Iterable[str] = ()) -> TraceSummary:
        """Return the summary."""
        threads = [thread for thread in self._main_threads if thread[0] in self._processes]
        work = [each for thread in threads for each in (*self._work.get(thread, ()), *self._calls_left_out(thread))]
        start = min((each.start for each in work), default=0.0)
        busy = main_thread_of(work)
        missing = [*left_out]
        if self._works > _MOST_WORK:
            missing.append(f"the main thread's work after its first {_MOST_WORK} parts is not in the sums")
        return TraceSummary(
            duration_ms=round((max((each.start + each.duration for each in work), default=0.0) - start) / 1000, 1),
            events=self.events,
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

    def _take_long_script(self, event: TraceEvent) -> None:
        thread = event.pid, event.tid
        if event.ph == "b":
            with suppress(KeyError, TypeError, AttributeError):
                told: dict[str, Any] = decode(event.args)["animation_frame_script_timing_info"]
                url, function = (str(told.get(f"source_location_{key}", "")) for key in ("url", "function_name"))
                self._begun[thread] = Work(event.ts, 0.0, "FunctionCall", url, function)
        elif event.ph == "e" and (begun := self._begun.pop(thread, None)) is not None:
            self._long_scripts.setdefault(thread, []).append(replace(begun, duration=event.ts - begun.start))

    def _calls_left_out(self, thread: Thread) -> list[Work]:
        """The long scripts whose own event a busy Chromium has left out of the trace (seen on 156)."""
        told = [each for each in self._work.get(thread, ()) if each.name in SCRIPTS]
        return [
            long
            for long in self._long_scripts.get(thread, ())
            if not any(0 <= each.start - long.start < long.duration < 2 * each.duration for each in told)
        ]

    def _take_place(self, event: TraceEvent, data: dict[str, Any]) -> None:
        """The main thread of a process, or the process of a main frame."""
        if event.name == "thread_name":
            if data.get("name") == "CrRendererMain":
                self._main_threads.add((event.pid, event.tid))
            return
        for frame in data.get("frames", (data,)):
            if frame.get("isOutermostMainFrame", not frame.get("parent")):
                self._processes.add(int(frame.get("processId", 0)))
