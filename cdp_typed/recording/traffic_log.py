"""Recordings: what a browser and its clients said, as lines of JSON from which the credentials are gone.

`cdp_typed.mock.load_recording` reads what is written here, and `ReplayBrowser` says it again.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cdp_typed.recording.taps import Direction
from cdp_typed.wire.json_text import is_array, is_object, load, repair

__all__ = ["REDACTED", "connection_name", "line", "note", "redacted"]

REDACTED = "<redacted>"
"""What stands in a recording where a credential was."""

# Of fields, headers and parts of a query. `userInput` and the like are what a page asked for, and stay.
_SECRET_NAME = re.compile(
    r"authorization$|cookie$|passw(or)?d$|passphrase$|secret|api[-_]?key|private[-_]?key|credential$"
    r"|(access|refresh|id|auth|csrf|xsrf|session|bearer|security)[-_]?token$|^x-.*token$|^(token|sig|signature)$",
    re.IGNORECASE,
)
# These meet texts of pages, on the loop that all connections share, so each reads no character more than a few times. A
# part of a query without a value is matched too, and left as it is: nothing in it can be the beginning of another one.
# User info is looked for only where no character of a scheme comes before.
_QUERY = re.compile(r"(?P<name>[?&;](?P<key>[^=&#;\s]++))(?:=(?P<value>[^&#;\s]*+))?")
_USER_INFO = re.compile(
    r"(?<![a-zA-Z0-9+.-])(?=[a-zA-Z0-9+.-]*?\b[a-zA-Z])(?P<scheme>[a-zA-Z0-9+.-]++://)[^/\s?#@\"']++@"
)
_HEADER_LINE = re.compile(r"^(?P<name>[^:\s]+):[ \t]*\S[^\r\n]*", re.MULTILINE)
_COOKIE_FIELDS = frozenset({"domain", "path", "url", "httpOnly", "secure", "sameSite", "expires"})
_CALL = ("id", "method", "params")
_REPLY = ("id", "result", "error")


def connection_name(number: int) -> str:
    """The name in a recording of the client that came as the n-th: A to Z, then AA and so on."""
    number, last = divmod(number, 26)
    letter = chr(ord("A") + last)
    return letter if number == 0 else connection_name(number - 1) + letter


def line(seconds: float, connection: str, direction: Direction, data: bytes) -> str:
    """A message, `seconds` after the beginning, as a line of a recording (without its end).

    What is no call, reply or event becomes a note that tells its size: a replay could not say it to anybody.
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
    """Something that is no message, as a line of a recording (without its end)."""
    return json.dumps({"t": round(seconds, 3), "conn": connection, "dir": "note", "note": text})


def redacted(value: Any) -> Any:
    """The same plain JSON without passwords, tokens, cookies, authorization headers and user info of addresses."""
    if isinstance(value, str):
        return _text(value)
    if is_array(value):
        return [redacted(item) for item in value]
    if is_object(value):
        return _object(value)
    return value


def _fields(direction: Direction, message: dict[str, Any]) -> dict[str, Any] | None:
    """What of a message a recording holds besides its session; None if nobody could be told it again."""
    number, method = message.get("id"), message.get("method")
    is_numbered = isinstance(number, int) and not isinstance(number, bool)
    if direction == "sent":
        return _only(message, _CALL) if is_numbered and isinstance(method, str) else None
    if is_numbered and (is_object(message.get("result")) or is_object(message.get("error"))):
        return _only(message, _REPLY)
    return _only(message, ("method", "params")) if isinstance(method, str) and "id" not in message else None


def _only(message: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    found = {name: message[name] for name in names if name in message}
    if not is_object(found.get("params", {})):
        del found["params"]
    return found


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


def _header(found: re.Match[str]) -> str:
    return f"{found['name']}: {REDACTED}" if _SECRET_NAME.search(found["name"]) else found[0]


def _text(text: str) -> str:
    """A text with the secrets of the addresses in it taken out."""
    if "://" not in text:
        return text
    shown = _USER_INFO.sub(rf"\g<scheme>{REDACTED}@", text)
    return _QUERY.sub(_parameter, shown)


def _parameter(found: re.Match[str]) -> str:
    is_secret = found["value"] is not None and _SECRET_NAME.search(found["key"])
    return f"{found['name']}={REDACTED}" if is_secret else found[0]
