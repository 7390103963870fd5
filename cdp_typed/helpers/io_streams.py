"""`read_stream` and `stream_chunks`: content that the browser sends as a stream, such as a trace or a PDF."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import BinaryIO, overload

from cdp_typed.client.connection import Connection
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.protocol import io


@overload
async def read_stream(tab: Session | Connection, handle: str, *, timeout: Timeout = DEFAULT) -> bytes: ...
@overload
async def read_stream(tab: Session | Connection, handle: str, *, to: str | Path, timeout: Timeout = DEFAULT) -> int: ...
async def read_stream(
    tab: Session | Connection, handle: str, *, to: str | Path | None = None, timeout: Timeout = DEFAULT
) -> bytes | int:
    """Return the content of a stream of the browser, and close the stream (`IO.read`, `IO.close`).

    `handle` comes from `Tracing.tracingComplete`, `Page.printToPDF` or `Fetch.takeResponseBodyAsStream`; read it on the
    session that received it. With `to`, the content is written to that file as it arrives, and the number of bytes is
    returned; an incomplete file is removed. `timeout` is the deadline of each read. Raises as `send` does, and
    `OSError` for the file; the stream is closed in these cases, too.
    """
    size = 0
    if to is None:
        content = bytearray()
        async for chunk in stream_chunks(tab, handle, timeout=timeout):
            content += chunk
        return bytes(content)
    try:
        with _opened(to) as file:
            async for chunk in stream_chunks(tab, handle, timeout=timeout):
                size += file.write(chunk)
    except BaseException:
        _remove(to)
        raise
    return size


async def stream_chunks(
    tab: Session | Connection, handle: str, *, size: int | None = None, timeout: Timeout = DEFAULT
) -> AsyncGenerator[bytes]:
    """Yield the content of a stream of the browser, piece by piece, and close the stream: see `read_stream`.

    `size` is the largest number of bytes in a piece; without it, the browser decides.
    """
    stream = io.StreamHandle(handle)
    try:
        while True:
            piece = await tab.send(io.Read(handle=stream, size=size), timeout=timeout)
            if piece.data:
                yield b64decode(piece.data) if piece.base64_encoded else piece.data.encode()
            if piece.eof:
                return
    finally:
        _ = tab.send_nowait(io.Close(handle=stream))  # not waited for: it must not mask an error of the reading


def _opened(path: str | Path) -> BinaryIO:
    return Path(path).open("wb")


def _remove(path: str | Path) -> None:
    Path(path).unlink(missing_ok=True)
