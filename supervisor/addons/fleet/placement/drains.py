"""The hosts and nodes that operators have drained."""

from __future__ import annotations

import time

from .handover import Handover
from .ledger import DrainRecord
from .placements import HostEntry, Placements

DRAINED = "its host is drained"


class Drains:
    """Drains hosts and nodes, and lets them take tasks again. A later directory knows of it."""

    def __init__(self, placements: Placements, handover: Handover, drain_s: float) -> None:
        self._placements = placements
        self._handover = handover
        self._drain_s = drain_s

    @property
    def nodes(self) -> list[str]:
        """The nodes on which no host starts."""
        return [which for which, record in self._handover.drains.items() if record.is_node]

    def drain(self, which: str, within_s: float | None = None) -> int:
        """Drain a host, or all hosts of a node, by id. Returns their number."""
        now = time.monotonic()
        left_s = self._drain_s if within_s is None else within_s
        drained = [entry for entry in self._placements.hosts.values() if which in (entry.host_id, _node_of(entry))]
        for entry in drained:
            if _node_of(entry) == which:
                self._handover.note_drain(which, DrainRecord(DRAINED, is_node=True))
            self._placements.drain(entry.host_id, DRAINED, now + left_s, now)
            self._handover.note_drain(entry.host_id, DrainRecord(DRAINED, left_s))
        return len(drained)

    def undrain(self, which: str) -> int:
        """Let a drained host, or a drained node and its drained hosts, take tasks again. Returns their number.

        A host that is ending already does not come back.
        """
        lifted = 0
        for entry in self._placements.hosts.values():
            is_meant = which in (entry.host_id, _node_of(entry)) and entry.host_id in self._handover.drains
            if is_meant and (entry.state, entry.reason) == ("draining", DRAINED):
                self._placements.resume(entry.host_id, time.monotonic())
                self._handover.note_drain(entry.host_id, None)
                lifted += 1
        if which in self.nodes:
            self._handover.note_drain(which, None)
            lifted += 1
        return lifted


def _node_of(entry: HostEntry) -> str | None:
    return entry.report.facts.node_id if entry.report is not None else None
