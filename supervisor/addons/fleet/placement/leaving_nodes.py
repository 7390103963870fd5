"""Drains the hosts of the nodes that the cluster is about to take away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Protocol

from supervisor.addons.fleet.values import HostStatus

from .directory import Directory

LOOK_S = 1.0
"""Seconds between two looks at the nodes."""
MOVING_S = 20.0
"""Seconds that a host needs to make the checkpoints of its tasks and to end. Its tasks are moved at least that long
before its node goes."""

_log = logging.getLogger("supervisor.fleet")


class Nodes(Protocol):
    """The nodes of the cluster."""

    async def leaving(self) -> Mapping[str, float | None]:
        """The ids of the nodes that are about to go, and when each goes, by its own wall clock; None: not known. Empty
        while the cluster does not answer."""
        ...


class LeavingNodes:
    """Drains each host of a node that is about to go, within what is left of its time."""

    def __init__(self, directory: Directory, nodes: Nodes) -> None:
        self._directory = directory
        self._nodes = nodes
        self._told: set[str] = set()
        """The hosts that were drained here."""

    async def watch(self) -> None:
        """Look at the nodes until the fleet is stopped."""
        await self._directory.recovered.wait()
        while not self._directory.stopped.is_set():
            self._drain(await self._nodes.leaving())
            await asyncio.sleep(LOOK_S)

    def _drain(self, leaving: Mapping[str, float | None]) -> None:
        hosts = self._directory.status().hosts
        self._told &= {host.host_id for host in hosts}
        for host in hosts:
            node_id = host.facts.node_id if host.facts is not None else ""
            if node_id not in leaving or host.host_id in self._told:
                continue
            within_s = self._within(leaving[node_id], host)
            if host.state != "draining" or within_s < self._directory.plan.limits.drain_s:
                _log.warning(
                    "the node of the host %s is about to go: its tasks move within %g s", host.host_id, within_s
                )
                self._directory.drains.drain(host.host_id, within_s)
            self._told.add(host.host_id)

    def _within(self, goes_at: float | None, host: HostStatus) -> float:
        longest = self._directory.plan.limits.drain_s
        if goes_at is None or host.clock is None:
            return longest
        return max(min(longest, goes_at - host.clock - MOVING_S), 0.0)
