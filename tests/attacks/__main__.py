"""Plays the attacks that SECURITY.md names, on real Chromium: `python -m tests.attacks [WORD]`.

It prints what was tried and what held, for each promise whose text has the word in it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from cdp_typed.cli.output import table, write

ROOT = Path(__file__).parents[2]


def promises() -> list[tuple[str, str, tuple[str, ...]]]:
    """Each promise, what it does not say, and its tests."""
    rows = re.findall(
        r"^\| (?!promise|-)(.+?) \| (.*?) ?\| (`tests/.+`) \|$", (ROOT / "SECURITY.md").read_text(), re.MULTILINE
    )
    return [(promise, told, tuple(re.findall(r"`(tests/[^`]+)`", tests))) for promise, told, tests in rows]


def outcome(tests: tuple[str, ...]) -> tuple[int, int]:
    """Play these tests in a process of their own: how many were tried, and how many of them failed."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        words = ["-q", "-p", "no:cacheprovider", "--no-header", f"--junitxml={report}", *tests]
        subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, check=False)
        if not report.exists():  # pytest did not begin
            return 0, 0
        (suite,) = ElementTree.parse(report).getroot()
    tried, skipped, failed, broken = (int(suite.attrib[each]) for each in ("tests", "skipped", "failures", "errors"))
    return tried - skipped, failed + broken  # a test that was skipped has tried nothing


def main() -> int:
    """Return 1 if a promise was broken, or could not be attacked."""
    word = " ".join(sys.argv[1:])
    rows = [("PROMISE", "TRIED", "HELD", "TOLD")]
    failed = False
    for promise, told, tests in promises():
        if word not in promise:
            continue
        tried, broken = outcome(tests)
        failed |= bool(broken) or not tried
        told = re.sub(r"\(?\[([^]]+)\]\([^)]*\)\)?", r"(\1)", told)
        rows.append((promise, str(tried), str(tried - broken), told))
    write(table(rows))
    return int(failed or len(rows) == 1)


if __name__ == "__main__":
    sys.exit(main())
