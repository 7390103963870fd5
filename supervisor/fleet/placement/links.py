"""What the directory and the hosts of a fleet ask of each other, and of what starts them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from supervisor.fleet.checkpoints.checkpoint_store import Memory
from supervisor.fleet.values import HostReport, Placement

FENCE_S = 10.0
"""A host that has reached neither the directory nor the cluster for so long ends its tasks by itself: the cluster takes
longer to give it up, so that no task is in two places."""


class HostLink(Protocol):
    """The hands of the directory on a host. Each raises `HostLost` when the host is gone."""

    async def begin(self) -> HostReport:
        """Wait until it can take tasks."""
        ...

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        """Have it take a task in."""
        ...

    async def end_task(self, placement: Placement, reason: str) -> None:
        """Have it end a task; a reason is told to the calls that are under way."""
        ...

    async def report(self) -> HostReport:
        """What it knows now."""
        ...

    async def wait_ended(self) -> str:
        """Wait until it is certain that it has ended, and return why."""
        ...

    async def stop(self) -> None:
        """End it, with its browser."""
        ...


class Engine(Memory, Protocol):
    """What starts hosts, and finds those that a directory before had started."""

    def start_host(self, host_id: str, avoided: Collection[str]) -> HostLink:
        """Start a host; where, and when there is room for it, the engine decides, but not on these nodes."""
        ...

    async def hosts(self) -> Mapping[str, HostLink]:
        """The hosts of this fleet that are there."""
        ...

    def why_no_room(self) -> str:
        """Why hosts do not start, where that is known; else empty."""
        ...


class DirectoryLink(Protocol):
    """The hands of a host on the directory."""

    async def receive_report(self, report: HostReport) -> bool:
        """Give it a report; False: the host has no place in the fleet, and is to end."""
        ...

    async def forget(self, placement: Placement, reason: str) -> None:
        """Say that the host has ended a task by itself."""
        ...

    async def keep(self, placement: Placement, checkpoint: bytes) -> None:
        """Keep a checkpoint of a task."""
        ...

    async def reaches_cluster(self) -> bool:
        """Whether the cluster itself answers, when the directory does not."""
        ...
