"""A TCP relay that delays every byte, in both directions."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import urlsplit

from cdp_typed.loop_thread import LoopThread


@contextmanager
def relay(url: str, delay_s: float) -> Generator[str]:
    """Run a relay to the server at `url` on its own thread, for the length of a block; yield its address."""
    address = urlsplit(url)
    loop = LoopThread()
    loop.acquire()
    server = loop.run(_listen(str(address.hostname), address.port or 80, delay_s))
    port = server.sockets[0].getsockname()[1]
    try:
        yield address._replace(netloc=f"127.0.0.1:{port}").geturl()
    finally:
        loop.run(_close(server))
        loop.release()


async def _listen(host: str, port: int, delay_s: float) -> asyncio.Server:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A TCP handshake over a line with this delay takes a round trip before the first byte.
        await asyncio.sleep(2 * delay_s)
        there, back = await asyncio.open_connection(host, port)
        await asyncio.gather(_pass(reader, back, delay_s), _pass(there, writer, delay_s))

    return await asyncio.start_server(serve, "127.0.0.1", 0)


async def _close(server: asyncio.Server) -> None:
    server.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay_s: float) -> None:
    loop = asyncio.get_running_loop()
    while data := await reader.read(2**16):
        loop.call_later(delay_s, writer.write, data)  # each chunk has its own timer: the delay does not add up
    loop.call_later(delay_s, writer.close)
