"""Recordings: the messages of a browser and its clients as lines of JSON, without credentials.

`cdp_typed.mock.load_recording` reads them, and `ReplayBrowser` replays them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cdp_typed.recording.taps import Direction
from cdp_typed.wire.json_text import is_array, is_object, load, repair

__all__ = ["REDACTED", "connection_name", "line", "note", "redacted"]

REDACTED = "<redacted>"
"""The text in a recording in place of a credential."""

# Names of fields, headers and query parameters. `userInput` and the like hold what a user typed, and stay.
_SECRET_NAME = re.compile(
    r"authorization$|cookie$|passw(or)?d$|passphrase$|secret|api[-_]?key|private[-_]?key|credential$"
    r"|(access|refresh|id|auth|csrf|xsrf|session|bearer|security)[-_]?token$|^x-.*token$|^(token|sig|signature)$",
    re.IGNORECASE,
)
# These are applied to texts of pages, on the loop that all connections share, so each must be linear in the text: no
# character is read more than a few times. A query parameter without a value is matched too, and left as it is: no other
# match can begin inside it. User info is matched only where no character of a scheme comes before.
_QUERY = re.compile(r"(?P<name>[?&;](?P<key>[^=&#;\s]++))(?:=(?P<value>[^&#;\s]*+))?")
_USER_INFO = re.compile(
    r"(?<![a-zA-Z0-9+.-])(?=[a-zA-Z0-9+.-]*?\b[a-zA-Z])(?P<scheme>[a-zA-Z0-9+.-]++://)[^/\s?#@\"']++@"
)
_HEADER_LINE = re.compile(r"^(?P<name>[^:\s]+):[ \t]*\S[^\r\n]*", re.MULTILINE)
_COOKIE_FIELDS = frozenset({"domain", "path", "url", "httpOnly", "secure", "sameSite", "expires"})
_CALL = ("id", "method", "params")
_REPLY = ("id", "result", "error")


def connection_name(number: int) -> str:
    """Return the name of the client with this number in a recording: A to Z, then AA and so on."""
    number, last = divmod(number, 26)
    letter = chr(ord("A") + last)
    return letter if number == 0 else connection_name(number - 1) + letter


def line(seconds: float, connection: str, direction: Direction, data: bytes) -> str:
    """Return the line of a recording (without line end) for a message, `seconds` after the beginning.

    A message that is no call, reply or event becomes a note of its size: a replay could not send it.
    """
    try:
        message = load(repair(data), lambda _: None)
    except (ValueError, RecursionError):
        return note(seconds, connection, f"{direction}: {len(data)} bytes that are not JSON")
    fields = _fields(direction, message) if is_object(message) else None
    if fields is None:
        return note(seconds, connection, f"{direction}: {len(data)} bytes that are no call, reply or event")
    session = {"sessionId": message["sessionId"]} if isinstance(message.get("sessionId"), str) else {}
    way = "send" if direction == "sent" else "recv"
    return json.dumps({"t": round(seconds, 3), "conn": connection, "dir": way, **session, **redacted(fields)})


def note(seconds: float, connection: str, text: str) -> str:
    """Return the line of a recording (without line end) for a remark that is no message."""
    return json.dumps({"t": round(seconds, 3), "conn": connection, "dir": "note", "note": text})


def redacted(value: Any) -> Any:
    """Return the same plain JSON without passwords, tokens, cookies, authorization headers and URLs' user info."""
    if isinstance(value, str):
        return _text(value)
    if is_array(value):
        return [redacted(item) for item in value]
    if is_object(value):
        return _object(value)
    return value


def _fields(direction: Direction, message: dict[str, Any]) -> dict[str, Any] | None:
    """Return the fields of a message that a recording holds besides its session; None if it cannot be replayed."""
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


def _object(value: dict[str, Any]) -> dict[str, Any]:
    shown = {name: _field(name, item) for name, item in value.items()}
    name = value.get("name")
    is_cookie = isinstance(name, str) and not _COOKIE_FIELDS.isdisjoint(value)
    if isinstance(value.get("value"), str) and (is_cookie or (isinstance(name, str) and _SECRET_NAME.search(name))):
        shown["value"] = REDACTED
    return shown


def _field(name: str, value: Any) -> Any:
    if isinstance(value, str) and _SECRET_NAME.search(name):
        return REDACTED
    if isinstance(value, str) and name in ("headersText", "requestHeadersText"):
        return _HEADER_LINE.sub(_header, value)
    return redacted(value)


def _header(match: re.Match[str]) -> str:
    return f"{match['name']}: {REDACTED}" if _SECRET_NAME.search(match["name"]) else match[0]


def _text(text: str) -> str:
    """Return a text with the secrets of its URLs redacted."""
    if "://" not in text:
        return text
    shown = _USER_INFO.sub(rf"\g<scheme>{REDACTED}@", text)
    return _QUERY.sub(_parameter, shown)


def _parameter(match: re.Match[str]) -> str:
    is_secret = match["value"] is not None and _SECRET_NAME.search(match["key"])
    return f"{match['name']}={REDACTED}" if is_secret else match[0]
