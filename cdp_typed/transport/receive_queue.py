"""Received messages of a transport, in order, and the end of the connection after the last one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from cdp_typed.transport import TransportClosed

GONE = "the browser is gone: the socket closed without a close frame"
LEFT = "closed by this side"
VIOLATED = "the browser broke the websocket protocol"


def closed_with(code: int) -> str:
    """Return the reason for a close frame of the peer. Its text may repeat a token, so it is not quoted."""
    return f"the browser closed the websocket with code {code}"


def too_big(size: int | None, limit: int, *, so_far: bool = False) -> str:
    """Return the reason for a message beyond `limit` bytes; with `so_far`, more of it was to come."""
    has = "more" if size is None else f"{size} bytes{' so far' if so_far else ''}"
    return f"a message has {has}, and max_size is {limit} bytes; raise max_size in connect()"


class ReceiveQueue:
    """The receiving half of a `Transport`, made inside a running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._messages: deque[bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.ended: asyncio.Future[TransportClosed] = self._loop.create_future()

    def put(self, message: bytes) -> None:
        """Add one whole message."""
        self._messages.append(message)
        self._wake()

    def put_many(self, messages: Sequence[bytes]) -> None:
        """Add several whole messages."""
        self._messages.extend(messages)
        self._wake()

    def end(self, reason: str, cause: BaseException | None = None) -> None:
        """End the queue: `receive` raises after the last message. Called once."""
        closed = TransportClosed(reason)
        closed.__cause__ = cause
        self.ended.set_result(closed)
        self._wake()

    async def receive(self) -> bytes:
        """See `Transport.receive`."""
        await self._arrival()
        return self._messages.popleft()

    async def receive_many(self) -> Sequence[bytes]:
        """See `ReceivesMany.receive_many`."""
        await self._arrival()
        messages, self._messages = self._messages, deque()
        return messages

    async def wait_ended(self) -> None:
        """Wait for `end`; cancelling one caller does not affect the others."""
        await asyncio.shield(self.ended)

    async def _arrival(self) -> None:
        while not self._messages:
            if self.ended.done():
                ended = self.ended.result()
                raise TransportClosed(ended.reason) from ended.__cause__
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
