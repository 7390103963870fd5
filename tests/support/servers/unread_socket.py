"""A websocket client that reads the server's handshake and nothing after it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from websockets.frames import Frame, Opcode


class UnreadWebSocket:
    """Sends messages, and leaves unread what the server sends: to the server it is a client that has vanished."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def send(self, text: str) -> None:
        """Send a text message."""
        self._writer.write(Frame(Opcode.TEXT, text.encode()).serialize(mask=True))


@asynccontextmanager
async def unread_websocket(url: str, path: str = "/", protocols: Iterable[str] = ()) -> AsyncGenerator[UnreadWebSocket]:
    """Connect to an `http` URL; the socket stays open for the length of the block."""
    address = urlsplit(url)
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # little is lost in its buffer
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, (address.hostname, address.port))
        reader, writer = await asyncio.open_connection(sock=sock)
        names = ", ".join(protocols)
        head = [
            f"GET {path} HTTP/1.1",
            f"Host: {address.netloc}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            *([f"Sec-WebSocket-Protocol: {names}"] if names else []),
        ]
        writer.write("\r\n".join([*head, "", ""]).encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        try:
            yield UnreadWebSocket(writer)
        finally:
            writer.transport.abort()
