"""Pictures that `shot` writes."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from supervisor.addons.agent_cli.background.whole_results import with_pictures

PICTURE = {"image": {"mime_type": "image/png", "data": base64.b64encode(b"red").decode()}}


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
