"""Outgoing messages: validated, encoded as JSON, and damaged where a fault applies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from cdp_typed.mock.control.stubs import (
    Binary,
    Changed,
    ConnectionEnd,
    Cut,
    Delay,
    Drop,
    Duplicate,
    Ends,
    Fault,
    InvalidUtf8,
    Malformed,
    Missing,
    Overtaken,
    Padded,
    Preceded,
    WithoutId,
)
from cdp_typed.mock.errors import NoSuchThing
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.messages import Hangup, Message, SendMessage
from cdp_typed.mock.validate import check_event, check_result

_Json = dict[str, Any]


class WireFrame(Struct, frozen=True):
    """A message for a connection: a websocket text frame, or a binary one for bytes.

    `delay_s`: seconds from now. `text`: the bytes are sent as text. `overtaken`: sent after the next frame of the
    connection. `half`: only the first half of the frame's bytes is sent.
    """

    connection: int
    data: str | bytes
    delay_s: float = 0.0
    text: bool = False
    overtaken: bool = False
    half: bool = False


class EndConnection(Struct, frozen=True):
    """The end of a connection without, or with an incomplete, closing handshake; `code` is for `goodbye`."""

    connection: int
    how: ConnectionEnd
    code: int = 1000


class ReadSlowly(Struct, frozen=True):
    """Throttle reading from a connection to this many bytes per second; its sender has to wait."""

    connection: int
    bytes_per_s: float


Outgoing = WireFrame | Hangup | EndConnection | ReadSlowly


def to_json(payload: _Json) -> str:
    """Encode JSON as Chrome does: without spaces, and with a lone surrogate as its escape."""
    return json.dumps(payload, separators=(",", ":"))


def check_outgoing(message: Message) -> None:
    """Raise `NonConforming` for a result or an event that the schema does not know."""
    if isinstance(message, Hangup):
        return
    payload = message.payload
    if "method" in payload:
        check_event(payload["method"], payload["params"])
    elif message.reply_to:
        check_result(message.reply_to, payload["result"])


def outgoing_frames(message: Message, fault: Fault | None) -> Iterator[Outgoing]:
    """Yield the frames for a message, with `fault` applied. Raises `NoSuchThing`."""
    if isinstance(message, Hangup):
        yield message
        return
    to, text = message.connection, to_json(message.payload)
    match fault:
        case None:
            yield WireFrame(to, text)
        case Drop():
            return
        case Duplicate():
            yield from (WireFrame(to, text), WireFrame(to, text))
        case Preceded():
            yield from (WireFrame(to, _first(fault, message)), WireFrame(to, text))
        case Cut():
            yield from (WireFrame(to, text, half=True), EndConnection(to, fault.how))
        case Ends():
            yield EndConnection(to, fault.how, fault.code)
        case _:
            yield _changed_frame(message, text, fault)


def _changed_frame(
    message: SendMessage,
    text: str,
    fault: Binary | Changed | Delay | InvalidUtf8 | Malformed | Missing | Overtaken | Padded | WithoutId,
) -> WireFrame:
    """Return the one frame that a message becomes."""
    to = message.connection
    match fault:
        case Delay():
            return WireFrame(to, text, fault.seconds)
        case Overtaken():
            return WireFrame(to, text, overtaken=True)
        case Malformed():
            return WireFrame(to, text[: len(text) // 2])
        case Binary():
            return WireFrame(to, text.encode())
        case InvalidUtf8():
            # In an additional field, so that a lenient client can still read the message.
            return WireFrame(to, text[:-1].encode() + b',"broken":"\xff"}', text=True)
        case WithoutId():
            return WireFrame(to, to_json(_error_without_id()))
        case Padded():
            return WireFrame(to, text.ljust(fault.size))
        case _:
            payload = json.loads(text)
            _change(payload, fault)
            return WireFrame(to, to_json(payload))


def _first(fault: Preceded, message: SendMessage) -> str:
    if isinstance(fault.by, str):
        return fault.by
    session = message.payload.get("sessionId")
    return to_json(fault.by if session is None else {**fault.by, "sessionId": session})


def _change(payload: _Json, fault: Missing | Changed) -> None:
    """Change a field deep inside a message, in place."""
    *way, last = fault.path.split(".")
    inside: Any = payload
    try:
        for step in way:
            inside = _step(inside, step)
        match fault:
            case Missing():
                del inside[_key(inside, last)]
            case _:
                inside[_key(inside, last)] = fault.value
    except (LookupError, TypeError, ValueError):
        raise NoSuchThing(f"no field {fault.path} in {to_json(payload)[:200]}") from None


def _step(inside: Any, step: str) -> Any:
    return inside[_key(inside, step)]


def _key(inside: Any, step: str) -> Any:
    return int(step) if isinstance(inside, list) else step


def _error_without_id() -> _Json:
    words = Text.NO_INTEGER_ID.value
    return {"error": {"code": words.code, "message": words.message}}
