"""The calls between the directory, the hosts and the engine that starts hosts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from supervisor.fleet.checkpoints.checkpoint_store import Memory
from supervisor.fleet.values import HostReport, Placement

FENCE_S = 10.0
"""Seconds without contact to the directory and the cluster after which a host ends its tasks. The cluster gives up a
host later than that, so no task runs on two hosts."""


class HostLink(Protocol):
    """The directory's link to a host. Each raises `HostLost` when the host is gone."""

    async def begin(self) -> HostReport:
        """Wait until the host accepts tasks."""
        ...

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        """Let the host accept a task."""
        ...

    async def end_task(self, placement: Placement, reason: str) -> None:
        """Let the host end a task. Running calls fail with the reason, if any."""
        ...

    async def report(self) -> HostReport:
        """The host's present report."""
        ...

    async def wait_ended(self) -> str:
        """Wait until it is certain that it has ended, and return why."""
        ...

    async def stop(self) -> None:
        """End it, with its browser."""
        ...


class Engine(Memory, Protocol):
    """Starts hosts, and finds the hosts that an earlier directory started."""

    def start_host(self, host_id: str, avoided: Collection[str]) -> HostLink:
        """Start a host on any other node than these, as soon as there is room."""
        ...

    async def hosts(self) -> Mapping[str, HostLink]:
        """The hosts of this fleet that are there."""
        ...

    def why_no_room(self) -> str:
        """Why hosts do not start, if known; else empty."""
        ...


class DirectoryLink(Protocol):
    """A host's link to the directory."""

    async def receive_report(self, report: HostReport) -> bool:
        """Send a report. Returns False when the directory does not know the host, which then ends."""
        ...

    async def forget(self, placement: Placement, reason: str) -> None:
        """Report that the host has ended a task."""
        ...

    async def keep(self, placement: Placement, checkpoint: bytes) -> None:
        """Keep a checkpoint of a task."""
        ...

    async def reaches_cluster(self) -> bool:
        """Whether the cluster answers although the directory does not."""
        ...
