"""Outgoing messages: payloads for a connection, and the end of one."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class SendMessage(Struct, frozen=True):
    """A message to one connection. `reply_to` is the method of the call, or "" for an event."""

    connection: int
    payload: dict[str, Any]
    reply_to: str = ""


class Hangup(Struct, frozen=True):
    """The connection ends: with a close frame of `code`, or without one if `code` is None (the browser died)."""

    connection: int
    code: int | None = None


Message = SendMessage | Hangup
