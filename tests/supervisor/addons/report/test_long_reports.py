"""A report of 10,000 inputs: its time and its size."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from supervisor.addons.report import report_html, report_of, state_at
from tests.support.core.recordings import long_flight, write_recording

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(600)]

COUNT = 10_000


def test_ten_thousand_inputs_are_less_than_a_megabyte(tmp_path: Path, record_property: Any) -> None:
    path = write_recording(tmp_path / "flight.jsonl", long_flight(COUNT), watch_requests=True)
    began = time.process_time()

    report = report_of(path)
    page = report_html(report)

    record_property("seconds", round(time.process_time() - began, 1))
    record_property("bytes", len(page))
    assert (report.summary.inputs, report.summary.notes) == (COUNT, [])
    assert len(page) < 1_000_000
    assert len(report.timeline.keyframes) < COUNT / 500
    last = state_at(report.timeline, COUNT - 1)
    assert last["console"][-1]["seq"] == len(report.console) == last["console_dropped"] + len(last["console"])
    assert sum(item.kind == "failed" for item in report.summary.items) == 0
    assert report.summary.counts["dialogs"] == (COUNT + 99) // 100
