"""Recordings: which message becomes which line, and what is no longer in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed.mock.control.replay import parse_recording
from cdp_typed.recording.taps import Direction
from cdp_typed.recording.traffic_log import REDACTED, connection_name, line, note, redacted
from tests.support.secrets import CANARY


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
def test_what_cannot_be_replayed_is_a_note_of_its_size(direction: Direction, data: bytes, text: str) -> None:
    assert json.loads(line(0.5, "B", direction, data)) == {"t": 0.5, "conn": "B", "dir": "note", "note": text}


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
def test_calls_replies_and_events_are_lines_that_the_mock_reads(
    direction: Direction, data: bytes, fields: dict[str, Any]
) -> None:
    written = line(1.23456, "A", direction, data)

    assert json.loads(written) == {"t": 1.235, "conn": "A", **fields}
    call = line(0, "A", "sent", b'{"id": 7, "method": "A.b"}')
    assert len(parse_recording(f"{call}\n{written}\n{note(2, 'A', 'end')}".encode())) == 2


def test_a_recording_is_ascii() -> None:
    assert line(0, "A", "received", '{"method": "A.b", "params": {"x": "\u202e"}}'.encode()).isascii()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"password": CANARY, "username": "ada"}, {"password": REDACTED, "username": "ada"}),
        ({"Authorization": CANARY, "Accept": "*/*"}, {"Authorization": REDACTED, "Accept": "*/*"}),
        (
            {"headers": [{"name": "Set-Cookie", "value": CANARY}]},
            {"headers": [{"name": "Set-Cookie", "value": REDACTED}]},
        ),
        ({"headers": [{"name": "Accept", "value": "a"}]}, {"headers": [{"name": "Accept", "value": "a"}]}),
        (
            {"name": "sid", "value": CANARY, "domain": "a.test"},
            {"name": "sid", "value": REDACTED, "domain": "a.test"},
        ),
        ({"name": 1, "value": "kept"}, {"name": 1, "value": "kept"}),
        ({"privateKey": CANARY, "isResident": True}, {"privateKey": REDACTED, "isResident": True}),
        (
            {"headersText": f"GET / HTTP/1.1\r\nCookie: {CANARY}\r\nHost: a.test\r\n"},
            {"headersText": f"GET / HTTP/1.1\r\nCookie: {REDACTED}\r\nHost: a.test\r\n"},
        ),
        (f"https://ada:{CANARY}@a.test/x", f"https://{REDACTED}@a.test/x"),
        (f"https://a.test/?q=1&access_token={CANARY}#end", f"https://a.test/?q=1&access_token={REDACTED}#end"),
        (f"https://a.test/?token={CANARY}", f"https://a.test/?token={REDACTED}"),
        (f"what? token={CANARY}, no address", f"what? token={CANARY}, no address"),
        ({"expression": "alert('x')", "timeout": 500}, {"expression": "alert('x')", "timeout": 500}),
    ],
)
def test_credentials_are_not_in_it(value: Any, shown: Any) -> None:
    assert redacted({"deep": [value]}) == {"deep": [shown]}
