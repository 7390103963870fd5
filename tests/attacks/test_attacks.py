"""SECURITY.md names tests that are there."""

from __future__ import annotations

import sys

import pytest

from tests.attacks.__main__ import ROOT, main, promises


@pytest.mark.parametrize(("promise", "told", "tests"), promises(), ids=lambda value: str(value)[:20])
def test_each_promise_is_attacked(promise: str, told: str, tests: tuple[str, ...]) -> None:
    assert tests
    assert [test for test in tests if not (ROOT / test).exists()] == []


def test_no_row_is_left_out() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")

    assert len(promises()) == page.count("\n| ") - 1


@pytest.mark.thorough
def test_a_promise_is_played_and_counted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    promise = "`cdp-agent run -` and the socket of a session run the commands that were written, or refuse them"
    monkeypatch.setattr(sys, "argv", ["attacks", promise])

    assert main() == 0
    columns = capsys.readouterr().out.splitlines()[-1].removeprefix(promise).split()
    assert int(columns[0]) == int(columns[1]) > 10
