"""Messages as frames: validated, spelled as JSON, and broken where a test asked for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from cdp_typed.mock.messages import Hangup, Message
from cdp_typed.mock.script import Binary, Delay, Drop, Duplicate, Fault, Malformed, WithoutId
from cdp_typed.mock.texts import Text
from cdp_typed.mock.validate import check_event, check_result

__all__ = ["Frame", "Outgoing", "as_text", "check", "frames"]


class Frame(Struct, frozen=True):
    """A websocket frame for a connection: text or bytes, `delay_s` seconds from now."""

    connection: int
    data: str | bytes
    delay_s: float = 0.0


Outgoing = Frame | Hangup


def as_text(payload: dict[str, Any]) -> str:
    """JSON as Chrome writes it: without spaces, and with a lone surrogate as its escape."""
    return json.dumps(payload, separators=(",", ":"))


def check(message: Message) -> None:
    """Raise `NonConforming` for a result or an event that the schema does not know."""
    if isinstance(message, Hangup):
        return
    payload = message.payload
    if "method" in payload:
        check_event(payload["method"], payload["params"])
    elif message.reply_to:
        check_result(message.reply_to, payload["result"])


def frames(message: Message, fault: Fault | None) -> Iterator[Outgoing]:
    """What goes over the wire for a message; `fault` is what a test wants done to this reply."""
    if isinstance(message, Hangup):
        yield message
        return
    text = as_text(message.payload)
    match fault:
        case None:
            yield Frame(message.connection, text)
        case Drop():
            return
        case Delay(seconds=seconds):
            yield Frame(message.connection, text, seconds)
        case Duplicate():
            yield Frame(message.connection, text)
            yield Frame(message.connection, text)
        case Malformed():
            yield Frame(message.connection, text[: len(text) // 2])
        case Binary():
            yield Frame(message.connection, text.encode())
        case WithoutId():
            yield Frame(message.connection, as_text(_error_without_id()))


def _error_without_id() -> dict[str, Any]:
    words = Text.NO_INTEGER_ID.value
    return {"error": {"code": words.code, "message": words.message}}
