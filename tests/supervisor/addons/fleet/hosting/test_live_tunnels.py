"""The live views that a host serves."""

from __future__ import annotations

import asyncio

import pytest

from supervisor.addons import live
from supervisor.addons.fleet.errors import NoSuchTunnel
from supervisor.addons.fleet.hosting.live_tunnels import LiveTunnels
from supervisor.addons.fleet.values import Placement


async def test_a_view_that_cannot_be_served_is_told_to_whoever_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(live, "serve_live", serve)

    with pytest.raises(ZeroDivisionError):
        await LiveTunnels().open(Placement("t1", "h1", 1), lambda: None, "token")


LOOKS = (
    "GET /feed HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    f"Sec-WebSocket-Protocol: cdp-live, token.{b'token'.hex()}\r\n\r\n"
)


async def test_who_looks_learns_why_the_task_has_gone() -> None:
    tunnels, here, reason = LiveTunnels(), Placement("t1", "h1", 1), "its host is drained"
    tunnel = await tunnels.open(here, lambda: None, "token")
    other = await tunnels.open(Placement("t2", "h1", 2), lambda: None, "token")
    looking = await tunnels.connect(tunnel)
    await tunnels.write(tunnel, looking, LOOKS.encode())
    received = b""
    while b"tabs" not in received:
        received += await tunnels.read(tunnel, looking) or b""

    ending = asyncio.create_task(tunnels.end(here, reason))
    while (data := await tunnels.read(tunnel, looking)) is not None:
        received += data
    await ending

    assert f"This view has ended: {reason}.".encode() in received
    with pytest.raises(NoSuchTunnel) as ended:
        await tunnels.keep(tunnel)
    assert ended.value.reason == reason
    await tunnels.close(other)
    assert not tunnels
