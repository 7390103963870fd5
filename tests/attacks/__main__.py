"""Plays the attacks that SECURITY.md names, on real Chromium: `python -m tests.attacks [WORD]`.

It prints what was tried and what held, for each promise whose text has the word in it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from cdp_typed.cli.output import table, write

ROOT = Path(__file__).parents[2]


def promises() -> list[tuple[str, str, tuple[str, ...]]]:
    """Each promise, what it does not say, and its tests."""
    rows = re.findall(
        r"^\| (?!promise|-)(.+?) \| (.*?) ?\| (`tests/.+`) \|$", (ROOT / "SECURITY.md").read_text(), re.MULTILINE
    )
    return [(promise, told, tuple(re.findall(r"`(tests/[^`]+)`", tests))) for promise, told, tests in rows]


class Outcomes:
    """A plugin of pytest that counts."""

    def __init__(self) -> None:
        self.tried = 0
        self.broken: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or (report.when == "call" and report.passed):  # a test that was skipped has tried nothing
            self.tried += 1
        if report.failed:
            self.broken.append(report.nodeid)


def main() -> int:
    """Return 1 if a promise was broken, or could not be attacked."""
    word = " ".join(sys.argv[1:])
    rows = [("PROMISE", "TRIED", "HELD", "TOLD")]
    failed = False
    for promise, told, tests in promises():
        if word not in promise:
            continue
        outcomes = Outcomes()
        pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", *(str(ROOT / test) for test in tests)], [outcomes])
        held = outcomes.tried - len(outcomes.broken)
        failed |= bool(outcomes.broken) or not outcomes.tried
        told = re.sub(r"\(?\[([^]]+)\]\([^)]*\)\)?", r"(\1)", told)
        rows.append((promise, str(outcomes.tried), str(held), told))
    write(table(rows))
    return int(failed or len(rows) == 1)


if __name__ == "__main__":
    sys.exit(main())
