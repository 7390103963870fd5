"""The methods of `Fleet` that ask its directory or its hosts, to be awaited."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cdp_typed.loop_thread import HANDLER_LOOP

from .fetching import fetch_recordings, recordings_of
from .live_forwarding import LiveTunnel, open_tunnel
from .on_ray.router import TaskRouter
from .values import FleetStatus, RecordingInfo, TaskStatus


class AsyncFleet:
    """A fleet for programs with an event loop, as `Fleet.aio`. Each method has the results and errors of the one of
    `Fleet` with its name, and works on any loop."""

    def __init__(self, router: TaskRouter) -> None:
        self._router = router

    async def status(self) -> FleetStatus:
        """See `Fleet.status`."""
        status: FleetStatus = await self._ask("status")
        return status

    async def tasks(self) -> tuple[TaskStatus, ...]:
        """See `Fleet.tasks`."""
        tasks: tuple[TaskStatus, ...] = await self._ask("tasks")
        return tasks

    async def end_task(self, task_id: str) -> None:
        """See `Fleet.end_task`."""
        await HANDLER_LOOP.hop(self._router.end_task(task_id))

    async def drain(self, which: str, within_s: float | None = None) -> int:
        """See `Fleet.drain`."""
        hosts: int = await self._ask("drain", which, within_s)
        return hosts

    async def undrain(self, which: str) -> int:
        """See `Fleet.undrain`."""
        lifted: int = await self._ask("undrain", which)
        return lifted

    async def roll(self, within_s: float | None = None) -> int:
        """See `Fleet.roll`."""
        hosts: int = await self._ask("roll", within_s)
        return hosts

    async def recordings(self, task_id: str) -> tuple[RecordingInfo, ...]:
        """See `Fleet.recordings`."""
        found = await HANDLER_LOOP.hop(recordings_of(self._router, task_id))
        return tuple(recording for recording, _ in found)

    async def fetch_recordings(self, task_id: str, folder: str | Path) -> tuple[Path, ...]:
        """See `Fleet.fetch_recordings`."""
        return await HANDLER_LOOP.hop(fetch_recordings(self._router, task_id, Path(folder)))

    @asynccontextmanager
    async def live(self, task_id: str, *, token: str | None = None, port: int = 0) -> AsyncGenerator[LiveTunnel]:
        """See `Fleet.live`."""
        tunnel = await HANDLER_LOOP.hop(open_tunnel(self._router, task_id, token, port))
        try:
            yield tunnel
        finally:
            await HANDLER_LOOP.hop(tunnel.close())

    async def _ask(self, method: str, *args: Any) -> Any:
        return await HANDLER_LOOP.hop(self._router.ask(method, *args))
