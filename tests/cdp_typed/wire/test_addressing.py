"""Messages with another id and session, as a browser or a client with its own ways of writing JSON sends them."""

from __future__ import annotations

import json

import pytest

from cdp_typed.protocol import runtime, target
from cdp_typed.wire.addressing import read_address
from cdp_typed.wire.envelopes import encode_request


@pytest.mark.parametrize(
    ("data", "call_id", "session_id"),
    [
        (b'{"id":1,"result":{}}', 1, None),
        (b'{"id":12,"result":{"a":[1,2]},"sessionId":"S"}', 12, "S"),
        (b'{"id":3}', 3, None),
        (b'{"method":"A.b","params":{}}', None, None),
        (b'{"method":"A.b","params":{"text":"\\",\\"sessionId\\":\\"T\\"}"},"sessionId":"S"}', None, "S"),
        (b'{"method":"A.b","params":{"text":",\\"sessionId\\":\\"T\\"}"}}', None, None),
        (b'{"method":"A.b","params":{"sessionId":"T"}}', None, None),
        (b'{"method":"A.b","params":{"sessionId":"T"},"sessionId":"S"}', None, "S"),
        (b'{"sessionId":"S","method":"A.b","params":{"x":"\xc3\xa9"}}', None, "S"),
        (b' { "sessionId" : "S" , "result" : {"id":7}, "id" : 5 } ', 5, "S"),
        (b'{"error":{"code":-32700,"message":"no"}}', None, None),
        (b'{"id":1,"result":{"value":"\\ud800"},"sessionId":"S"}', 1, "S"),
        (b"{}", None, None),
    ],
)
def test_only_id_and_session_change(data: bytes, call_id: int | None, session_id: str | None) -> None:
    message = read_address(data)

    assert message is not None
    assert (message.id, message.session_id) == (call_id, session_id)
    expected = {key: value for key, value in json.loads(data).items() if key not in ("id", "sessionId")}
    new_id = None if call_id is None else 77
    assert json.loads(message.to(new_id, None)) == expected | ({"id": 77} if new_id else {})
    assert json.loads(message.to(new_id, 'q"')) == expected | ({"id": 77} if new_id else {}) | {"sessionId": 'q"'}
    assert json.loads(message.to(call_id, session_id)) == json.loads(data)


def test_a_message_that_stays_as_it_is_is_not_copied() -> None:
    data = b'{"method":"A.b","params":{"x":"' + b"x" * 100_000 + b'"},"sessionId":"S"}'
    message = read_address(data)

    assert message is not None
    assert message.to(None, "S") is data


@pytest.mark.parametrize("data", [b"", b"[]", b'{"id":5', b'{"id":1,"sessionId":', b"\xff\xfe"])
def test_what_is_no_message_is_told(data: bytes) -> None:
    message = read_address(data)

    assert message is None


def test_our_own_commands_are_read() -> None:
    for expression in ("1", "'\ud800'"):
        message = read_address(encode_request(9, runtime.Evaluate(expression=expression), "S"))
        assert message is not None
        assert (message.id, message.session_id) == (9, "S")
        assert json.loads(message.to(1, "T"))["params"] == {"expression": expression}
    detach = read_address(encode_request(2, target.DetachFromTarget(session_id=target.SessionID("T")), None))
    assert detach is not None
    moved = {"id": 3, "method": "Target.detachFromTarget", "params": {"sessionId": "T"}, "sessionId": "S"}
    assert json.loads(detach.to(3, "S")) == moved
