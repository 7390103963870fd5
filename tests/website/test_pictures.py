"""The pictures of the documentation are not older than what they show."""

from __future__ import annotations

import shutil
from pathlib import Path

from website.pictures import FOLDER, PICTURES, Picture, digest, outdated, stated
from website.repository import ROOT

DEMO = {"demo.png": PICTURES["demo.png"]}
LARGEST = 180_000
"""Bytes of one picture."""


def test_no_picture_is_older_than_what_it_shows() -> None:
    assert outdated() == [], "make pictures draws them"


def test_every_picture_is_small_and_used_and_says_what_it_shows() -> None:
    files = {path.name: path for path in FOLDER.iterdir() if path.suffix != ".json"}
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))

    assert PICTURES.keys() == stated().keys()
    assert files.keys() == {*PICTURES, "confirm.svg"}  # which is drawn by hand
    for name, path in files.items():
        assert path.read_bytes().startswith({".png": b"\x89PNG", ".svg": b"<svg", ".webp": b"RIFF"}[path.suffix])
        assert path.stat().st_size < LARGEST
        assert f"pictures/{name})" in pages
    assert all([*ROOT.glob(pattern)] for picture in PICTURES.values() for pattern in picture.inputs)


def test_a_change_of_what_a_picture_shows_makes_it_old(tmp_path: Path) -> None:
    for folder in ("docs/pictures", "examples/demo"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert outdated(tmp_path, DEMO) == []

    (tmp_path / "examples" / "demo" / "new.py").write_text("")

    assert outdated(tmp_path, DEMO) == ["demo.png"]
    assert digest(Picture(bytes, ("docs/*.md",)), tmp_path) == digest(Picture(bytes, ()), tmp_path)


def test_a_picture_that_is_not_there_is_drawn(tmp_path: Path) -> None:
    assert outdated(tmp_path, DEMO) == ["demo.png"]
