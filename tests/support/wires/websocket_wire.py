"""A websocket to a test's server, and the error with which its messages end."""

from __future__ import annotations

from cdp_typed.transport import TransportClosed
from cdp_typed.transport.websocket import WebSocketTransport, open_websocket
from tests.support.secrets import CANARY

NEW_V8 = "15.6.75.27"
"""The version of V8 in a browser that answers pings."""


async def open_wire(
    port: int, *, max_size: int = 2**20, ping_interval: float | None = 10, v8_version: str = NEW_V8
) -> WebSocketTransport:
    """Connect to the server at this port."""
    return await open_websocket(
        f"ws://127.0.0.1:{port}/devtools?token={CANARY}",
        open_timeout=5,
        max_size=max_size,
        ping_interval=ping_interval,
        v8_version=v8_version,
    )


async def first_error(wire: WebSocketTransport) -> TransportClosed:
    """Receive until the end of the connection, and return its error."""
    try:
        while True:
            await wire.receive()
    except TransportClosed as closed:
        return closed
