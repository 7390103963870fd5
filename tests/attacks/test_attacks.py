"""SECURITY.md names tests that are there."""

from __future__ import annotations

import pytest

from tests.attacks.__main__ import ROOT, promises


@pytest.mark.parametrize(("promise", "told", "tests"), promises(), ids=lambda value: str(value)[:20])
def test_each_promise_is_attacked(promise: str, told: str, tests: tuple[str, ...]) -> None:
    assert tests
    assert [test for test in tests if not (ROOT / test).exists()] == []


def test_no_row_is_left_out() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")

    assert len(promises()) == page.count("\n| ") - 1
