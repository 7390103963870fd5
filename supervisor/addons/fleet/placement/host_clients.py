"""The hosts of a fleet: a directory starts them, follows each until it ends, and takes over those of an earlier one."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from supervisor.addons.fleet.errors import HostLost
from supervisor.addons.fleet.instruments import Instruments
from supervisor.addons.fleet.values import HostReport, Placement

from .clients import HostClient, HostLauncher
from .drains import Drains
from .endings import ENDED, Endings
from .handover import Handover
from .placements import Placements

_log = logging.getLogger("supervisor.fleet")

TICK_S = 0.5
HOST_REPLY_S = 15.0
"""Seconds that a host has to accept a task."""
RECOVERY_S = 15.0
"""Seconds that a restarted directory waits for an earlier host, before it gives the host up."""
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
_LONGEST_REASON = 300


class Starts:
    """The hosts that a directory has started and that do not serve yet. After a failed start it lets hosts start only
    one by one, each after a longer pause."""

    def __init__(self) -> None:
        self.error: str = ""
        """Why the last start failed; empty when a host has started since."""
        self._errors: dict[str, str] = {}
        """By id of the host: what it reported before it ended."""
        self._failures = 0
        """Since the last host that started."""
        self._next_at = 0.0

    def begin(self, host_id: str) -> None:
        """Record that a host starts."""
        self._errors[host_id] = ""

    def note(self, host_id: str, error: Exception) -> None:
        """Record what a host reports of its failed start, before it ends."""
        self._errors[host_id] = visible(" ".join(str(error).split()))[:_LONGEST_REASON]

    def succeed(self, host_id: str) -> None:
        """Record that a host serves."""
        self._errors.pop(host_id, None)
        self.error, self._failures, self._next_at = "", 0, 0.0

    def forget(self, host_id: str) -> None:
        """Record that the directory asked a host to end."""
        self._errors.pop(host_id, None)

    def end(self, host_id: str, reason: str, now: float) -> bool:
        """Record that a host has ended. Returns whether that was a failed start."""
        reported = self._errors.pop(host_id, None)
        if reported is None:
            return False
        self.error = reported or reason
        self._next_at = now + min(FIRST_PAUSE_S * 2**self._failures, LONGEST_PAUSE_S)
        self._failures += 1
        return True

    def allowed(self, wanted: int, now: float) -> int:
        """How many of the wanted hosts may start now."""
        if not self._failures:
            return wanted
        return 0 if self._errors or now < self._next_at else min(wanted, 1)


class HostLinks:
    """The links to the hosts, by their ids. A host that is being given up has none."""

    def __init__(
        self,
        engine: HostLauncher,
        placements: Placements,
        handover: Handover,
        drains: Drains,
        instruments: Instruments,
        spawn: Callable[[Coroutine[Any, Any, object]], None],
        settle: Callable[[], None],
    ) -> None:
        self.endings: Endings = Endings(placements, handover)
        self.starts: Starts = Starts()
        self._engine = engine
        self._placements = placements
        self._handover = handover
        self._drains = drains
        self._instruments = instruments
        self._spawn = spawn
        self._settle = settle
        """Called when there is more room, or less."""
        self._links: dict[str, HostClient] = {}

    def get(self, host_id: str) -> HostClient | None:
        """Return the link to a host that has not ended."""
        return self._links.get(host_id)

    async def take_over(self) -> None:
        """Take over the hosts of an earlier directory, and give up those that have ended meanwhile."""
        found = await self._engine.hosts()
        for host_id in self._placements.hosts.keys() - found.keys():
            self._spawn(self.endings.give_up(host_id, ENDED))
        await asyncio.gather(*(self._recover(host_id, link) for host_id, link in found.items()))

    def start(self) -> str:
        """Start a host, and return its id."""
        self._handover.count(hosts_made=1)
        host_id = f"host-{self._handover.counts.hosts_made}-{secrets.token_hex(3)}"
        self._placements.add(host_id, time.monotonic())
        self.starts.begin(host_id)
        link = self._links[host_id] = self._engine.start_host(host_id, self._drains.nodes)
        self._spawn(self._watch(host_id, link))
        self._spawn(self._begin(host_id, link))
        return host_id

    async def _begin(self, host_id: str, link: HostClient) -> None:
        """Wait until a host can take tasks."""
        report = await self._begun(host_id, link)
        if report is not None and host_id in self._placements.hosts:
            self.starts.succeed(host_id)
            self._placements.serve(report, time.monotonic())
            self._settle()

    async def _begun(self, host_id: str, link: HostClient) -> HostReport | None:
        """Start a host, and end it when it cannot start."""
        try:
            return await link.begin()
        except HostLost:  # its watch tells
            return None
        except CDPError as error:
            _log.error("the host %s cannot take tasks: %s", host_id, error)
            self.starts.note(host_id, error)
            await link.stop()
            return None

    async def _watch(self, host_id: str, link: HostClient) -> None:
        end = await link.wait_ended()
        self._links.pop(host_id, None)
        if self.starts.end(host_id, end.reason, time.monotonic()):
            self._handover.count(failed_starts=1)
            self._instruments.note_failed_start()
        entry = self._placements.hosts.get(host_id)
        if end.is_certain or entry is None or not entry.tasks:
            await self.endings.drop(host_id, end.reason)
        else:
            await self.endings.give_up(host_id, end.reason)
        self._settle()

    async def _recover(self, host_id: str, link: HostClient) -> None:
        """Take over a host of an earlier directory. A host that stays silent is given up."""
        if host_id not in self._placements.hosts:
            self._placements.add(host_id, time.monotonic())
        self._links[host_id] = link
        self._spawn(self._watch(host_id, link))
        with suppress(TimeoutError):
            async with asyncio.timeout(RECOVERY_S):
                while host_id in self._links:  # else its watch has told that it ended
                    with suppress(HostLost):  # that is not certain: it may be out of reach for a moment
                        report = await link.report()
                        if host_id in self._links:
                            self.endings.take_over(report)
                            self._spawn(self._begun(host_id, link))  # nobody may have told it to
                        return
                    await asyncio.sleep(TICK_S / 5)
                return
        self._spawn(self.endings.give_up(host_id, "it was silent", link))

    async def withdraw(self, placement: Placement, reason: str) -> None:
        """Withdraw a placement once it is certain that its host does not run the task and will not start it."""
        while placement.host_id in self._placements.hosts:
            link = self._links.get(placement.host_id)
            if link is None:  # it is being given up
                await asyncio.sleep(TICK_S)
                continue
            try:
                async with asyncio.timeout(HOST_REPLY_S):
                    await link.end_task(placement, reason)
                break
            except (HostLost, TimeoutError):
                await asyncio.sleep(TICK_S)
        self._placements.release(placement, time.monotonic())

    async def end(self, host_id: str) -> None:
        """End a host that has no task."""
        link = self._links.get(host_id)
        entry = self._placements.hosts.get(host_id)
        if link is not None and entry is not None and not entry.tasks:
            self.starts.forget(host_id)
            self._placements.drain(host_id, "it had nothing to do", time.monotonic(), time.monotonic())
            with suppress(HostLost):
                await link.stop()

    async def stop(self) -> None:
        """End all hosts."""
        links, self._links = self._links, {}
        await asyncio.gather(*(link.stop() for link in links.values()), return_exceptions=True)
