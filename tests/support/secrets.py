"""The secret that every test gives to the product where one is needed, and the watch that fails a test that shows it.

A pytest plugin: it looks at what a test wrote, logged and read from programs, and at every error and warning of ours,
also those that a test expects.
"""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable, Generator
from typing import Any
from unittest.mock import patch

import pytest

from cdp_typed.addresses import InsecureEndpointWarning
from cdp_typed.errors import CDPError
from cdp_typed.launch import NoSandboxWarning
from cdp_typed.redaction.protected import PROTECTED

CANARY = "CANARY-7c41f09b2ae6d358"


class Spills:
    """The places where the secret was seen since they were last taken."""

    def __init__(self) -> None:
        self._places: list[str] = []

    def look(self, place: str, text: object) -> None:
        """Remember the place if the secret is in the text, be it in other letters (a host's name is)."""
        if CANARY.lower() in str(text).lower():
            self._places.append(place)

    def take(self) -> list[str]:
        """The places, which are then forgotten."""
        places, self._places = self._places, []
        return places


SPILLS = Spills()


def heard(text: str) -> str:
    """Look for the secret in a text that a test read from a program's pipe or from a server; return the text."""
    SPILLS.look("what a program said", text)
    return text


def _watched(kind: type[Exception], place: str) -> Callable[..., None]:
    def init(self: Exception, *arguments: Any) -> None:
        super(kind, self).__init__(*arguments)
        SPILLS.look(f"{place} {type(self).__name__}", arguments)

    return init


def _results(work: Callable[..., Any], place: str) -> Callable[..., Any]:
    def watched(*arguments: Any, **options: Any) -> Any:
        result = work(*arguments, **options)
        SPILLS.look(place, result)
        return result

    return watched


def pytest_configure() -> None:
    """Watch for as long as the process lives."""
    for name in ("cdp_typed", "supervisor"):  # what is logged for who asks for all of it, too
        logging.getLogger(name).setLevel(logging.DEBUG)
    patch.object(CDPError, "__init__", _watched(CDPError, "the error")).start()
    for kind in (InsecureEndpointWarning, NoSandboxWarning):
        patch.object(kind, "__init__", _watched(kind, "the warning")).start()
    communicate: Callable[..., Any] = vars(subprocess.Popen)["communicate"]
    patch.object(subprocess.Popen, "communicate", _results(communicate, "what a program said")).start()
    read: Callable[..., Any] = vars(pytest.CaptureFixture)["readouterr"]
    patch.object(pytest.CaptureFixture, "readouterr", _results(read, "what was read from capsys")).start()


def pytest_runtest_teardown() -> None:
    """Forget what a test protects for as long as the process lives."""
    PROTECTED.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that passed and showed the secret; tell it of one that failed."""
    report = yield
    for name, text in report.sections:
        if name.endswith(report.when):  # the report of a teardown repeats what was captured before
            SPILLS.look(name, text)
    SPILLS.look("the message of the failure", getattr(getattr(report.longrepr, "reprcrash", None), "message", ""))
    places = ", ".join(dict.fromkeys(SPILLS.take()))
    if places and report.outcome == "failed":
        report.sections.append(("The secret of the tests", f"shown in: {places}"))
    elif places:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: the secret of the tests was shown in: {places}"
    return report
