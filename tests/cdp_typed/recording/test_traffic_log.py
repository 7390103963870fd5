"""Recordings: which message becomes which line, and what is no longer in it."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.recording.taps import Direction
from cdp_typed.recording.traffic_log import MessageLog, connection_name
from cdp_typed.redaction import Redaction


def entry(seconds: float, connection: str, direction: Direction, data: bytes) -> dict[str, Any]:
    return MessageLog(connection, Redaction()).entry(seconds, direction, data)


@pytest.mark.parametrize(("number", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (701, "ZZ"), (702, "AAA")])
def test_connections_are_named_in_the_order_in_which_they_come(number: int, name: str) -> None:
    assert connection_name(number) == name


@pytest.mark.parametrize(
    ("direction", "data", "text"),
    [
        ("sent", b"{", "sent: 1 bytes that are not JSON"),
        ("received", b"[" * 100_000, "received: 100000 bytes that are not JSON"),
        ("sent", b"[1]", "sent: 3 bytes that are no call, reply or event"),
        ("sent", b'{"id": 1}', "sent: 9 bytes that are no call, reply or event"),
        ("sent", b'{"id": true, "method": "A.b"}', "sent: 29 bytes that are no call, reply or event"),
        ("sent", b'{"method": "A.b"}', "sent: 17 bytes that are no call, reply or event"),
        ("received", b'{"error": {"code": -32700}}', "received: 27 bytes that are no call, reply or event"),
        ("received", b'{"id": 1, "result": 7}', "received: 22 bytes that are no call, reply or event"),
    ],
)
def test_what_is_no_message_is_a_note_of_its_size(direction: Direction, data: bytes, text: str) -> None:
    assert entry(0.5, "B", direction, data) == {"t": 0.5, "conn": "B", "dir": "note", "note": text}


@pytest.mark.parametrize(
    ("direction", "data", "fields"),
    [
        (
            "sent",
            b'{"id": 7, "method": "Page.navigate", "params": {"url": "about:blank"}, "sessionId": "S"}',
            {"dir": "send", "sessionId": "S", "id": 7, "method": "Page.navigate", "params": {"url": "about:blank"}},
        ),
        ("sent", b'{"id": 7, "method": "A.b", "params": [1]}', {"dir": "send", "id": 7, "method": "A.b"}),
        ("received", b'{"id": 7, "result": {}, "sessionId": null}', {"dir": "recv", "id": 7, "result": {}}),
        (
            "received",
            b'{"id": 7, "error": {"code": -1, "message": "no"}}',
            {"dir": "recv", "id": 7, "error": {"code": -1, "message": "no"}},
        ),
        (
            "received",
            b'{"method": "A.b", "params": {"new": 1}}',
            {"dir": "recv", "method": "A.b", "params": {"new": 1}},
        ),
        (
            "received",
            b'{"method": "A.b", "params": {"text": "\\ud800"}}',
            {"dir": "recv", "method": "A.b", "params": {"text": "\\ud800"}},
        ),
    ],
)
def test_calls_replies_and_events_are_lines(direction: Direction, data: bytes, fields: dict[str, Any]) -> None:
    assert entry(1.23456, "A", direction, data) == {"t": 1.235, "conn": "A", **fields}
