"""The witness of the chaos sees a task that is in two places, and no other."""

from __future__ import annotations

from pathlib import Path

from tests.supervisor.addons.fleet.chaos.witness import Stay, in_two_places, stays


def test_stays_that_overlap_are_two_places(tmp_path: Path) -> None:
    (tmp_path / "witness-1").write_text(
        "1.0 begin 1-1 t\n1.5 begin 1-2 other\n2.0 beat\n4.0 beat\n4.02 end 1-1\n4.02 beat\n"
    )
    (tmp_path / "witness-2").write_text("3.0 begin 2-1 t\n3.5 beat\n4.01 begin 2-2 other\n4.03 be")

    seen = stays(tmp_path)

    assert Stay("t", "1-1", 1.0, 4.0) in seen
    assert sorted(in_two_places(seen)) == [
        (Stay("other", "1-2", 1.5, 4.02), Stay("other", "2-2", 4.01, 4.01)),
        (Stay("t", "1-1", 1.0, 4.0), Stay("t", "2-1", 3.0, 3.5)),
    ]


def test_a_stay_ends_when_it_was_last_seen_running(tmp_path: Path) -> None:
    (tmp_path / "witness-1").write_text("1.0 begin 1-1 t\n2.0 beat\n2.02 end 1-1\n")
    (tmp_path / "witness-2").write_text("2.01 begin 2-1 t\n3.0 beat\n")

    assert in_two_places(stays(tmp_path)) == []
