"""Servers on loopback that say exactly what a test wants, byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(handler: Handler) -> AsyncGenerator[int]:
    """A TCP server on 127.0.0.1 for the length of a block; gives its port. Every connection is cut at the end."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await handler(reader, writer)
        except (ConnectionError, EOFError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()
            tasks.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        port: int = server.sockets[0].getsockname()[1]
        yield port
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await server.wait_closed()


def http_answer(status: int, body: str, *headers: str) -> Handler:
    """Answers any request with this status, these header lines and this body, then hangs up."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}", *headers]
        writer.write("\r\n".join([*lines, "", body]).encode())
        await writer.drain()

    return answer
