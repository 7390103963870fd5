"""The log lines about a connection: each change once, and at most one line a minute while it flaps."""

from __future__ import annotations

import logging

import pytest

from supervisor.core.state.connection import ConnectionState
from supervisor.driver.log import ConnectionLog

READY = ConnectionState(state="ready", started=True, epoch=1)
AWAY = ConnectionState(state="reconnecting", started=True, reason="reset", epoch=1)
BACK = ConnectionState(state="ready", started=True, epoch=2)
LOST = ConnectionState(state="lost", started=True, reason="refused", epoch=2)


def texts(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


@pytest.fixture(autouse=True)
def level(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="supervisor.linklog")


def test_each_turn_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    log = ConnectionLog()

    log.note(READY, AWAY, 0.0)
    log.note(AWAY, BACK, 100.0)
    log.note(BACK, LOST, 200.0)

    assert texts(caplog) == [
        "connection lost (reset); reconnecting",
        "connection number 2 is up",
        "connection lost for good: refused",
    ]


def test_a_link_that_flaps_is_logged_once_a_minute_and_the_rest_counted(caplog: pytest.LogCaptureFixture) -> None:
    log = ConnectionLog()

    for moment in range(62):
        log.note(READY, AWAY, float(moment))

    assert texts(caplog) == [
        "connection lost (reset); reconnecting",
        "connection lost (reset); reconnecting (59 messages like this were left out)",
    ]


def test_what_is_no_turn_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    log = ConnectionLog()

    log.note(ConnectionState(), READY, 0.0)
    log.note(AWAY, AWAY, 0.0)
    log.note(READY, ConnectionState(state="stopped", started=True), 0.0)
    log.note(ConnectionState(), ConnectionState(state="lost", reason="refused"), 0.0)

    assert texts(caplog) == []
