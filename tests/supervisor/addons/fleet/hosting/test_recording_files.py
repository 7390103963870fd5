"""The recordings on the machine of a host, without Ray."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from supervisor.addons.fleet import NoSuchRecording
from supervisor.addons.fleet.hosting import recording_files
from supervisor.addons.fleet.hosting.recording_files import CHUNK, RecordingFiles
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.clocks import Clocks

HALF = b"x" * 600_000


def files(folder: Path, fleet: str = "shop") -> RecordingFiles:
    return RecordingFiles(str(folder), fleet, most_mb=1, rests_s=100)


def recorded(folder: Path, task: str, host: str, number: int, at: int, text: bytes = HALF) -> Placement:
    placement = Placement(task, host, number)
    path = files(folder).path(placement)
    path.write_bytes(text)
    os.utime(path, (at, at))
    return placement


def test_the_oldest_recordings_go_first_but_none_of_a_task_that_runs(tmp_path: Path) -> None:
    running = recorded(tmp_path, "t1", "host-1-a", 1, at=1000)
    recorded(tmp_path, "t2", "host-1-a", 2, at=2000)
    recorded(tmp_path, "t3", "host-2-b", 3, at=3000)  # of a host that has ended
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.jsonl").write_bytes(HALF * 2)

    files(tmp_path).trim("host-1-a", [running])

    left = sorted(path.name for path in tmp_path.rglob("*.jsonl"))
    assert left == ["host-1-a-1.jsonl", "mine.jsonl"]
    assert [info.name for info in files(tmp_path).list("t1")] == ["host-1-a-1.jsonl"]


def test_a_recording_is_read_in_pieces_and_nothing_else_is_read(tmp_path: Path) -> None:
    text = os.urandom(CHUNK + 10)
    recorded(tmp_path, "t/../1", "host-1-a", 1, at=1000, text=text)
    (tmp_path / "secret").write_text("secret")
    kept = files(tmp_path)

    assert kept.read("t/../1", "host-1-a-1.jsonl", 0) + kept.read("t/../1", "host-1-a-1.jsonl", CHUNK) == text
    assert kept.read("t/../1", "host-1-a-1.jsonl", CHUNK + 10) == b""
    for name in ("../../secret", "/etc/passwd", "host-1-a-2.jsonl", ""):
        with pytest.raises(NoSuchRecording):
            kept.read("t/../1", name, 0)
    assert files(tmp_path, "bank").list("t/../1") == ()
    assert kept.list("t_.._1") == ()


@pytest.mark.parametrize("step_s", [-259_200.0, -60.0, 60.0, 259_200.0])
@pytest.mark.parametrize("passed_s", [0.0, 99.0, 101.0])
def test_a_step_of_the_wall_clock_neither_removes_a_recording_that_is_written_nor_keeps_an_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step_s: float, passed_s: float
) -> None:
    clocks = Clocks()
    monkeypatch.setattr(recording_files, "time", clocks)
    kept = files(tmp_path)
    for number in (1, 2):
        kept.path(Placement("t", "host-2-b", number)).write_bytes(HALF)
    kept.trim("host-1-a", [])

    clocks.passed_s, clocks.wall_s = passed_s, step_s
    kept.trim("host-1-a", [])

    assert len(kept.list("t")) == (2 if passed_s < 100 else 1)
