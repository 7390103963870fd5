"""Changes that nobody asked for are in the log of the one who runs the agent."""

from __future__ import annotations

import logging

import pytest

from supervisor.core.vocabulary.values import Change, ChangeKind
from supervisor.driver.log import log


@pytest.mark.parametrize(
    ("kind", "subject", "text", "logged"),
    [
        ("bridge", "armed", "twice", [("WARNING", "pages ask through the dialog bridge from now on: twice")]),
        ("bridge", "off", "once", [("INFO", "pages show their own dialogs again: once")]),
        (
            "bridge",
            "absent",
            "P1",
            [
                (
                    "WARNING",
                    "page P1 has no dialog bridge: it belongs to a person or another client, until it is selected",
                )
            ],
        ),
        ("page_managed", "P1", "shared", [("INFO", "page P1 is shared")]),
        (
            "dialog_closed",
            "d1",
            "accepted by watchdog",
            [("WARNING", "dialog d1 was not answered in time: accepted by watchdog")],
        ),
        ("dialog_closed", "d1", "accepted by agent", []),
    ],
)
def test_a_change_is_logged_that_a_person_wants_to_know_of(
    caplog: pytest.LogCaptureFixture, kind: ChangeKind, subject: str, text: str, logged: list[tuple[str, str]]
) -> None:
    with caplog.at_level(logging.INFO, logger="supervisor"):
        log(Change(seq=1, at=0.0, kind=kind, subject=subject, text=text))

    assert [(record.levelname, record.getMessage()) for record in caplog.records] == logged
