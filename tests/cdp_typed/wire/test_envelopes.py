"""Commands to bytes, and bytes to envelopes."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cdp_typed.protocol import fetch, page, runtime
from cdp_typed.wire.envelopes import (
    Envelope,
    ErrorBody,
    MalformedMessage,
    decode_error,
    decode_message,
    encode_call,
    encode_request,
)


def _plain(envelope: Envelope | MalformedMessage) -> Any:
    assert isinstance(envelope, Envelope)
    raw = [bytes(payload) for payload in (envelope.params, envelope.result, envelope.error)]
    return (envelope.id, envelope.method, envelope.session_id, *raw)


def test_a_command_has_only_the_given_parameters_and_names_the_session_that_it_is_for() -> None:
    command = fetch.ContinueRequest(request_id=fetch.RequestId("r"), intercept_response=False)

    assert encode_request(1, page.Navigate(url="x"), None) == b'{"id":1,"method":"Page.navigate","params":{"url":"x"}}'
    params = {"requestId": "r", "interceptResponse": False}
    expected = {"id": 7, "method": "Fetch.continueRequest", "params": params, "sessionId": "S"}
    assert json.loads(encode_request(7, command, "S")) == expected
    lone_surrogate = encode_request(1, runtime.Evaluate(expression="'\ud800'"), "S")
    assert json.loads(lone_surrogate)["params"] == {"expression": "'\ud800'"}
    assert lone_surrogate.isascii()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"id":1,"result":{"a":1}}', (1, None, None, b"", b'{"a":1}', b"")),
        (b'{"id":1,"error":{"code":-1},"sessionId":"S"}', (1, None, "S", b"", b"", b'{"code":-1}')),
        (b'{"method":"A.b","params":{"sessionId":"x"}}', (None, "A.b", None, b'{"sessionId":"x"}', b"", b"")),
        (b'{"method":"A.b"}', (None, "A.b", None, b"", b"", b"")),
        (b'{"unheardOf":[1],"method":"A.b"}', (None, "A.b", None, b"", b"", b"")),
        # What msgspec refuses:
        (b'{"id":7.0,"result":{}}', (7, None, None, b"", b"{}", b"")),
        (b'{"id":"x","method":"A.b"}', (None, "A.b", None, b"", b"", b"")),
        (b'{"method":"A.b","params":{"n":NaN}}', (None, "A.b", None, b'{"n": NaN}', b"", b"")),
        (b'{"x":"\\ud800","method":"A.b"}', (None, "A.b", None, b"", b"", b"")),
        (b'{"x":"\xff","method":"A.b"}', (None, "A.b", None, b"", b"", b"")),
    ],
)
def test_an_envelope_is_read(data: bytes, expected: Any) -> None:
    assert _plain(decode_message(data)) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", MalformedMessage("empty message", None)),
        (b"nope", MalformedMessage("not JSON (4 bytes)", None)),
        (b"\xff\xfe\x00", MalformedMessage("not JSON (3 bytes)", None)),
        (b"[1]", MalformedMessage("not a JSON object but list", None)),
        (b"null", MalformedMessage("not a JSON object but NoneType", None)),
        (b'{"id":3,"result":{"a"', MalformedMessage("not JSON (21 bytes)", 3)),
        (b' {"id": 3 }}', MalformedMessage("not JSON (12 bytes)", 3)),
        # An id deep inside the payload belongs to somebody else.
        (b'{"method":"A.b","params":{"id":3,', MalformedMessage("not JSON (33 bytes)", None)),
    ],
)
def test_what_cannot_be_read_says_why_and_whom_it_answered(data: bytes, expected: MalformedMessage) -> None:
    assert decode_message(data) == expected


def test_a_depth_bomb_costs_only_its_own_call() -> None:
    bomb = b'{"id":5,"result":' + b"[" * 100_000 + b"]" * 100_000 + b"}"

    assert decode_message(bomb) == MalformedMessage("nested too deeply (200018 bytes)", 5)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"code":-32602,"message":"m","data":"d"}', ErrorBody(-32602, "m", "d")),
        (b'{"message":"\\ud800"}', ErrorBody(0, "\\ud800")),
        (b'"broken"', ErrorBody(0, '"broken"')),
        (b'{"code":"x"}', ErrorBody(0, '{"code":"x"}')),
    ],
)
def test_an_error_of_any_shape_is_an_error(raw: bytes, expected: ErrorBody) -> None:
    assert decode_error(msgspec.Raw(raw)) == expected


class _Id(str):
    """A kind of text, as PyCDP's ids are."""


class _Number(int):
    """A kind of integer."""


class _Seconds(float):
    """A kind of number."""


def test_parameters_may_be_subclasses_of_plain_types() -> None:
    params = {"id": _Id("a"), "lone": _Id("\ud800"), "n": [_Number(7)], "t": _Seconds(1.5)}

    data = encode_call(1, "New.method", params, None)

    assert data == b'{"id": 1, "method": "New.method", "params": {"id": "a", "lone": "\\ud800", "n": [7], "t": 1.5}}'
    assert encode_call(1, "M", {"n": _Number(7)}, "S") == b'{"id":1,"method":"M","params":{"n":7},"sessionId":"S"}'
