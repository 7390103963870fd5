"""`read_stream`: what the browser hands out as a stream, such as a trace or a PDF."""

from __future__ import annotations

from base64 import b64decode

from cdp_typed.client.connection import Connection
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.protocol import io


async def read_stream(tab: Session | Connection, handle: str, *, timeout: Timeout = DEFAULT) -> bytes:
    """Return what is in a stream of the browser, and close it (`IO.read`, `IO.close`).

    `handle` is what `Tracing.tracingComplete`, `Page.printToPDF` or `Fetch.takeResponseBodyAsStream` gave; read it on
    the session that got it. `timeout` is the deadline of each read. Raises as `send` does; the stream is closed then,
    too.
    """
    stream = io.StreamHandle(handle)
    pieces: list[bytes] = []
    try:
        while True:
            piece = await tab.send(io.Read(handle=stream), timeout=timeout)
            pieces.append(b64decode(piece.data) if piece.base64_encoded else piece.data.encode())
            if piece.eof:
                return b"".join(pieces)
    finally:
        _ = tab.send_nowait(io.Close(handle=stream))  # not waited for: it must not mask an error of the reading
