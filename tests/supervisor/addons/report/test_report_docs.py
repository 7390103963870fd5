"""The example of docs/report.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.core.play import evaluate, opening
from tests.support.core.recordings import READY, write_recording

PAGE = (Path(__file__).parents[4] / "docs" / "report.md").read_text(encoding="utf-8")


def test_the_example_tells_what_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_recording(tmp_path / "flight.jsonl", [*READY, evaluate("confirm('Sure?')", call="c-1"), opening("Sure?")])
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)

    exec(compile(program, "docs/report.md", "exec"), {})

    cause, state = capsys.readouterr().out.splitlines()
    assert cause.startswith('dialog 1 The alert "Sure?" was open and still open when the recording ended.')
    assert cause.endswith("Run confirm('Sure?') failed because of it.")
    assert state == "ready"
