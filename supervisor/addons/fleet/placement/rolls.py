"""The replacement of all hosts by new ones, without a moment in which the fleet has less room than before."""

from __future__ import annotations

import asyncio

from supervisor.addons.fleet.errors import RollStopped

from .drains import Drains
from .host_clients import HostLinks
from .placements import Placements

TRIES = 3
"""Starts that may fail one after the other before a roll stops."""
PAUSE_S = 2.0
"""Seconds between them."""
START_S = 180.0
"""Seconds that a new host has to serve: a node may have to be started for it."""
LOOK_S = 0.1


class Roll:
    """Starts a new host, waits until it serves, and only then drains an old one."""

    def __init__(self, placements: Placements, drains: Drains, hosts: HostLinks) -> None:
        self._placements = placements
        self._drains = drains
        self._hosts = hosts

    async def run(self, within_s: float | None = None) -> int:
        """Replace every serving host, one after the other. Returns their number. Raises `RollStopped`."""
        old = [entry.host_id for entry in self._placements.hosts.values() if entry.state == "serving"]
        for replaced, host_id in enumerate(old):
            problem = await self._start()
            if problem:
                raise RollStopped(replaced, len(old), problem)
            self._drains.drain(host_id, within_s)
            while host_id in self._placements.hosts:  # noqa: ASYNC110 - no event
                await asyncio.sleep(LOOK_S)
        return len(old)

    async def _start(self) -> str:
        """Start a host. Returns why none serves, or an empty text."""
        for attempt in range(TRIES):
            if attempt:
                await asyncio.sleep(PAUSE_S)
            host_id = self._hosts.start()
            try:
                async with asyncio.timeout(START_S):
                    if await self._serves(host_id):
                        return ""
            except TimeoutError:
                await self._hosts.end(host_id)
                return f"the new host did not start within {START_S:g} s; the cluster needs room for one more host"
        return f"{TRIES} new hosts did not start: {self._hosts.starts.error}"

    async def _serves(self, host_id: str) -> bool:
        while (entry := self._placements.hosts.get(host_id)) is not None:
            if entry.state == "serving":
                return True
            await asyncio.sleep(LOOK_S)
        return False
