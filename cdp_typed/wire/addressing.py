"""The id and the session of a message, and the same message with others: its payload is neither decoded nor encoded."""

from __future__ import annotations

import re

from msgspec import Struct

from cdp_typed.wire.envelopes import MalformedMessage, decode_message
from cdp_typed.wire.json_text import dump

# Chromium and this library write the id first and the session last. The last brace is that of the whole message, and
# what is matched before it is not inside a text, because a quotation mark in a text has a backslash before it.
_ID = re.compile(rb'\{"id": ?(\d{1,18})(?=[,}])')
_SESSION = re.compile(rb', ?"sessionId": ?"([^"\\]*)"\}\Z')
_EVENT = b'{"method":"'
_LONGEST_SESSION = 200


class Addressed(Struct, frozen=True, gc=False):
    """A message with its id and session; an event has no id, and a message of the browser's own session has none."""

    data: bytes
    id: int | None
    session_id: str | None
    start: int
    """The index in `data` where the payload begins: after the id, or else after the first brace."""
    end: int
    """The index in `data` where the payload ends: before the session, or else before the last brace."""
    is_rewritten: bool = False
    """Whether the session is not in `data`, which was written anew."""

    def to(self, call_id: int | None, session_id: str | None) -> bytes:
        """Return the message with this id and session; the very same object if nothing changes. Copies it once."""
        if call_id == self.id and session_id == self.session_id and not self.is_rewritten:
            return self.data
        head = b"{" if call_id is None else b'{"id":%d' % call_id
        tail = b"}" if session_id is None else b',"sessionId":%b}' % dump(session_id)
        if call_id is None and self.start == self.end:
            tail = tail.removeprefix(b",")
        return b"".join((head, memoryview(self.data)[self.start : self.end], tail))


def read_address(data: bytes) -> Addressed | None:
    """Read the id and the session of a message; `None` for what is no JSON object. Never raises."""
    if (id_ := _ID.match(data)) or data.startswith(_EVENT):
        session = _SESSION.search(data, max(0, len(data) - _LONGEST_SESSION))
        if session or b'"sessionId"' not in data:
            return _addressed(data, id_, session)
    return _patiently(data)


def _addressed(data: bytes, id_: re.Match[bytes] | None, session: re.Match[bytes] | None) -> Addressed:
    return Addressed(
        data,
        int(id_[1]) if id_ else None,
        session[1].decode(errors="replace") if session else None,
        id_.end() if id_ else 1,
        session.start() if session else data.rindex(b"}"),
    )


def _patiently(data: bytes) -> Addressed | None:
    """Read a message that is written in another order, or has another session id in its payload."""
    message = decode_message(data)
    if isinstance(message, MalformedMessage):
        return None
    parts = [] if message.id is None else [b'{"id":%d' % message.id]
    if message.method is not None:
        parts.append((b"," if parts else b"{") + b'"method":' + dump(message.method))
    for name, raw in (("params", message.params), ("result", message.result), ("error", message.error)):
        if raw:
            parts.append((b"," if parts else b"{") + b'"%b":' % name.encode() + bytes(raw))
    text = b"".join(parts) or b"{"
    start = len(b'{"id":%d' % message.id) if message.id is not None else 1
    return Addressed(text + b"}", message.id, message.session_id, start, len(text), is_rewritten=True)
