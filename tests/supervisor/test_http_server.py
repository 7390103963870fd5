"""The server of websockets notices a client that has vanished, whatever is still to be sent to it."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from supervisor import http_server
from supervisor.http_server import Address, serving
from tests.support.servers.unread_socket import unread_websocket

PIECE = b"x" * 2**20
MORE_THAN_BUFFERS_HOLD = 64
"""Pieces; Linux buffers 4 MiB for a sender."""


async def test_a_client_that_stops_reading_is_gone_after_its_ping_although_data_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_server, "PING_INTERVAL_S", 0.5)
    monkeypatch.setattr(http_server, "PING_TIMEOUT_S", 0.5)
    ends: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def flood(socket: WebSocket) -> None:
        await socket.accept()
        sending = asyncio.create_task(_send(socket))
        try:
            await socket.receive_text()
        except WebSocketDisconnect:
            ends.set_result("disconnected")
        await asyncio.wait([sending])

    app = Starlette(routes=[WebSocketRoute("/", flood)])
    async with serving(app, Address(token="unused")) as url, unread_websocket(url):
        assert await asyncio.wait_for(ends, 20) == "disconnected"


async def _send(socket: WebSocket) -> None:
    try:
        for _ in range(MORE_THAN_BUFFERS_HOLD):
            await socket.send_bytes(PIECE)
    except (WebSocketDisconnect, RuntimeError):
        return
