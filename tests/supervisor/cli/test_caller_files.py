"""Files that commands write for their caller: names, and places that lead elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from supervisor.cli.caller_files import FOLDER, free_path


@pytest.mark.parametrize("target", ["elsewhere", "missing", "../above"])
def test_nothing_is_written_through_a_link(tmp_path: Path, target: str) -> None:
    for name in ("elsewhere", "work"):
        (tmp_path / name).mkdir()
    folder = tmp_path / "work"
    (folder / FOLDER).symlink_to(tmp_path / target)

    with pytest.raises(OSError, match="it is a link"):
        free_path("look", "txt", str(folder))
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("name", [".gitignore", "look-1.txt", "look-7.txt"])
def test_nothing_is_written_through_a_link_in_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / name).symlink_to(tmp_path / "missing")

    free_path("look", "txt", str(tmp_path)).write_text("page")

    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize(
    ("name", "number"), [("look-\u00b2.txt", 1), ("look-\u0663.txt", 4), ("look-x.txt", 1), ("look-\u2460.txt", 1)]
)
def test_a_file_of_another_hand_breaks_no_numbering(tmp_path: Path, name: str, number: int) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / name).touch()

    assert free_path("look", "txt", str(tmp_path)).name == f"look-{number}.txt"
