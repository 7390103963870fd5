"""The blocking helpers are made of the async ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import __main__ as command
from codegen.__main__ import PACKAGE, main
from codegen.errors import NoBlockingTwin
from codegen.helpers import TWINS, blocking_helpers, blocking_twin
from codegen.write import Drift, check


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("async def f(tab):\n    await tab.send_nowait(1)", "f.py:2: await send(...), not the future of send_nowait"),
        ("async def f(future):\n    await future", "f.py:2: only a call can be awaited"),
        ("async def f(x):\n    await x if isawaitable(x) else f", "f.py:2: only a call can be awaited"),
        ("import asyncio\nawait asyncio.gather()", "f.py:2: asyncio.gather has no blocking counterpart"),
        ("from asyncio import sleep", "f.py:1: import asyncio, not names of it"),
        ("async def f(g):\n    return f'{await g()}'", "f.py: await before the f-string, not in it"),
    ],
)
def test_what_has_no_counterpart_is_refused(source: str, reason: str) -> None:
    with pytest.raises(NoBlockingTwin) as refused:
        blocking_twin("f", source, (), {})

    assert str(refused.value) == reason


def test_the_twins_are_what_would_be_written() -> None:
    assert check(TWINS, blocking_helpers()) == []


def test_a_twin_that_is_not_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "js.py").write_text("older")

    monkeypatch.setattr(command, "TWINS", tmp_path)

    def check_twins(root: Path, files: dict[str, str]) -> list[Drift]:
        return check(root, files) if root == tmp_path else []

    monkeypatch.setattr(command, "generate", dict[str, str])
    monkeypatch.setattr(command, "check", check_twins)
    monkeypatch.setattr(command, "blocking_helpers", lambda: {"js.py": "newer"})

    assert main(["--check"]) == 1
    assert capsys.readouterr().out == f"changed {tmp_path / 'js.py'}\n"


def test_a_helper_without_a_twin_stops_the_generator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> dict[str, str]:
        raise NoBlockingTwin("har.py:7: only a call can be awaited")

    monkeypatch.setattr(command, "generate", dict[str, str])
    monkeypatch.setattr(command, "blocking_helpers", refuse)

    assert main(["--check", "--out", str(PACKAGE)]) == 2
    assert capsys.readouterr().err == "codegen: har.py:7: only a call can be awaited\n"
