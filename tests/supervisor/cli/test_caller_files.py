"""Files that commands write for their caller: names, and places that lead elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from supervisor.cli.caller_files import FOLDER, files_beside, free_path
from supervisor.saved_state.named_files import NamedFiles


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


@pytest.mark.parametrize("is_there", [False, True])
def test_where_the_caller_may_not_write_files_go_to_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CDP_FILES_FOLDER", raising=False)
    if is_there:
        (tmp_path / FOLDER).mkdir()
    closed = tmp_path / FOLDER if is_there else tmp_path
    seen = [_folder_beside(tmp_path)]

    def may(path: str | Path, mode: int) -> bool:  # root may write anywhere
        return Path(path) != closed

    monkeypatch.setattr("os.access", may)
    seen.append(_folder_beside(tmp_path))

    assert seen == [tmp_path / FOLDER, tmp_path / "state" / "cdp-typed" / "downloads"]


def _folder_beside(caller: Path) -> Path:
    with files_beside(str(caller)):
        return NamedFiles("downloads").folder


@pytest.mark.parametrize("variable", [None, "theirs"])
def test_the_folder_of_a_file_with_a_path_holds_for_its_command_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None
) -> None:
    monkeypatch.delenv("CDP_FILES_FOLDER", raising=False)
    if variable is not None:
        monkeypatch.setenv("CDP_FILES_FOLDER", variable)
    with files_beside(str(tmp_path), str(tmp_path / "out" / "page.pdf")):
        during = NamedFiles("captures").folder

    assert (during, os.environ.get("CDP_FILES_FOLDER")) == (tmp_path / "out", variable)
