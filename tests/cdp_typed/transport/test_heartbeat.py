"""Heartbeats as pings or commands, and the V8 version in a reply."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed.transport.heartbeat import Heartbeat, bears_pings, is_heartbeat

CHROMIUM_92 = {"protocolVersion": "1.3", "product": "HeadlessChrome/92.0.4512.0", "jsVersion": "9.2.227"}
CHROMIUM_156 = {"protocolVersion": "1.3", "product": "Chrome/156.0.8078.79", "jsVersion": "15.6.75.27"}
UNKNOWN_COMMAND = {"code": -32601, "message": "'Browser.getVersion' wasn't found"}


class Endpoint:
    """Collects the heartbeats of an endpoint: `"ping"`, or the command as plain JSON."""

    def __init__(self, v8_version: str = "") -> None:
        self.got: list[Any] = []
        self.heartbeat = Heartbeat(
            ping=lambda: self.got.append("ping"),
            send=lambda data: self.got.append(json.loads(data)),
            v8_version=v8_version,
        )

    def answer(self, **fields: Any) -> bytes:
        """Return the reply to the command, as Chromium writes it."""
        return json.dumps({"id": self.got[-1]["id"], **fields}, separators=(",", ":")).encode()


@pytest.mark.parametrize("version", ["10.2.154.17", "15.6.75.27", "15.0.245.2-rusty"])
def test_an_endpoint_that_is_known_to_bear_pings_gets_them(version: str) -> None:
    endpoint = Endpoint(version)
    endpoint.heartbeat.ask()

    assert (endpoint.got, bears_pings(version)) == (["ping"], True)


@pytest.mark.parametrize("version", ["6.4.265", "9.2.227", "10.1.100", "", "156", "new"])
def test_versions_that_were_not_seen_to_bear_pings_get_none(version: str) -> None:
    assert not bears_pings(version)


@pytest.mark.parametrize(
    ("answer", "then"),
    [
        ({"result": CHROMIUM_156}, "ping"),
        ({"result": CHROMIUM_92}, "Browser.getVersion"),
        ({"result": {"product": "?"}}, "Browser.getVersion"),
        ({"result": {"jsVersion": 15}}, "Browser.getVersion"),
        ({"error": UNKNOWN_COMMAND}, "Browser.getVersion"),
    ],
)
def test_an_endpoint_that_is_not_known_is_asked_who_it_is(answer: dict[str, Any], then: str) -> None:
    endpoint = Endpoint()
    endpoint.heartbeat.ask()
    method = endpoint.got[0]["method"]
    left_over = endpoint.heartbeat.without_answers([endpoint.answer(**answer)])
    endpoint.heartbeat.ask()

    assert (method, left_over) == ("Browser.getVersion", [])
    assert (endpoint.got[1] if endpoint.got[1] == "ping" else endpoint.got[1]["method"]) == then


def test_only_the_answer_is_kept_from_the_client() -> None:
    endpoint = Endpoint()
    others = [
        b'{"id":1,"result":{"jsVersion":"9.2.227"}}',
        b'{"method":"Page.loadEventFired","params":{"timestamp":1}}',
        b"no JSON",
        b"\xff",
        b"[" * 4000,
        json.dumps({"id": 2**30, "result": {"data": "x" * 5000}}).encode(),
    ]
    endpoint.heartbeat.ask()
    answer = endpoint.answer(result=CHROMIUM_156)

    assert endpoint.heartbeat.without_answers([*others, answer]) == others
    assert endpoint.heartbeat.without_answers([*others, answer]) == [*others, answer]  # nothing is due any more


def test_a_heartbeat_is_recognised_in_both_directions() -> None:
    endpoint = Endpoint()
    endpoint.heartbeat.ask()

    assert is_heartbeat(json.dumps(endpoint.got[0]).encode())
    assert is_heartbeat(endpoint.answer(error=UNKNOWN_COMMAND))
    assert not is_heartbeat(b'{"id":7,"method":"Browser.getVersion","params":{}}')
