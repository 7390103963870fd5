"""The live views of a host's tasks: each served on loopback, and reached through calls that carry the bytes."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from supervisor.addons.fleet.errors import FleetError, NoSuchTunnel, TooManyTunnels
from supervisor.addons.fleet.values import Placement
from supervisor.aio import AsyncSupervisor
from supervisor.declarations import offered

LEASE_S = 6.0
"""Seconds after which an unused tunnel ends, because the program that opened it was probably killed."""
POLL_S = 5.0
"""Seconds that a read waits for bytes."""
CHUNK = 2**18
"""Most bytes of one read."""
ENDING_S = 3.0
"""Seconds for which viewers may still receive why their view ends."""
LEFT = "the task is not at its place any more"
REMEMBERED = 64
"""So many ended tunnels of which the reason is known."""
TUNNELS, CONNECTIONS = 8, 32
"""Most tunnels of a host, and most connections of a tunnel."""


class _Connection:
    """A connection of a viewer to the view's server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.read_out: asyncio.Event = asyncio.Event()
        """The viewer has received all, or has gone."""


class _Tunnel:
    """One live view, and the connections to it."""

    def __init__(self, placement: Placement, supervisor: Callable[[], AsyncSupervisor | None], token: str) -> None:
        self.placement = placement
        self.used_at: float = time.monotonic()
        self.connections: dict[str, _Connection] = {}
        self.port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.is_ending: bool = False
        self._view: Any = None
        self._end = asyncio.Event()
        self._serving = asyncio.create_task(self._serve(supervisor, token))

    async def _serve(self, supervisor: Callable[[], AsyncSupervisor | None], token: str) -> None:
        try:
            live = offered("live")
            self._view = live.LiveView(supervisor)
            async with live.serve_live(self._view, live.Address(token=token)) as address:
                url: str = address
                self.port.set_result(urlsplit(url).port or 0)
                await self._end.wait()
                await self._hang_up()
        except Exception as error:
            if self.port.done():
                raise
            self.port.set_exception(error)

    async def say_end(self, reason: str) -> None:
        """Tell the viewers why the view ends, and wait until they have received it."""
        self.is_ending = True
        if self._view is None:  # it could not be served
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_S):
                await self._view.end(reason)
                await asyncio.gather(*(tunnelled.read_out.wait() for tunnelled in self.connections.values()))

    async def close(self) -> None:
        """End the connections and the server."""
        self._end.set()
        await asyncio.wait([self._serving])

    async def disconnect(self, connection: str) -> None:
        """Close a connection."""
        if (streams := self.connections.pop(connection, None)) is not None:
            streams.read_out.set()
            streams.writer.close()
            with suppress(OSError):
                await streams.writer.wait_closed()

    async def _hang_up(self) -> None:
        for connection in tuple(self.connections):
            await self.disconnect(connection)


class LiveTunnels:
    """The live views that somebody watches. Used on the shared loop thread."""

    def __init__(self) -> None:
        self._tunnels: dict[str, _Tunnel] = {}
        self._reasons: dict[str, str] = {}
        """By id of a tunnel that has ended: why."""

    def __len__(self) -> int:
        return len(self._tunnels)

    async def open(self, placement: Placement, supervisor: Callable[[], AsyncSupervisor | None], token: str) -> str:
        """Serve the live view of a task; the id of a tunnel to it. Raises `TooManyTunnels` and `FleetError`."""
        if len(self._tunnels) >= TUNNELS:
            raise TooManyTunnels(TUNNELS)
        try:
            await asyncio.to_thread(lambda: offered("live").LiveView)
        except ModuleNotFoundError as missing:
            text = f"the live view needs {missing.name} on the machine of the host: pip install 'cdp-typed[mcp]'"
            raise FleetError(text) from None
        tunnel_id = secrets.token_hex(16)
        tunnel = self._tunnels[tunnel_id] = _Tunnel(placement, supervisor, token)
        await asyncio.shield(tunnel.port)
        return tunnel_id

    async def keep(self, tunnel_id: str) -> None:
        """Renew the lease of a tunnel. Raises `NoSuchTunnel`, as do the methods below."""
        self._used(tunnel_id)

    async def connect(self, tunnel_id: str) -> str:
        """Open a connection to the view; its id. Raises `TooManyTunnels`, too."""
        tunnel = self._used(tunnel_id)
        if len(tunnel.connections) >= CONNECTIONS:
            raise TooManyTunnels(CONNECTIONS)
        connection = secrets.token_hex(8)
        streams = await asyncio.open_connection("127.0.0.1", tunnel.port.result(), limit=CHUNK)
        tunnel.connections[connection] = _Connection(*streams)
        return connection

    async def read(self, tunnel_id: str, connection: str) -> bytes | None:
        """Return the received bytes: empty after a wait without any, None at the end of the connection."""
        streams = self._used(tunnel_id).connections.get(connection)
        if streams is None:
            return None
        data = None
        try:
            async with asyncio.timeout(POLL_S):
                data = await streams.reader.read(CHUNK) or None
        except TimeoutError:
            return b""
        except OSError:
            pass
        if data is None:
            streams.read_out.set()
        return data

    async def write(self, tunnel_id: str, connection: str, data: bytes) -> None:
        """Send bytes to the view, as fast as it takes them."""
        streams = self._used(tunnel_id).connections.get(connection)
        if streams is not None:
            with suppress(OSError):
                streams.writer.write(data)
                await streams.writer.drain()

    async def disconnect(self, tunnel_id: str, connection: str) -> None:
        """Close a connection."""
        await self._used(tunnel_id).disconnect(connection)

    async def close(self, tunnel_id: str, reason: str = "") -> None:
        """End a tunnel. Does nothing for one that has ended."""
        if (tunnel := self._tunnels.pop(tunnel_id, None)) is not None:
            self._reasons[tunnel_id] = reason
            for old in list(self._reasons)[:-REMEMBERED]:
                del self._reasons[old]
            await tunnel.close()

    async def end(self, placement: Placement, reason: str) -> None:
        """End the tunnels to a task that ends here. Their viewers learn why, also a person who is in control."""

        async def end(tunnel_id: str, tunnel: _Tunnel) -> None:
            await tunnel.say_end(reason)
            await self.close(tunnel_id, reason)

        tunnels = [item for item in self._tunnels.items() if item[1].placement == placement and not item[1].is_ending]
        await asyncio.gather(*(end(*item) for item in tunnels))

    async def sweep(self, running: Collection[Placement]) -> None:
        """End the tunnels whose lease is over, and those that were opened while their task ended."""
        now = time.monotonic()
        unused = [tunnel_id for tunnel_id, tunnel in self._tunnels.items() if now - tunnel.used_at > LEASE_S]
        left = {tunnel.placement for tunnel in self._tunnels.values()} - set(running)
        await asyncio.gather(*map(self.close, unused), *(self.end(placement, LEFT) for placement in left))

    def _used(self, tunnel_id: str) -> _Tunnel:
        tunnel = self._tunnels.get(tunnel_id)
        if tunnel is None:
            raise NoSuchTunnel(self._reasons.get(tunnel_id, ""))
        tunnel.used_at = time.monotonic()
        return tunnel
