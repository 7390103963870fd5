"""The calls that a host carries out, by the driver that waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine
from typing import Any, TypeVar

from supervisor.addons.fleet.errors import DriverSilent

T = TypeVar("T")


class DriverCalls:
    """Ends calls that nobody waits for: Ray does not tell a host that a driver was killed."""

    def __init__(self) -> None:
        self._running: dict[str, set[asyncio.Future[Any]]] = {}
        self._ended: set[asyncio.Future[Any]] = set()

    @property
    def drivers(self) -> tuple[str, ...]:
        """The drivers that wait for calls."""
        return tuple(self._running)

    async def run(self, driver: str, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of a driver's call. Raises `DriverSilent` when the driver is gone meanwhile."""
        call = asyncio.ensure_future(work)
        self._running.setdefault(driver, set()).add(call)
        try:
            return await call
        except asyncio.CancelledError:
            if call in self._ended:
                raise DriverSilent from None
            raise
        finally:
            self._ended.discard(call)
            calls = self._running[driver]
            calls.discard(call)
            if not calls:
                del self._running[driver]

    def end(self, drivers: Collection[str]) -> None:
        """End the calls of drivers that are gone."""
        for driver in drivers:
            calls = self._running.get(driver, set())
            self._ended |= calls
            for call in calls:
                call.cancel()
