"""`python -m codegen` and `--check`: every path and every byte."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen import __main__ as command
from codegen.__main__ import PACKAGE, main
from codegen.errors import SchemaError
from codegen.write import Drift, check, write


@pytest.fixture
def package(tmp_path: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory as generated. The command generates nothing anew."""
    monkeypatch.setattr(command, "generate", lambda: files)
    write(tmp_path / "protocol", files)
    return tmp_path / "protocol"


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    """Content and time of change of every file."""
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in root.rglob("*") if path.is_file()}


def test_the_bindings_are_what_would_be_written(files: dict[str, str]) -> None:
    assert check(PACKAGE, files) == []


def test_it_is_a_module(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["codegen", "--help"])
    monkeypatch.delitem(sys.modules, "codegen.__main__")

    with pytest.raises(SystemExit) as ended:
        runpy.run_module("codegen", run_name="__main__")

    assert ended.value.code == 0
    assert "--check" in capsys.readouterr().out


def test_an_unknown_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--no-such-option"])

    assert caught.value.code == 2
    assert "unrecognized arguments: --no-such-option" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["precious.txt", "__init__.py"])
def test_a_directory_that_codegen_did_not_write_is_refused_untouched(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Strays are deleted: `--out .` must not empty a home directory."""
    (tmp_path / content).write_text("precious")

    for out in (tmp_path, tmp_path / content):
        with pytest.raises(SystemExit) as caught:
            main(["--out", str(out)])
        assert caught.value.code == 2
        assert f"--out {out}: neither new, nor empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [content]


def test_a_bad_schema_exits_with_2_and_writes_nothing(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> dict[str, str]:
        raise SchemaError("Page.navigate: no good")

    monkeypatch.setattr(command, "generate", refuse)
    before = snapshot(package)

    assert main(["--out", str(package)]) == 2
    assert capsys.readouterr().err == "codegen: Page.navigate: no good\n"
    assert snapshot(package) == before


def flip_a_bit(file: Path) -> None:
    text = bytearray(file.read_bytes())
    text[100] ^= 1
    file.write_bytes(text)


def make_a_link(file: Path) -> None:
    """Leave a link to the right bytes in its place."""
    elsewhere = file.parents[1] / file.name
    file.rename(elsewhere)
    file.symlink_to(elsewhere)


def make(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()


DAMAGES: tuple[tuple[str, str, Callable[[Path], object]], ...] = (
    ("changed", "_commands/page.py", flip_a_bit),
    ("changed", "ids.py", lambda file: file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))),
    ("changed", "page.py", make_a_link),
    ("missing", "page.py", Path.unlink),
    ("stray  ", "_types/extra.py", make),
    ("stray  ", "old/deep/extra.txt", make),
    ("stray  ", ".hidden", make),
)


@pytest.mark.parametrize(("said", "name", "damage"), DAMAGES)
def test_a_difference_is_caught_and_left_as_it_is(
    package: Path, capsys: pytest.CaptureFixture[str], said: str, name: str, damage: Callable[[Path], object]
) -> None:
    damage(package / name)
    before = snapshot(package)

    assert main(["--check", "--out", str(package)]) == 1
    assert capsys.readouterr().out == f"{said} {package / name}\n"
    assert snapshot(package) == before


def test_every_difference_is_listed(package: Path, files: dict[str, str]) -> None:
    (package / "page.py").unlink()
    (package / "dom.py").write_text("")
    (package / "zzz.py").write_text("")

    assert check(package, files) == [Drift("dom.py", "changed"), Drift("page.py", "missing"), Drift("zzz.py", "stray")]


def test_writing_repairs_and_deletes_strays(package: Path, files: dict[str, str], tmp_path: Path) -> None:
    (package / "page.py").unlink()
    (package / "dom.py").write_text("")
    (package / "zzz.py").write_text("")
    (tmp_path / "neighbour.py").write_text("untouched")

    assert main(["--out", str(package)]) == 0
    assert check(package, files) == []
    assert (tmp_path / "neighbour.py").read_text() == "untouched"


def test_a_second_run_touches_nothing(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = snapshot(package)

    assert main(["--out", str(package)]) == 0
    assert snapshot(package) == before
    assert capsys.readouterr().out == f"{len(before)} files, 0 touched\n"


def test_bytecode_is_no_drift(package: Path, files: dict[str, str]) -> None:
    (package / "_types" / "__pycache__").mkdir()
    (package / "_types" / "__pycache__" / "page.cpython-311.pyc").write_bytes(b"")

    assert check(package, files) == []


@pytest.mark.thorough
def test_two_runs_in_other_processes_write_the_same(tmp_path: Path, files: dict[str, str]) -> None:
    """Sets are ordered by hash, and string hashes differ from process to process."""
    for seed in ("1", "2"):
        out = tmp_path / seed
        subprocess.run(
            [sys.executable, "-m", "codegen", "--out", str(out)],
            cwd=PACKAGE.parent.parent,
            env={"PYTHONHASHSEED": seed},
            stdout=subprocess.DEVNULL,
            check=True,
            timeout=60,
        )
        assert check(out, files) == []
