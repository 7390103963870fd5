"""The transport of a browser started with `--remote-debugging-pipe`: messages of JSON, each followed by a NUL.

The pipe is a pair of connected sockets, so that one file descriptor serves both directions.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from typing import cast

from cdp_typed.transport.receive_queue import LEFT, ReceiveQueue, too_big

_GONE = "the browser is gone: the pipe closed"


async def open_pipe(sock: socket.socket, *, max_size: int) -> PipeTransport:
    """Return a transport on our end of the pipe, which it owns from now on."""
    wire = PipeTransport(max_size=max_size)
    await asyncio.get_running_loop().create_unix_connection(lambda: wire, sock=sock)
    return wire


class PipeTransport(asyncio.Protocol):
    """`Transport` over a pipe. Closing it ends the browser: Chromium exits when its pipe closes.

    There is no keepalive: the kernel reports at once that the browser is gone, and a stopped process may continue.
    """

    def __init__(self, *, max_size: int) -> None:
        self._max_size = max_size
        self._received = ReceiveQueue()
        self._wire: asyncio.Transport | None = None
        self._parts: list[bytes] = []
        self._size = 0
        self._why: str | None = None

    def send(self, data: bytes) -> None:
        """See `Transport.send`."""
        self.send_many([data])

    def send_many(self, messages: Sequence[bytes]) -> None:
        """See `SendsMany.send_many`."""
        assert self._wire is not None
        if not self._wire.is_closing():
            self._wire.write(b"".join(part for message in messages for part in (message, b"\0")))

    async def receive(self) -> bytes:
        """See `Transport.receive`."""
        return await self._received.receive()

    async def close(self) -> None:
        """See `Transport.close`; a pipe has no closing handshake, so messages not written yet are dropped."""
        self._abort(LEFT)
        await self._received.wait_ended()

    # -- asyncio.Protocol ----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._wire = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        start = 0
        while (end := data.find(b"\0", start)) >= 0:
            if not self._fits(end - start):
                return
            # Joined even if it is one part, because that costs nothing.
            self._received.put(b"".join([*self._parts, data[start:end]]))
            self._parts.clear()
            self._size = 0
            start = end + 1
        if start < len(data) and self._fits(len(data) - start, so_far=True):
            self._parts.append(data[start:])
            self._size += len(data) - start

    def connection_lost(self, exc: Exception | None) -> None:
        self._received.end(self._why or _GONE, exc)

    # -- the end -------------------------------------------------------------------------------------------------

    def _fits(self, more: int, *, so_far: bool = False) -> bool:
        size = self._size + more
        if size <= self._max_size:
            return True
        self._abort(too_big(size, self._max_size, so_far=so_far))
        return False

    def _abort(self, why: str) -> None:
        assert self._wire is not None
        self._why = self._why or why
        self._wire.abort()
