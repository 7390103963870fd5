"""Recordings of supervisors on real Chromium, stepped through again: they end in the same snapshots."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.wire.json_text import is_array, is_object
from tests.data.make_flights import FLIGHTS, HOME, last_sight, write_snapshots

REWRITE = "if this is meant, rewrite the snapshots: python -m tests.data.make_flights --snapshots"


def differences(seen: Any, expected: Any, path: str = "snapshot") -> list[str]:
    """A line for each value that differs, with the path to it."""
    if is_object(seen) and is_object(expected):
        keys = dict.fromkeys((*seen, *expected))
        pairs = [(f"{path}.{key}", seen.get(key, "absent"), expected.get(key, "absent")) for key in keys]
    elif is_array(seen) and is_array(expected) and len(seen) == len(expected):
        pairs = [
            (f"{path}[{number}]", one, other) for number, (one, other) in enumerate(zip(seen, expected, strict=True))
        ]
    else:
        return [] if seen == expected else [f"{path}: {seen!r}, not {expected!r}"]
    return [line for where, one, other in pairs for line in differences(one, other, where)]


@pytest.mark.parametrize("name", FLIGHTS)
def test_a_recorded_flight_ends_as_it_did(name: str) -> None:
    seen = json.loads((HOME / f"{name}.json").read_text())

    differing = differences(json.loads(json.dumps(last_sight(HOME / f"{name}.jsonl"))), seen)
    assert not differing, "\n".join((f"{name} ends otherwise:", *differing, REWRITE))


def test_snapshots_are_rewritten_from_the_recordings_alone(tmp_path: Path) -> None:
    shutil.copy(HOME / "alert_accepted.jsonl", tmp_path)

    write_snapshots(tmp_path)

    assert (tmp_path / "alert_accepted.json").read_text() == (HOME / "alert_accepted.json").read_text()


def test_no_recording_is_left_over() -> None:
    assert {path.stem for path in HOME.iterdir()} == set(FLIGHTS)


def test_a_flight_that_lost_an_input_ends_otherwise(tmp_path: Path) -> None:
    """The comparison can fail: without the browser's last word on the dialog, it stays open."""
    lines = (HOME / "alert_accepted.jsonl").read_text().splitlines()
    kept = [line for line in lines if "JavascriptDialogClosed" not in line and "DialogAnswer" not in line]
    (tmp_path / "cut.jsonl").write_text("\n".join(kept))

    assert len(kept) < len(lines)
    assert last_sight(tmp_path / "cut.jsonl")["pending_dialogs"] != []
