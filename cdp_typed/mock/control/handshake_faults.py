"""Faults of the websocket handshake: HTTP errors, redirects, silence and garbage."""

from __future__ import annotations

from http import HTTPStatus

from msgspec import Struct


class _TaggedFault(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Base of the faults that a scenario file names, in lower case with underscores."""


class Refused(_TaggedFault, frozen=True, tag="refused"):
    """An HTTP error: 401, 403, 404, 410, 429, 503 or any other; `retry_after` is in seconds."""

    status: int
    retry_after: int | None = None
    body: str = ""


class Redirected(_TaggedFault, frozen=True, tag="redirected"):
    """An HTTP redirect."""

    location: str
    status: int = 302


class NeverUpgrades(_TaggedFault, frozen=True, tag="never_upgrades"):
    """The TCP connection is accepted, and nothing is ever sent on it."""


class Garbage(_TaggedFault, frozen=True, tag="garbage"):
    """Bytes that are not HTTP (none if `text` is empty), and then the end of the connection."""

    text: str = "220 mail.test ESMTP\r\n"


HandshakeFault = Refused | Redirected | NeverUpgrades | Garbage


def handshake_reply(dial: HandshakeFault) -> bytes | None:
    """Return the bytes to send before closing the connection; None to keep it open and silent."""
    match dial:
        case NeverUpgrades():
            return None
        case Garbage():
            return dial.text.encode()
        case Redirected():
            return http_response(dial.status, b"", {"Location": dial.location})
        case _:
            fields = {"Content-Type": "text/plain"}
            if dial.retry_after is not None:
                fields["Retry-After"] = str(dial.retry_after)
            return http_response(dial.status, dial.body.encode(), fields)


def http_response(status: int, body: bytes, fields: dict[str, str]) -> bytes:
    """Return a complete HTTP response, after which the connection is closed."""
    known = {known_status.value: known_status.phrase for known_status in HTTPStatus}
    fields = {**fields, "Content-Length": str(len(body)), "Connection": "close"}
    head = [
        f"HTTP/1.1 {status} {known.get(status, 'Unknown')}",
        *(f"{name}: {value}" for name, value in fields.items()),
    ]
    return "\r\n".join([*head, "", ""]).encode() + body
