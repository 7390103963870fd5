"""A TCP proxy in front of a browser, in a thread of its own, whose connections can be cut, held and counted."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Literal, TypeVar

T = TypeVar("T")

_AT_ONCE = struct.pack("ii", 1, 0)

Cut = Literal["reset", "end", "silence"]
"""RST; FIN; or not a byte more in either direction, while TCP stays up."""


class CuttingProxy:
    """For the length of a `with` block; `port` leads to `to` on this machine. All methods are for any thread.

    `cut_after` bytes towards the client, a connection is reset, in the middle of whatever message that is.
    """

    def __init__(self, to: int) -> None:
        self.to = to
        self.port = 0
        self.dials = 0
        """The number of connections so far, the refused ones included."""
        self.refuses = False
        """New connections are reset at once."""
        self.cut_after: int | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cutting proxy", daemon=True)
        self._server: asyncio.Server | None = None
        self._links: dict[asyncio.Task[None], list[asyncio.StreamWriter]] = {}
        self._silent: set[asyncio.StreamWriter] = set()

    def url(self, address: str) -> str:
        """The address of a browser, with the proxy's port in place of its own."""
        scheme, _, rest = address.partition("://")
        _, _, path = rest.partition("/")
        return f"{scheme}://127.0.0.1:{self.port}/{path}"

    @property
    def open(self) -> int:
        """The number of connections that are relayed now."""
        return len(self._links)

    def cut(self, how: Cut = "reset", *, only: Callable[[int], bool] = lambda number: True) -> int:
        """Cut the connections that are open and whose place in their order is `only`; returns how many that were."""
        return self._do(self._cut(how, only))

    def __enter__(self) -> CuttingProxy:
        self._thread.start()
        self._do(self._listen())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        links = list(self._links)
        for link in links:
            link.cancel()
        await asyncio.gather(*links, return_exceptions=True)
        await self._server.wait_closed()

    async def _cut(self, how: Cut, only: Callable[[int], bool]) -> int:
        chosen = [item for number, item in enumerate(self._links.items()) if only(number)]
        for link, writers in chosen:
            if how == "silence":
                self._silent.update(writers)
                continue
            if how == "reset":
                for writer in writers:
                    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            link.cancel()
        return len(chosen)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.dials += 1
        task = asyncio.current_task()
        assert task is not None
        if self.refuses:
            writer.transport.abort()
            return
        writers = [writer]
        try:
            onward, back = await asyncio.open_connection("127.0.0.1", self.to, limit=2**20)
            writers.append(back)
            self._links[task] = writers
            await asyncio.gather(self._pour(reader, back, None), self._pour(onward, writer, self.cut_after))
        except (OSError, asyncio.CancelledError):
            pass  # whichever side it was, both end
        finally:
            self._links.pop(task, None)
            for stream in writers:
                self._silent.discard(stream)
                stream.transport.abort()

    async def _pour(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: int | None) -> None:
        while data := await reader.read(2**16):
            if writer in self._silent:
                continue
            if budget is not None:
                data, budget = data[:budget], budget - len(data)
            writer.write(data)
            await writer.drain()
            if budget is not None and budget < 0:
                raise ConnectionAbortedError
        raise ConnectionAbortedError  # one side has ended: so does the other
