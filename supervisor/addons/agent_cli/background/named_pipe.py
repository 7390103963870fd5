"""The named pipe of a session on Windows, and the file that tells clients of this user how to reach it."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

Client = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_HELLO_S = 10.0


class NamedPipe:
    """A pipe with a name by chance, which `close` takes away. Each client gets an end of it.

    By the default of Windows other users can read from a pipe, but only this one and administrators can write to it.
    A client must know the first secret of the file, and the answer to it is the second: see `cdp_agent.PipeWire`.
    """

    def __init__(self, client: Client, limit: int) -> None:
        self._client = client
        self._limit = limit
        self._asked, self._answer = (secrets.token_hex(16).encode() for _ in range(2))
        self._servers: list[Any] = []

    async def serve(self, path: Path) -> None:
        """Begin to listen, then write the file. Raises `OSError`."""
        name = rf"\\.\pipe\cdp-agent-{secrets.token_hex(16)}"
        loop: Any = asyncio.get_running_loop()  # the Proactor loop, which only Windows has
        self._servers = await loop.start_serving_pipe(self._protocol, name)
        unfinished = path.with_suffix(".new")
        unfinished.write_text(f"{name} {self._asked.decode()} {self._answer.decode()}\n", encoding="utf-8")
        unfinished.replace(path)

    def close(self) -> None:
        """Listen no longer; clients that are connected stay so."""
        for server in self._servers:
            server.close()

    def _protocol(self) -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=self._limit), self._begin)

    async def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await self._is_known(reader, writer):
            await self._client(reader, writer)
        else:
            writer.close()

    async def _is_known(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        with contextlib.suppress(OSError, TimeoutError, ValueError):  # it has gone, or is none
            async with asyncio.timeout(_HELLO_S):
                if hmac.compare_digest((await reader.readline()).rstrip(b"\n"), self._asked):
                    writer.write(self._answer)
                    await writer.drain()
                    return True
        return False
