"""The interface of a transport: ordered messages out, whole messages in, one reason at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

__all__ = ["ReceivesMany", "SendsMany", "Transport", "TransportClosed"]


class TransportClosed(Exception):
    """The transport ended. `reason` is a sentence without addresses; the system's exception is `__cause__`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Transport(Protocol):
    """One open websocket or pipe to a browser."""

    def send(self, data: bytes) -> None:
        """Queue one message (JSON text in UTF-8) behind those queued before; returns at once.

        After the end of the transport this does nothing: `receive` raises.
        """
        ...

    async def receive(self) -> bytes:
        """Return the next whole message. Raises `TransportClosed` after the last one, at every call."""
        ...

    async def close(self) -> None:
        """Close with a closing handshake, within about a second. Closing twice is fine."""
        ...


@runtime_checkable
class ReceivesMany(Protocol):
    """A transport that often holds several messages."""

    async def receive_many(self) -> Sequence[bytes]:
        """Return every message that is there, the oldest first, at least one. Raises as `Transport.receive`."""
        ...


@runtime_checkable
class SendsMany(Protocol):
    """A transport that can write several messages to the system at once."""

    def send_many(self, messages: Sequence[bytes]) -> None:
        """Do the same as `Transport.send` for each message, with one write."""
        ...
