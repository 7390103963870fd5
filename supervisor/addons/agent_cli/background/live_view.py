"""The live view of a session, which is served once somebody has asked for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from supervisor.aio import AsyncSupervisor
from supervisor.cli.live_views import live_view_class, serving_live
from supervisor.tools.handlers.handler_calls import RunningCall


class SessionView:
    """Serves the view of a session, and lists it among the live views of this user, until it is closed."""

    def __init__(
        self, name: str, supervisor: Callable[[], AsyncSupervisor | None], tools: Callable[[], Iterable[RunningCall]]
    ) -> None:
        self._name = name
        self._supervisor = supervisor
        self._tools = tools
        self._serving: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Return once it is served; at once when it is already. Raises `UsageError` without the packages for it."""
        if self._serving is not None and not self._serving.done():
            return
        is_ready = asyncio.Event()
        serving = self._serving = asyncio.create_task(self._serve(is_ready))
        ready = asyncio.create_task(is_ready.wait())
        await asyncio.wait([serving, ready], return_when=asyncio.FIRST_COMPLETED)
        if not is_ready.is_set():
            ready.cancel()
            await serving

    async def close(self) -> None:
        """End it."""
        serving, self._serving = self._serving, None
        if serving is not None:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving

    async def _serve(self, is_ready: asyncio.Event) -> None:
        view = live_view_class()(self._supervisor, tools=self._tools)
        async with serving_live(view, 0, self._name):
            is_ready.set()
            await asyncio.get_running_loop().create_future()
