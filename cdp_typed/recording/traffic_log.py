"""Recordings: the messages of a browser and its clients as lines of JSON, without secrets."""

from __future__ import annotations

from typing import Any

import msgspec

from cdp_typed.conversions import decode
from cdp_typed.recording.taps import Direction
from cdp_typed.redaction import Redaction
from cdp_typed.wire.json_text import is_object, load, repair

WITH_SECRETS = "with passwords, cookies, typed text and bodies: keep it to yourself"
"""The remark in the head of a recording from which nothing was left out."""

_CALL = ("id", "method", "params")
_REPLY = ("id", "result", "error")
_UNANSWERED = 10_000
"""Commands whose replies may still come; of a reply to an older one the method is not known."""


def connection_name(number: int) -> str:
    """Return the name of the client with this number in a recording: A to Z, then AA and so on."""
    number, last = divmod(number, 26)
    letter = chr(ord("A") + last)
    return letter if number == 0 else connection_name(number - 1) + letter


def _note(seconds: float, connection: str, text: str) -> dict[str, Any]:
    return {"t": round(seconds, 3), "conn": connection, "dir": "note", "note": text}


class MessageLog:
    """The messages of one connection as entries of a recording. A reply is read by the command that it answers."""

    def __init__(self, connection: str, redaction: Redaction) -> None:
        self._connection = connection
        self._redaction = redaction
        self._methods: dict[tuple[object, int], str] = {}

    def entry(self, seconds: float, direction: Direction, data: bytes) -> dict[str, Any]:
        """Return the entry for a message, `seconds` after the beginning.

        A message that is no call, reply or event becomes a note of its size.
        """
        try:
            message = _read(data)
        except (ValueError, RecursionError):
            return _note(seconds, self._connection, f"{direction}: {len(data)} bytes that are not JSON")
        fields = _fields(direction, message) if is_object(message) else None
        if fields is None:
            size = f"{len(data)} bytes that are no call, reply or event"
            return _note(seconds, self._connection, f"{direction}: {size}")
        session = {"sessionId": message["sessionId"]} if isinstance(message.get("sessionId"), str) else {}
        way = "send" if direction == "sent" else "recv"
        shown = self._redacted(fields, session.get("sessionId"))
        return {"t": round(seconds, 3), "conn": self._connection, "dir": way, **session, **shown}

    def _redacted(self, fields: dict[str, Any], session: str | None) -> dict[str, Any]:
        number, method = fields.get("id"), fields.get("method")
        if method is None:
            of = self._methods.pop((session, fields["id"]), None)
            shown = dict(fields)
            if "result" in fields:
                shown["result"] = self._redaction.result(of, fields["result"])
            if "error" in fields:
                shown["error"] = self._redaction.value(fields["error"])
            return shown
        if number is not None:
            self._methods[session, number] = method
            if len(self._methods) > _UNANSWERED:
                del self._methods[next(iter(self._methods))]
        if "params" not in fields:
            return fields
        return {**fields, "params": self._redaction.params(method, fields["params"])}


def _read(data: bytes) -> Any:
    """Raises `ValueError` and `RecursionError`."""
    repaired = repair(data)
    try:
        return decode(repaired)
    except (msgspec.MsgspecError, RecursionError):  # `NaN`, say
        return load(repaired, lambda _: None)


def _fields(direction: Direction, message: dict[str, Any]) -> dict[str, Any] | None:
    """Return the fields besides the session that a recording holds; None if this is no call, reply or event."""
    number, method = message.get("id"), message.get("method")
    is_numbered = isinstance(number, int) and not isinstance(number, bool)
    if direction == "sent":
        return _only(message, _CALL) if is_numbered and isinstance(method, str) else None
    if is_numbered and (is_object(message.get("result")) or is_object(message.get("error"))):
        return _only(message, _REPLY)
    return _only(message, ("method", "params")) if isinstance(method, str) and "id" not in message else None


def _only(message: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    fields = {name: message[name] for name in names if name in message}
    if not is_object(fields.get("params", {})):
        del fields["params"]
    return fields
