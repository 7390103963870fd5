"""Recordings are text that anybody can compare: one for each scenario, and none that no scenario has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.honesty import recordings
from tests.honesty.comparison.normalise import Lanes
from tests.honesty.recordings import FOLDER, Recording, command_for, read, recorded, text_of, write
from tests.honesty.scenarios.all_scenarios import DOMAINS

MANUAL = (Path(__file__).parents[2] / "docs" / "mock.md").read_text("utf-8")
SAID: Lanes = {"A page: call 10, Page.x": [], "A page: call 9, Page.y": ['result {"a": "b"}', "Page.z {}"]}
NAMES = [name for name, domain in DOMAINS.items() if domain == "cookies"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in place of the recordings."""
    monkeypatch.setattr(recordings, "FOLDER", tmp_path)
    read.cache_clear()
    yield tmp_path
    read.cache_clear()


def test_each_scenario_is_recorded_and_no_other() -> None:
    written = {(file.stem, name) for file in FOLDER.iterdir() for name in read(file.stem).scenarios}
    wanted = {(domain, name) for name, domain in DOMAINS.items()}

    assert written - wanted == set(), f"no scenarios have these names; {command_for()} drops their recordings"
    assert wanted - written == set(), f"{command_for()} records them on Chromium"


def test_all_are_of_one_chromium_which_the_manual_names() -> None:
    (version,) = {read(domain).version for domain in DOMAINS.values()}

    assert f"Recorded on Chromium {version}." in MANUAL


@pytest.mark.parametrize("domain", sorted({*DOMAINS.values()}))
def test_a_file_is_what_the_command_writes(domain: str) -> None:
    assert text_of(read(domain)) == (FOLDER / f"{domain}.txt").read_text("ascii")


def test_the_text_does_not_depend_on_the_order_of_the_run() -> None:
    backwards = dict(reversed(SAID.items()))

    assert text_of(Recording("1", {"a": SAID, "b": {}})) == text_of(Recording("1", {"b": {}, "a": backwards}))
    assert text_of(Recording("1.2", {"a": SAID})).splitlines() == [
        "Chromium 1.2",
        "",
        "# a",
        "A page: call 9, Page.y",
        '  result {"a": "b"}',
        "  Page.z {}",
        "A page: call 10, Page.x",
    ]


def test_what_is_written_is_read(folder: Path) -> None:
    write("1.2", dict.fromkeys(NAMES, SAID))

    assert [file.name for file in folder.iterdir()] == ["cookies.txt"]
    assert recorded(NAMES[0]) == SAID
    assert read("cookies").version == "1.2"


def test_a_scenario_without_a_recording_names_the_command_that_makes_one(folder: Path) -> None:
    with pytest.raises(AssertionError, match=f"`python -m tests.honesty --write {NAMES[0]}` records it"):
        recorded(NAMES[0])

    assert [*folder.iterdir()] == []


def test_one_scenario_is_recorded_again_beside_the_others(folder: Path) -> None:
    write("1.2", dict.fromkeys(NAMES, SAID))
    write("1.2", {NAMES[0]: {}})

    assert [recorded(name) for name in NAMES] == [{}, *[SAID] * (len(NAMES) - 1)]


def test_recordings_of_two_versions_are_not_mixed(folder: Path) -> None:
    write("1.2", dict.fromkeys(NAMES, SAID))

    with pytest.raises(
        ValueError, match=r"cookies was recorded on Chromium 1\.2, this is 1\.3; `make honesty` records"
    ):
        write("1.3", {NAMES[0]: {}})
    write("1.3", dict.fromkeys(NAMES, SAID))
    assert read("cookies").version == "1.3"


def test_writing_drops_what_has_no_scenario(folder: Path) -> None:
    (folder / "cookies.txt").write_text(text_of(Recording("1.2", {"gone": SAID})))
    (folder / "gone.txt").write_text(text_of(Recording("1.2", {"gone": SAID})))

    write("1.2", {NAMES[0]: SAID})

    assert {file.name: [*read(file.stem).scenarios] for file in folder.iterdir()} == {"cookies.txt": [NAMES[0]]}
