"""What a connection needs of the wire: ordered messages out, whole messages in, one reason at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

__all__ = ["ReceivesMany", "SendsMany", "Transport", "TransportClosed"]


class TransportClosed(Exception):
    """The wire ended. `reason` says how in a sentence without addresses; the system's exception is `__cause__`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Transport(Protocol):
    """One open wire to a browser."""

    def send(self, data: bytes) -> None:
        """Queue one message (JSON text in UTF-8) behind those queued before; returns at once.

        After the end of the wire this does nothing: `receive` tells.
        """
        ...

    async def receive(self) -> bytes:
        """The next whole message. After the last one raises `TransportClosed`, every time it is asked."""
        ...

    async def close(self) -> None:
        """Say goodbye and end the wire, within about a second. Closing twice is fine."""
        ...


@runtime_checkable
class ReceivesMany(Protocol):
    """What a transport adds that often holds several messages."""

    async def receive_many(self) -> Sequence[bytes]:
        """Like `Transport.receive`, but every message that is there, the oldest first; at least one."""
        ...


@runtime_checkable
class SendsMany(Protocol):
    """What a transport adds that can write several messages to the system at once."""

    def send_many(self, messages: Sequence[bytes]) -> None:
        """Like `Transport.send` for each of them, with one write."""
        ...
