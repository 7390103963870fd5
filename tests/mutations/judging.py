"""Says who catches a fault: the tests that run its line play in a copy of the repository that has the fault.

Thousands of tests may run one line. The fastest of them play first, `_FASTEST_S` seconds in all, and then a sample of
the others, until both have taken `_SAMPLE_S`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import Final

from coverage import CoverageData

from tests.mutations.drawing import REPOSITORY, Fault

__all__ = ["JudgeMap", "make_copy", "planted", "red_tests", "sample"]

_FASTEST_S: Final = 20
_SAMPLE_S: Final = 120
_TEST_LIMIT_S: Final = 100
_RUN_LIMIT_S: Final = 1200
_NOT_COPIED: Final = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")


class JudgeMap:
    """The tests of a part that run a line, and how long each of them takes. Tests that were not green are left out."""

    def __init__(self, place: Path) -> None:
        self._data = CoverageData(str(place))
        self._data.read()
        self._seconds: dict[str, float] = json.loads(place.with_suffix(".json").read_text())

    def tests_of(self, fault: Fault) -> dict[str, float]:
        """Return the tests that run the line, with their seconds.

        What runs at import is judged by the tests that run anything of its file, and by those of the folder beside.
        """
        tests = self._data.contexts_by_lineno(str(REPOSITORY / fault.file))
        begun = max((line for line in tests if line <= fault.line), default=None)
        found = {*tests[begun]} if begun is not None else {""}
        if fault.runs_at_import or "" in found:
            folder = next(it for it in Path("tests", fault.file).parents if (REPOSITORY / it).is_dir())
            beside = {test for test in self._seconds if test.startswith(f"{folder.as_posix()}/")}
            found = beside.union(*tests.values())
        return {test: self._seconds[test] for test in sorted(found & self._seconds.keys())}


def sample(seconds: dict[str, float], chance: Random) -> list[str]:
    """Return the tests to play of those that run a line, by the seconds that they take."""
    fastest_first = sorted(seconds, key=seconds.__getitem__)
    chosen = _within(_FASTEST_S, fastest_first, seconds)
    others = fastest_first[len(chosen) :]
    return chosen + sorted(_within(_SAMPLE_S - _FASTEST_S, chance.sample(others, len(others)), seconds))


def _within(limit_s: float, tests: list[str], seconds: dict[str, float]) -> list[str]:
    chosen: list[str] = []
    for test in tests:
        limit_s -= seconds[test]
        if limit_s < 0:
            break
        chosen.append(test)
    return chosen


def make_copy(place: Path) -> Path:
    """Copy the checkout, whose environment the copy shares."""
    shutil.copytree(REPOSITORY, place, symlinks=True, ignore=_NOT_COPIED)
    (place / ".venv").symlink_to(REPOSITORY / ".venv")
    return place


@contextmanager
def planted(fault: Fault, copy: Path) -> Generator[None]:
    """Give the fault to the copy for a while."""
    place = copy / fault.file
    original = place.read_text("utf-8")
    place.write_text(fault.source, "utf-8")
    try:
        yield
    finally:
        place.write_text(original, "utf-8")


def red_tests(copy: Path, tests: list[str], *options: str) -> list[str]:
    """Play tests in the copy, and return those that fail twice; if the run cannot begin or end, the first test."""
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", "--reruns=1", "--rerun-except=pytest-timeout"]
    command += ["-p", "no:cacheprovider", f"--timeout={_TEST_LIMIT_S}", *options, *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "CDP_TYPED_STAGES": "mock,chromium"}
    with Popen(
        command, cwd=copy, env=environment, text=True, stdout=PIPE, stderr=DEVNULL, start_new_session=True
    ) as program:
        try:
            said, _ = program.communicate(timeout=_RUN_LIMIT_S)
        except TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            return tests[:1]
    names = [line.partition(" ")[2] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    red = [test for test in tests if any(name == test or name.startswith(f"{test} - ") for name in names)]
    return red or (tests[:1] if program.returncode else [])
