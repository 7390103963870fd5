"""A websocket peer byte by byte: it says what a real one never would."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re

from tests.support.servers.listeners import Handler

TEXT, BINARY, CONT, CLOSE, PING, PONG = 0x1, 0x2, 0x0, 0x8, 0x9, 0xA


def frame(opcode: int, data: bytes, *, fin: bool = True) -> bytes:
    length = bytes([len(data)]) if len(data) < 126 else bytes([126]) + len(data).to_bytes(2, "big")
    return bytes([(0x80 if fin else 0) | opcode]) + length + data


async def read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The opcode and the payload of the next frame of a client, of at most 125 bytes."""
    kind, size = await reader.readexactly(2)
    mask = await reader.readexactly(4)
    payload = await reader.readexactly(size & 0x7F)
    return kind & 0x0F, bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def upgraded(then: Handler, *, together: bytes = b"") -> Handler:
    """A raw peer: answers the upgrade as it should, `together` with more, then does what the test says."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = re.search(r"Sec-WebSocket-Key: (\S+)", head)
        assert key is not None
        accept = base64.b64encode(hashlib.sha1(f"{key[1]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest())
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + together
        )
        await then(reader, writer)

    return answer


def says(*frames: bytes) -> Handler:
    """A raw peer that sends these bytes and keeps the TCP connection for ever."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"".join(frames))
        while await reader.read(65536):
            pass
        await asyncio.Event().wait()

    return upgraded(say)
