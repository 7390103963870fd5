"""Traces read out of pieces of a stream, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.helpers.shared.own_scripts import OWN_SCRIPT
from cdp_typed.helpers.shared.performance.main_thread import Work, main_thread_of
from cdp_typed.helpers.shared.performance.timeline import Drawn, Ran
from cdp_typed.helpers.shared.performance.trace_events import EventLines
from cdp_typed.helpers.shared.performance.trace_file import TraceFile
from cdp_typed.helpers.shared.performance.vitals import BlockingRequest, LargestPaint, TraceSummary

TOP = "F1"


def event(
    name: str, ts: float = 0, ph: str = "I", args: dict[str, Any] | None = None, *, pid: int = 7, dur: float = 0
) -> dict[str, Any]:
    return {"name": name, "ph": ph, "ts": ts, "dur": dur, "pid": pid, "tid": pid, "args": args or {}}


def of_page(name: str, ts: float, **data: Any) -> dict[str, Any]:
    return event(name, ts, args={"frame": TOP, "data": {"frame": TOP, **data}})


def stream(*events: dict[str, Any]) -> bytes:
    return b'{"traceEvents":[' + b",\n".join(json.dumps(each).encode() for each in events) + b'],"metadata":\n{"x":1}}'


MAIN = event("thread_name", ph="M", args={"name": "CrRendererMain"})
FRAMES = [{"frame": TOP, "isOutermostMainFrame": True, "processId": 7, "url": "about:blank"}]
STARTED = event("TracingStartedInBrowser", pid=1, args={"data": {"frames": FRAMES}})
COMMITTED = event(
    "FrameCommittedInBrowser",
    pid=1,
    args={"data": {"frame": TOP, "isOutermostMainFrame": True, "processId": 7, "url": "http://a.test/"}},
)
SLOW = {"url": "http://a.test/a.js", "functionName": "slow"}
VISIT = of_page("navigationStart", 1e6, documentLoaderURL="http://a.test/", isOutermostMainFrame=True, navigationId="N")


def loaded(number: str, url: str, sent: float, end: float, **data: Any) -> list[dict[str, Any]]:
    timing = {"requestTime": sent / 1e6, "sendStart": 1, "receiveHeadersStart": 20}
    return [
        of_page("ResourceSendRequest", sent, requestId=number, url=url, **data),
        of_page("ResourceReceiveResponse", end, requestId=number, timing=timing),
        of_page(
            "ResourceFinish", end, requestId=number, finishTime=end / 1e6, encodedDataLength=90, decodedBodyLength=9
        ),
    ]


def read(path: Path, data: bytes, *, limit: int = 2**20, piece: int = 50) -> TraceSummary:
    trace = TraceFile(path, limit=limit)
    for at in range(0, len(data), piece):
        if not trace.feed(data[at : at + piece]):
            break
    trace.complete({4: "img#hero"})
    return trace.summary


def test_a_stream_is_cut_into_events_wherever_its_pieces_end() -> None:
    data = stream(MAIN, STARTED, event("\u00e4\n"))

    for size in (1, 7, 1000):
        lines = EventLines()
        found = [line for at in range(0, len(data), size) for line in lines.feed(data[at : at + size])]
        assert [json.loads(line) for line in [*found, *lines.end()]] == [MAIN, STARTED, event("\u00e4\n")]


def test_a_visit_is_read_out_of_its_trace(tmp_path: Path) -> None:
    summary = read(
        tmp_path / "t.json",
        stream(
            MAIN,
            STARTED,
            VISIT,
            COMMITTED,
            *loaded("N", "http://a.test/", 1.01e6, 1.05e6, resourceType="Document"),
            *loaded("1", "http://a.test/s.css", 1.05e6, 1.2e6, renderBlocking="blocking"),
            *loaded("2", "http://a.test/i.png", 1.1e6, 1.3e6),
            of_page("firstContentfulPaint", 1.25e6, navigationId="N"),
            of_page("LargestImagePaint::Candidate", 1.4e6, DOMNodeId=4, imageUrl="http://a.test/i.png"),
            of_page("largestContentfulPaint::Candidate", 1.4e6, navigationId="N", nodeId=4, type="image"),
            of_page(
                "LayoutShift",
                1.5e6,
                weighted_score_delta=0.2,
                impacted_nodes=[{"node_id": 5, "old_rect": [0, 1, 2, 3], "new_rect": [0, 9, 2, 3]}],
            ),
            event("EventTiming", 1.4e6, "b", {"data": {"interactionId": 3}}),  # without its times it is left out
            event("RunTask", 1.5e6, "X", dur=80_000),
            event("FunctionCall", 1.5e6, "X", args={"data": SLOW}, dur=70_000),
            event("Layout", 1.51e6, "X", dur=20_000),
        ),
    )

    visit = summary.visit
    assert (visit.url, visit.ttfb_ms, visit.fcp_ms, visit.lcp_ms, visit.cls) == ("http://a.test/", 30, 250, 400, 0.2)
    assert visit.lcp == LargestPaint(
        element="img#hero", url="http://a.test/i.png", wait_ms=30, load_delay_ms=71, load_ms=199, render_ms=100
    )
    assert visit.render_blocking == [BlockingRequest(url="http://a.test/s.css", duration_ms=150, end_ms=200, size=90)]
    assert visit.shifts[0].elements == ["node 5: 0 1 2 3 -> 0 9 2 3"]
    assert summary.main_thread_ms == {"rendering": 20, "scripting": 50, "other": 10}
    (script,) = summary.scripts
    assert (script.function, script.duration_ms, script.forced_layout_ms) == ("slow", 70, 20)
    assert [frame.duration_ms for frame in visit.long_frames] == [80]
    assert summary.left_out == []


def test_a_trace_beyond_the_limit_is_cut_into_whole_events_and_says_so(tmp_path: Path) -> None:
    data = stream(MAIN, *(event("UpdateLayer", number) for number in range(1000)))

    summary = read(tmp_path / "t.json", data, limit=5000)

    written = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert summary.left_out[0] == "the trace is longer than 0.00476837 MiB; its rest was not read"
    assert 10 < len(written) == summary.events < 100
    assert written[0] == MAIN


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([], "no document was loaded during the trace, so it has neither LCP, FCP nor TTFB"),
        (
            [COMMITTED],
            "the page's process began to record after the navigation, so LCP, FCP and TTFB are missing; "
            "load the page again",
        ),
    ],
)
def test_a_trace_without_a_navigation_says_why(tmp_path: Path, events: list[dict[str, Any]], sentence: str) -> None:
    summary = read(tmp_path / "t.json", stream(MAIN, STARTED, *events))

    assert summary.left_out == [sentence]
    assert summary.visit.lcp_ms is None


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
    assert thread.long_tasks == (Drawn(0, 100, 50, (Ran("a.js", "", "", 90, 30),)),)


def test_a_script_of_this_library_is_work_and_no_script_of_the_page() -> None:
    thread = main_thread_of(
        [Work(0, 5_000, "FunctionCall", OWN_SCRIPT, "look"), Work(9_000, 4_000, "FunctionCall", "a.js", "work")]
    )

    assert thread.kinds == {"scripting": 9}
    assert [(ran.url, ran.function) for ran in thread.scripts] == [("a.js", "work")]
