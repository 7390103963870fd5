"""A mock in memory: its connections are transports of the client, without a socket."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from cdp_typed.mock import MockBrowser, Site, WireFrame
from cdp_typed.mock.control.faults import Outgoing
from cdp_typed.mock.personality import LOCAL
from cdp_typed.mock.server.delivery import Delivery
from cdp_typed.transport.receive_queue import GONE, LEFT, ReceiveQueue


@contextmanager
def delivering(site: Site) -> Generator[Delivery]:
    """Start a mock browser, whose connections are made as `MemoryConnection(delivery)`."""
    delivery = Delivery(MockBrowser(site), LOCAL, died=lambda: None)
    delivery.open()
    yield delivery
    delivery.close()
    assert delivery.errors == []


class MemoryConnection:
    """Both ends of a connection: the client's `Transport`, and the mock's `ClientConnection`."""

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._received = ReceiveQueue()
        self._number = delivery.join(self)
        self._left = False

    # -- the client's end ------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """See `Transport.send`."""
        if not self._received.ended.done():
            self._delivery.receive(self._number, data.decode())

    async def receive(self) -> bytes:
        """See `Transport.receive`."""
        return await self._received.receive()

    async def close(self) -> None:
        """See `Transport.close`."""
        if not self._left:
            self._left = True
            self._end(LEFT)
            self._delivery.leave(self._number)

    # -- the mock's end --------------------------------------------------------------------------------------------

    def put(self, item: Outgoing) -> None:
        """See `ClientConnection.put`."""
        if isinstance(item, WireFrame):
            self._received.put(item.data.encode() if isinstance(item.data, str) else item.data)
        else:
            self._end(GONE)

    def flush(self) -> None:
        """See `ClientConnection.flush`; nothing waits."""

    def _end(self, reason: str) -> None:
        if not self._received.ended.done():
            self._received.end(reason)
