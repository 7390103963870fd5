"""The state at any input of a report is the one that `journal.replay` steps to."""

from __future__ import annotations

import itertools
import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from supervisor.addons.report import Report, report_json, report_of, state_at
from supervisor.core.snapshot import snapshot
from supervisor.journal import replay
from tests.support.core.histories import BEGINNINGS, ENDS, INPUTS, MODES, POLICIES
from tests.support.core.recordings import long_flight, write_recording

FLIGHTS = sorted((Path(__file__).parents[3] / "data" / "flights").glob("*.jsonl"))


def replayed(path: Path) -> list[Any]:
    """The snapshots at every input, as JSON; the first one is that of the beginning."""
    return [json.loads(json.dumps(msgspec.to_builtins(snapshot(state)))) for state in replay(path)]


def as_read(report: Report) -> Report:
    """The report as a browser gets it."""
    return msgspec.convert(json.loads(report_json(report)), Report)


@pytest.mark.parametrize("path", FLIGHTS, ids=lambda path: path.stem)
def test_states_of_recordings_of_chromium_are_those_of_replay(path: Path) -> None:
    report = as_read(report_of(path))

    states = [state_at(report.timeline, index) for index in range(-1, report.summary.inputs)]
    assert states == replayed(path)
    assert report.summary.notes == []


@given(POLICIES, MODES, BEGINNINGS, st.lists(INPUTS, max_size=40), ENDS)
def test_states_after_anything_are_those_of_replay(
    policy: Any, mode: Any, beginning: list[Any], received: list[Any], end: list[Any]
) -> None:
    history = [one for one in (*beginning, *received, *end) if one != "fire"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "flight.jsonl")
        write_recording(path, _numbered(history), dialog_policy=policy, dialog_bridge=mode)
        report = as_read(report_of(path))

        states = [state_at(report.timeline, index) for index in range(-1, report.summary.inputs)]
        assert states == replayed(path)
    assert report.summary.notes == []
    assert report.summary.inputs == len(history)
    _assert_spans_are_in_order(report)


def _numbered(history: list[Any]) -> list[Any]:
    """Ids of calls are never used twice."""
    return [
        replace(one, call_id=f"c-{number}") if getattr(one, "call_id", "") == "?" else one
        for number, one in enumerate(history)
    ]


def _assert_spans_are_in_order(report: Report) -> None:
    times = report.inputs.time
    assert times == sorted(times)
    spans: list[Any] = [
        *report.connection,
        *report.pages,
        *(frame for page in report.pages for frame in page.frames),
        *report.dialogs,
        *report.calls,
        *report.blockers,
        *report.storms,
    ]
    for span in spans:
        assert span.time == (0.0 if span.input < 0 else times[span.input])
        assert span.end is None or span.end >= span.time
        end_input = getattr(span, "end_input", None)
        assert end_input is None or (span.input <= end_input and span.end == times[end_input])


def test_a_state_is_never_far_from_a_keyframe(tmp_path: Path) -> None:
    """However long a recording is, a viewer applies no more than some patches; and keyframes do not outweigh them."""
    report = report_of(write_recording(tmp_path / "flight.jsonl", long_flight(3_000)))

    keyframes = [keyframe.input for keyframe in report.timeline.keyframes]
    bounds = [*keyframes, report.summary.inputs]
    changed = report.timeline.changed
    assert max(sum(start < one <= end for one in changed) for start, end in itertools.pairwise(bounds)) <= 500
    patches = len(json.dumps(report.timeline.patches))
    assert len(json.dumps(msgspec.to_builtins(report.timeline.keyframes))) < 2 * patches
