"""The live views of a host's tasks: each served on loopback, and reached through calls that carry the bytes."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection
from contextlib import suppress
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
TUNNELS, CONNECTIONS = 8, 32
"""Most tunnels of a host, and most connections of a tunnel."""


class _Tunnel:
    """One live view, and the connections to it."""

    def __init__(self, placement: Placement, supervisor: Callable[[], AsyncSupervisor | None], token: str) -> None:
        self.placement = placement
        self.used_at: float = time.monotonic()
        self.connections: dict[str, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = {}
        self.port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._end = asyncio.Event()
        self._serving = asyncio.create_task(self._serve(supervisor, token))

    async def _serve(self, supervisor: Callable[[], AsyncSupervisor | None], token: str) -> None:
        try:
            live = offered("live")
            async with live.serve_live(live.LiveView(supervisor), live.Address(token=token)) as address:
                url: str = address
                self.port.set_result(urlsplit(url).port or 0)
                await self._end.wait()
                await self._hang_up()
        except Exception as error:
            if self.port.done():
                raise
            self.port.set_exception(error)

    async def close(self) -> None:
        """End the connections and the server."""
        self._end.set()
        await asyncio.wait([self._serving])

    async def disconnect(self, connection: str) -> None:
        """Close a connection."""
        if (streams := self.connections.pop(connection, None)) is not None:
            streams[1].close()
            with suppress(OSError):
                await streams[1].wait_closed()

    async def _hang_up(self) -> None:
        for connection in tuple(self.connections):
            await self.disconnect(connection)


class LiveTunnels:
    """The live views that somebody watches. Used on the shared loop thread."""

    def __init__(self) -> None:
        self._tunnels: dict[str, _Tunnel] = {}

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
        tunnel.connections[connection] = streams
        return connection

    async def read(self, tunnel_id: str, connection: str) -> bytes | None:
        """Return the received bytes: empty after a wait without any, None at the end of the connection."""
        streams = self._used(tunnel_id).connections.get(connection)
        if streams is None:
            return None
        try:
            async with asyncio.timeout(POLL_S):
                return await streams[0].read(CHUNK) or None
        except TimeoutError:
            return b""
        except OSError:
            return None

    async def write(self, tunnel_id: str, connection: str, data: bytes) -> None:
        """Send bytes to the view, as fast as it takes them."""
        streams = self._used(tunnel_id).connections.get(connection)
        if streams is not None:
            with suppress(OSError):
                streams[1].write(data)
                await streams[1].drain()

    async def disconnect(self, tunnel_id: str, connection: str) -> None:
        """Close a connection."""
        await self._used(tunnel_id).disconnect(connection)

    async def close(self, tunnel_id: str) -> None:
        """End a tunnel. Does nothing for one that has ended."""
        if (tunnel := self._tunnels.pop(tunnel_id, None)) is not None:
            await tunnel.close()

    async def sweep(self, running: Collection[Placement]) -> None:
        """End the tunnels of tasks that have left this host, and the tunnels whose lease is over."""
        now = time.monotonic()
        ended = [
            tunnel_id
            for tunnel_id, tunnel in self._tunnels.items()
            if tunnel.placement not in running or now - tunnel.used_at > LEASE_S
        ]
        await asyncio.gather(*map(self.close, ended))

    def _used(self, tunnel_id: str) -> _Tunnel:
        tunnel = self._tunnels.get(tunnel_id)
        if tunnel is None:
            raise NoSuchTunnel
        tunnel.used_at = time.monotonic()
        return tunnel
