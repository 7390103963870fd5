"""Recordings of supervisors on real Chromium, stepped through again: they end in the same snapshots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data.make_flights import FLIGHTS, HOME, last_sight


@pytest.mark.parametrize("name", FLIGHTS)
def test_a_recorded_flight_ends_as_it_did(name: str) -> None:
    seen = json.loads((HOME / f"{name}.json").read_text())

    assert json.loads(json.dumps(last_sight(HOME / f"{name}.jsonl"))) == seen


def test_no_recording_is_left_over() -> None:
    assert {path.stem for path in HOME.iterdir()} == set(FLIGHTS)


def test_a_flight_that_lost_an_input_ends_otherwise(tmp_path: Path) -> None:
    """The comparison can fail: without the browser's last word on the dialog, it stays open."""
    lines = (HOME / "alert_accepted.jsonl").read_text().splitlines()
    kept = [line for line in lines if "JavascriptDialogClosed" not in line and "DialogAnswer" not in line]
    (tmp_path / "cut.jsonl").write_text("\n".join(kept))

    assert len(kept) < len(lines)
    assert last_sight(tmp_path / "cut.jsonl")["pending_dialogs"] != []
