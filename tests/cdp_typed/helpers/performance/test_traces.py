"""Traces read out of pieces of a stream, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.helpers.shared.own_scripts import OWN_SCRIPT
from cdp_typed.helpers.shared.performance.main_thread import Work, main_thread_of
from cdp_typed.helpers.shared.performance.timeline import Ran
from cdp_typed.helpers.shared.performance.trace_events import EventLines
from cdp_typed.helpers.shared.performance.trace_file import TraceFile
from cdp_typed.helpers.shared.performance.vitals import TraceSummary


def event(
    name: str, ts: float = 0, ph: str = "I", args: dict[str, Any] | None = None, *, pid: int = 7, dur: float = 0
) -> dict[str, Any]:
    return {"name": name, "ph": ph, "ts": ts, "dur": dur, "pid": pid, "tid": pid, "args": args or {}}


def stream(*events: dict[str, Any]) -> bytes:
    return b'{"traceEvents":[' + b",\n".join(json.dumps(each).encode() for each in events) + b'],"metadata":\n{"x":1}}'


MAIN = event("thread_name", ph="M", args={"name": "CrRendererMain"})
FRAMES = [{"frame": "F1", "isOutermostMainFrame": True, "processId": 7, "url": "about:blank"}]
STARTED = event("TracingStartedInBrowser", pid=1, args={"data": {"frames": FRAMES}})
COMMITTED = event(
    "FrameCommittedInBrowser",
    pid=1,
    args={"data": {"frame": "F1", "isOutermostMainFrame": True, "processId": 7, "url": "http://a.test/"}},
)
SLOW = {"url": "http://a.test/a.js", "functionName": "slow"}


def read(path: Path, data: bytes, *, limit: int = 2**20, piece: int = 50) -> TraceSummary:
    trace = TraceFile(path, limit=limit)
    for at in range(0, len(data), piece):
        if not trace.feed(data[at : at + piece]):
            break
    trace.complete()
    return trace.summary


def test_a_stream_is_cut_into_events_wherever_its_pieces_end() -> None:
    data = stream(MAIN, STARTED, event("\u00e4\n"))

    for size in (1, 7, 1000):
        lines = EventLines()
        found = [line for at in range(0, len(data), size) for line in lines.feed(data[at : at + size])]
        assert [json.loads(line) for line in [*found, *lines.end()]] == [MAIN, STARTED, event("\u00e4\n")]


def test_the_work_of_the_pages_main_thread_is_summed_up(tmp_path: Path) -> None:
    work = [
        event("RunTask", 1.5e6, "X", dur=80_000),
        event("FunctionCall", 1.5e6, "X", {"data": SLOW}, dur=70_000),
        event("Layout", 1.51e6, "X", dur=20_000),
    ]
    elsewhere = [
        event("thread_name", ph="M", args={"name": "CrRendererMain"}, pid=8),
        event("RunTask", 0, "X", pid=8, dur=9e9),
    ]

    for told in (STARTED, COMMITTED):
        summary = read(
            tmp_path / "t.json", stream(MAIN, event("thread_name", ph="M", args={"name": 3}), told, *work, *elsewhere)
        )

        assert (summary.duration_ms, summary.left_out) == (80, [])
        assert summary.main_thread_ms == {"rendering": 20, "scripting": 50, "other": 10}
        (script,) = summary.scripts
        assert (script.function, script.duration_ms, script.forced_layout_ms) == ("slow", 70, 20)


@pytest.mark.parametrize("is_told", [False, True])
def test_a_long_script_counts_once_also_where_the_browser_leaves_out_its_call(tmp_path: Path, is_told: bool) -> None:
    told = {"source_location_url": SLOW["url"], "source_location_function_name": SLOW["functionName"]}
    name = "AnimationFrame::Script::Execute"
    work = [
        event("TimerFire", 1.5e6, "X", dur=80_000),
        event(name, 1.5e6 + 10, "b", {"animation_frame_script_timing_info": told}),
        *([event("FunctionCall", 1.5e6 + 20, "X", {"data": SLOW}, dur=70_000)] * is_told),
        event(name, 1.5e6 + 70_010, "e"),
        event(name, 1.6e6, "b", {"animation_frame_script_timing_info": 3}),
        event(name, 1.6e6 + 70_000, "e"),
    ]

    summary = read(tmp_path / "t.json", stream(MAIN, STARTED, *work))

    assert [(each.url, each.function, each.duration_ms) for each in summary.scripts] == [(SLOW["url"], "slow", 70)]
    assert summary.main_thread_ms == {"scripting": 80}


def test_a_trace_beyond_the_limit_is_cut_into_whole_events_and_says_so(tmp_path: Path) -> None:
    data = stream(MAIN, *(event("UpdateLayer", number) for number in range(1000)))

    summary = read(tmp_path / "t.json", data, limit=5000)

    written = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert summary.left_out == ["the trace is longer than 0.00476837 MiB; its rest was not read"]
    assert 10 < len(written) == summary.events < 100
    assert written[0] == MAIN


def test_a_trace_is_read_after_its_block_only(tmp_path: Path) -> None:
    trace = TraceFile(tmp_path / "t.json", limit=10)

    with pytest.raises(RuntimeError, match="still recorded"):
        _ = trace.summary
    trace.close()


def test_time_counts_once_for_the_innermost_work() -> None:
    work = [
        Work(0, 100_000, "RunTask"),
        Work(0, 90_000, "EvaluateScript", "a.js"),
        Work(10_000, 50_000, "FunctionCall", "b.js", "inner"),
        Work(20_000, 30_000, "Layout"),
        Work(200_000, 40_000, "RunTask"),
        Work(200_000, 40_000, "FunctionCall", "b.js", "inner"),
    ]

    thread = main_thread_of(work)

    assert thread.kinds == {"rendering": 30, "scripting": 20 + 40 + 40, "other": 10}
    assert thread.scripts == (Ran("a.js", "", "", 90, 30), Ran("b.js", "inner", "", 40, 0))


def test_a_script_of_this_library_is_work_and_no_script_of_the_page() -> None:
    thread = main_thread_of(
        [Work(0, 5_000, "FunctionCall", OWN_SCRIPT, "look"), Work(9_000, 4_000, "FunctionCall", "a.js", "work")]
    )

    assert thread.kinds == {"scripting": 9}
    assert [(ran.url, ran.function) for ran in thread.scripts] == [("a.js", "work")]
