"""Files that commands write for their caller: names, and places that lead elsewhere."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from supervisor.addons.agent_cli.background.whole_results import with_pictures
from supervisor.cli.caller_files import FOLDER, free_path

PICTURE = {"image": {"mime_type": "image/png", "data": base64.b64encode(b"red").decode()}}


@pytest.mark.parametrize("target", ["elsewhere", "missing", "../above"])
def test_nothing_is_written_through_a_link(tmp_path: Path, target: str) -> None:
    for name in ("elsewhere", "work"):
        (tmp_path / name).mkdir()
    folder = tmp_path / "work"
    (folder / FOLDER).symlink_to(tmp_path / target)

    with pytest.raises(OSError, match="it is a link"):
        free_path("look", "txt", str(folder))
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "number"), [("look-\u00b2.txt", 1), ("look-\u0663.txt", 4), ("look-x.txt", 1), ("look-\u2460.txt", 1)]
)
def test_a_file_of_another_hand_breaks_no_numbering(tmp_path: Path, name: str, number: int) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / name).touch()

    assert free_path("look", "txt", str(tmp_path)).name == f"look-{number}.txt"


@pytest.mark.parametrize("kind", ["pipe", "folder", "link to a pipe"])
def test_a_picture_is_written_into_regular_files_alone(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "shot.png"
    if kind == "folder":
        place.mkdir()
    else:
        os.mkfifo(tmp_path / "pipe")
        place.symlink_to(tmp_path / "pipe")
        place = tmp_path / "pipe" if kind == "pipe" else place

    with pytest.raises(OSError, match="no regular file"):
        with_pictures(PICTURE, str(place), str(tmp_path))
    with_pictures(PICTURE, str(tmp_path / "new.png"), str(tmp_path))
    assert (tmp_path / "new.png").read_bytes() == b"red"
