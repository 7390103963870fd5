"""The calls between the directory, the hosts and the engine that starts hosts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from msgspec import Struct

from supervisor.addons.fleet.checkpoints.checkpoint_store import Memory
from supervisor.addons.fleet.values import HostReport, Placement

from .control_store import ControlStore


class HostExit(Struct, frozen=True):
    """The end of a host."""

    reason: str
    is_certain: bool = True
    """Its process has ended. Else only its machine was given up: the process may go on until its lease is over."""


class HostClient(Protocol):
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

    async def wait_ended(self) -> HostExit:
        """Wait until the cluster says that it has ended, and return why."""
        ...

    async def stop(self) -> None:
        """End it, with its browser."""
        ...


class HostLauncher(Memory, Protocol):
    """Starts hosts, and finds the hosts that an earlier directory started."""

    @property
    def store(self) -> ControlStore:
        """The control store of the cluster."""
        ...

    def start_host(self, host_id: str, avoided: Collection[str]) -> HostClient:
        """Start a host on any other node than these, as soon as there is room."""
        ...

    async def hosts(self) -> Mapping[str, HostClient]:
        """The hosts of this fleet that are there."""
        ...

    def why_no_room(self) -> str:
        """Why hosts do not start, if known; else empty."""
        ...


class DirectoryClient(Protocol):
    """A host's link to the directory."""

    @property
    def store(self) -> ControlStore:
        """The control store of the cluster, which hosts and directory both reach, or count as cut off."""
        ...

    async def receive_report(self, report: HostReport) -> tuple[str, ...] | None:
        """Send a report. Returns which of its drivers are gone; None when the directory does not know the host, which
        then ends."""
        ...

    async def keep(self, placement: Placement, checkpoint: bytes) -> str:
        """Keep a checkpoint of a task. Returns why it is not kept; else an empty text."""
        ...
