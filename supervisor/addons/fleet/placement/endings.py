"""How places end: hosts that ended, hosts that were given up, and tasks that their hosts do not have any more."""

from __future__ import annotations

import logging
import math
import time
from contextlib import suppress

from supervisor.addons.fleet.errors import CutOff
from supervisor.addons.fleet.values import HostReport, Placement

from .clients import HostClient
from .handover import Handover
from .placements import Placements

_log = logging.getLogger("supervisor.fleet")

ENDED = "its host ended"
ENDED_IT = "its host had ended it"


class Endings:
    """Ends places only when their hosts cannot serve them any more, and has each ending written down."""

    def __init__(self, placements: Placements, handover: Handover) -> None:
        self._placements = placements
        self._handover = handover

    def lose(self, placement: Placement, reason: str) -> None:
        """End one place: its host has confirmed that it does not have the task."""
        if self._placements.lose(placement, reason, time.monotonic()):
            self._handover.note(placement.task_id)

    async def drop(self, host_id: str, reason: str) -> None:
        """End all places of a host whose process has ended."""
        entry = self._placements.hosts.get(host_id)
        if entry is None:
            return
        lost = self._placements.drop(host_id, reason, time.monotonic())
        _log.warning("the host %s ended (%s); tasks lost: %d", host_id, reason, len(lost))
        for task_id in lost:
            self._handover.note(task_id)
        if entry.report is not None:
            self._handover.count(restarts=entry.report.restarts)
        if host_id in self._handover.drains:
            self._handover.note_drain(host_id, None)
        with suppress(CutOff):
            await self._handover.lease.forget(host_id)

    async def give_up(self, host_id: str, reason: str, link: HostClient | None = None) -> None:
        """End all places of a host that may still run somewhere, once its lease is over. With its link, end it, too."""
        if host_id in self._placements.hosts:
            self._placements.drain(host_id, reason, math.inf, time.monotonic())
        await self._handover.give_up(host_id)
        await self.drop(host_id, reason)
        if link is not None:
            await link.stop()

    def take_over(self, report: HostReport) -> None:
        """Let a host of an earlier directory serve. Tasks that it had, and has no more, are lost."""
        self._placements.serve(report, time.monotonic())
        there, ended = {load.task_id for load in report.tasks}, dict(report.ended)
        for placement in tuple(self._placements.hosts[report.host_id].tasks.values()):
            lost = self._placements.lost.get(placement.task_id)
            if placement.task_id in there:
                self._placements.lost.pop(placement.task_id, None)  # the host tells it
            else:
                self.lose(placement, lost.reason if lost is not None else ended.get(placement, ENDED_IT))
        drained = self._handover.drains.get(report.host_id)
        if drained is not None:
            self._placements.drain(
                report.host_id, drained.reason, self._handover.began_at + drained.left_s, time.monotonic()
            )
