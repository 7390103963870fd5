"""Parses the clients' messages to commands, or to Chrome's errors."""

from __future__ import annotations

import json
from typing import Any, cast

from msgspec import Struct

from cdp_typed.mock.state.error_texts import Refusal, Text, bad_json

__all__ = ["CommandMessage", "InvalidRequest", "read_command"]

_PROPERTIES = frozenset({"id", "method", "sessionId", "params"})


class CommandMessage(Struct, frozen=True):
    """A call as it was received. `session` is the session id, None for the connection's own session."""

    id: int
    method: str
    session: str | None
    params: dict[str, Any]


class InvalidRequest(Struct, frozen=True):
    """A message that is no call: the error carries `id` only if one could be read."""

    refusal: Refusal
    id: int | None = None


def read_command(text: str | bytes) -> CommandMessage | InvalidRequest:
    """Parse a message. Never raises."""
    if not text.strip():
        return InvalidRequest(Text.EMPTY.value)
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        return InvalidRequest(bad_json(error.pos, "value or structure expected"))
    except (RecursionError, ValueError) as error:
        # Deeper than Python's stack, or a number of more digits than Python reads.
        return InvalidRequest(bad_json(0, type(error).__name__))
    if not isinstance(value, dict):
        return InvalidRequest(Text.NOT_AN_OBJECT.value)
    message = cast("dict[str, Any]", value)
    number = message.get("id")
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not _is_int32(number):
        return InvalidRequest(Text.NO_INTEGER_ID.value)
    return _read_rest(message, int(number))


def _is_int32(number: float) -> bool:
    # 7.0 is an integer to Chrome.
    return -(2**31) <= number < 2**31 and number == int(number)


def _read_rest(message: dict[str, Any], number: int) -> CommandMessage | InvalidRequest:
    method, session, params = message.get("method"), message.get("sessionId"), message.get("params")
    if not isinstance(method, str):
        return InvalidRequest(Text.NO_METHOD.value, number)
    if "sessionId" in message and not isinstance(session, str):
        return InvalidRequest(Text.SESSION_NOT_STRING.value, number)
    if message.keys() - _PROPERTIES:
        return InvalidRequest(Text.FOREIGN_PROPERTY.value, number)
    # Params that are not an object are ignored, as by Chrome.
    fields = cast("dict[str, Any]", params) if isinstance(params, dict) else {}
    return CommandMessage(number, method, session, fields)
