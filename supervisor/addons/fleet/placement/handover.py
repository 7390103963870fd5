"""The handover from one directory to the next: its lease and its ledger."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection

from msgspec.structs import replace

from supervisor.addons.fleet.errors import CutOff
from supervisor.addons.fleet.settings import Plan

from .control_store import ControlStore
from .leases import RENEWALS, DirectoryLease
from .ledger import Counts, DrainRecord, Ledger, Records, TaskRecord
from .placements import LostTask, Placements

_log = logging.getLogger("supervisor.fleet")

AGAIN_S = 0.5
"""Seconds between two tries to reach the control store."""


class Handover:
    """The knowledge that a directory takes from earlier ones and leaves to later ones."""

    def __init__(self, plan: Plan, store: ControlStore, placements: Placements) -> None:
        self.lease: DirectoryLease = DirectoryLease(store, plan.name, plan.limits.fence_s)
        self.drains: dict[str, DrainRecord] = {}
        """By id of the host or node: what operators have drained."""
        self.counts: Counts = Counts()
        self.deposed: asyncio.Event = asyncio.Event()
        """A later directory has begun, or the control store knows this one no more: it must end."""
        self._ledger = Ledger(store, self.lease)
        self._placements = placements
        self._fence_s = plan.limits.fence_s
        self.began_at: float = time.monotonic()
        """When it learned of the drains."""

    async def begin(self) -> None:
        """Claim an epoch, so that no earlier directory decides any more; then learn what they wrote."""
        while True:
            try:
                await self.lease.claim()
                records = await self._ledger.read()
            except CutOff as error:
                _log.warning("%s", error)
                await asyncio.sleep(AGAIN_S)
            else:
                self._learn(records)
                return

    def _learn(self, records: Records) -> None:
        now = self.began_at = time.monotonic()
        self._placements.begin(self.lease.epoch)
        self.drains, self.counts = dict(records.drains), records.counts
        for task_id, record in records.tasks.items():
            if record.placement is not None:
                self._placements.restore(record.placement, record.driver, now)
            if record.lost:
                self._placements.lost[task_id] = LostTask(record.lost, now, record.driver)

    async def keep_lease(self, hosts: Callable[[], Collection[str]]) -> None:
        """Renew the lease until a later directory has begun, and look at those of the hosts."""
        while not self.lease.is_deposed:
            await asyncio.sleep(self._fence_s / RENEWALS if self.lease.holds else AGAIN_S)
            try:
                await self.lease.renew(hosts())
                self._note_time_of_drains()
                await self._ledger.write()
            except CutOff as error:
                if self.lease.holds:
                    _log.warning("%s", error)
        self.deposed.set()

    async def give_up(self, host_id: str) -> None:
        """Give a host up for good, and wait until its lease is over."""
        while True:
            try:
                await self.lease.give_up(host_id)
                return
            except CutOff:
                await asyncio.sleep(AGAIN_S)

    async def write_down(self) -> None:
        """Wait until all that was noted will be known to the next directory. Raises `CutOff`."""
        await self._ledger.write()

    def note(self, task_id: str) -> None:
        """Note where a task is, and what there is to tell of it."""
        placement, lost = self._placements.find(task_id), self._placements.lost.get(task_id)
        record = None
        if placement is not None or lost is not None:
            driver = self._placements.drivers.get(task_id, lost.driver if lost is not None else None)
            record = TaskRecord(placement, driver, lost.reason if lost is not None else "")
        self._ledger.note_task(task_id, record)

    def note_drain(self, which: str, record: DrainRecord | None) -> None:
        """Note that a host or a node is drained; None: it is not any more."""
        self.drains.pop(which, None)
        if record is not None:
            self.drains[which] = record
        self._ledger.note_drain(which, record)

    def _note_time_of_drains(self) -> None:
        """Note how long tasks may still stay: the next directory cannot compare its clock with the one here."""
        now = time.monotonic()
        for host_id, record in tuple(self.drains.items()):
            entry = self._placements.hosts.get(host_id)
            if entry is not None and entry.reason == record.reason and record.left_s > 0:
                self.note_drain(host_id, replace(record, left_s=max(entry.drained_by - now, 0.0)))

    def count(self, *, hosts_made: int = 0, restarts: int = 0, failed_starts: int = 0) -> None:
        """Count hosts that were started, tasks that began anew, and hosts that ended before they served."""
        counts = self.counts
        self.counts = Counts(
            counts.hosts_made + hosts_made, counts.restarts + restarts, counts.failed_starts + failed_starts
        )
        self._ledger.note_counts(self.counts)
