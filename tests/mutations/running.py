"""Runs the tests of a part on a planted fault, and says which target of the Makefile catches it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen, TimeoutExpired
from typing import Final

from tests.mutations.fault_list import Catcher, Fault
from tests.mutations.parts import MAKE_ALL, MAKE_REST, MAKE_TEST, PARTS, REPOSITORY, Selection, nearest_tests
from tests.mutations.planting import planted

__all__ = ["failing_test", "fails_without_a_fault", "run_tests"]

_TEST_TIMEOUT_S: Final = 100
_RUN_TIMEOUT_S: Final = 900
_NOTHING_SELECTED: Final = 5


def failing_test(fault: Fault, target: Catcher) -> str:
    """Return the test of `make test`, or of what `make all` plays besides, that fails on the fault; "" if none does.

    Raises `PlaceGone`.
    """
    tests = next(part.tests for part in PARTS if part.name == fault.part)
    near = nearest_tests(fault.file)
    nearest_first = [(MAKE_TEST, [near]), (MAKE_TEST, [*tests, "--ignore", near])]
    runs = nearest_first if target == "make test" else [(MAKE_REST, [*tests])]
    with planted(fault) as copy:
        return next((failed for selection, paths in runs if (failed := run_tests(copy, selection, paths))), "")


def fails_without_a_fault(tests: Iterable[str]) -> list[str]:
    """Return those of the tests that fail in the checkout itself."""
    return [test for test in sorted(tests) if run_tests(REPOSITORY, MAKE_ALL, [test]) is not None]


def run_tests(copy: Path, selection: Selection, paths: list[str]) -> str | None:
    """Run the tests up to the first failure, and return its name; None if all pass. A run without an end has failed."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "CDP_TYPED_STAGES": selection.stages,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    options = ["-x", "-q", "-rfE", "--tb=no", "--reruns=1", "-p", "no:cacheprovider", f"--timeout={_TEST_TIMEOUT_S}"]
    command = [sys.executable, "-m", "pytest", *options, *selection.options, *paths]
    with Popen(
        command, cwd=copy, env=environment, text=True, stdout=PIPE, stderr=STDOUT, start_new_session=True
    ) as program:
        try:
            said, _ = program.communicate(timeout=_RUN_TIMEOUT_S)
        except TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            return f"{paths[0]} (did not end)"
    if program.returncode in (0, _NOTHING_SELECTED):
        return None
    named = (line.split(" ", 1)[1] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR ")))
    return next((name.split(" - ")[0].split("[")[0] for name in named), f"{paths[0]} (ended with {program.returncode})")
