"""The values that a fleet reports."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

HostState: TypeAlias = Literal["starting", "serving", "draining"]


EPOCH = 10**9
"""The numbers of places begin with the epoch of the directory that gave them."""


PROTOCOL = 1
"""Grows when drivers, hosts and directories of one version would misunderstand those of another."""


class Placement(Struct, frozen=True):
    """The place of a task."""

    task_id: str
    host_id: str
    number: int
    """Grows with each placement of a task, also over directories, so that an outdated one is recognized."""

    @property
    def epoch(self) -> int:
        """The epoch of the directory that gave it."""
        return self.number // EPOCH


class HostFacts(Struct, frozen=True, kw_only=True):
    """The facts about a host that do not change."""

    node_id: str
    address: str
    """The machine's address in the cluster."""
    pid: int
    package: str
    """The version of cdp-typed."""
    browser: str | None
    """The product and version of its browser; None for a pool's, which differ."""


class TaskLoad(Struct, frozen=True, kw_only=True):
    """A task as its host sees it."""

    task_id: str
    number: int
    calls: int
    """Under way."""
    open_dialogs: int
    idle_s: float
    """Seconds since its last call."""
    checkpoint_age_s: float | None = None
    """Seconds since its last checkpoint was kept; without one, since it began on this host. None if the fleet keeps no
    checkpoints, or the task has no pages yet."""
    restarted: str = ""
    """Why it began anew on this host, until a call has reported it."""


class HostReport(Struct, frozen=True, kw_only=True):
    """A host's regular report."""

    host_id: str
    facts: HostFacts
    tasks: tuple[TaskLoad, ...]
    calls: int
    """All that were answered."""
    restarts: int
    """Tasks that began anew on this host, because its browser had ended."""
    browser_deaths: int = 0
    drivers: tuple[str, ...] = ()
    """The drivers that wait for calls."""
    browser_mb: int | None = None
    """Memory of all processes of its browser in MiB; None if it is not known."""
    largest_page_mb: int | None = None
    """Memory of the largest renderer of its browser in MiB."""
    pages_ended: int = 0
    """Pages that took more than `Hosts(page_mb=...)`."""
    ended: tuple[tuple[Placement, str], ...] = ()
    """The latest tasks that it ended by itself, and why."""
    checkpoint_failures: int = 0
    """Checkpoints of its tasks that were not kept."""
    checkpoint_error: str = ""
    """Why the last checkpoint was not kept; empty when one was kept since."""
    clock: float
    """The wall clock of its machine, in seconds since 1970. Compare only times of the same machine with it."""
    is_sick: bool = False
    """Its browser has died three times within a minute: it takes no more tasks."""


class TaskStatus(Struct, frozen=True, kw_only=True):
    """A task of a fleet."""

    task_id: str
    state: Literal["placed", "waiting", "lost"]
    """`lost`: it had a place; its next call gets another."""
    driver: str | None
    """The driver that asked for its place; None where the directory is newer than the place."""
    host_id: str | None = None
    reason: str = ""
    """Why it was lost."""
    load: TaskLoad | None = None
    """From its host's last report."""


class HostStatus(Struct, frozen=True, kw_only=True):
    """A host of a fleet."""

    host_id: str
    state: HostState
    tasks: int
    capacity: int
    facts: HostFacts | None = None
    """None while it starts."""
    report_age_s: float | None
    """Seconds since its last report."""
    clock: float | None = None
    """The present wall clock of its machine, in seconds since 1970; None while it starts."""
    calls: int = 0
    browser_deaths: int = 0
    browser_mb: int | None = None
    largest_page_mb: int | None = None
    pages_ended: int = 0
    checkpoint_failures: int = 0
    checkpoint_error: str = ""
    """See `HostReport`."""


class FleetStatus(Struct, frozen=True, kw_only=True):
    """A fleet."""

    name: str
    hosts: tuple[HostStatus, ...]
    tasks: int
    waiting: int
    lost: int
    capacity: int
    """So many tasks can run on the hosts that serve."""
    restarts: int
    """Tasks that were placed again after they had lost their host."""
    failed_starts: int = 0
    """Hosts that ended before they served."""
    start_error: str = ""
    """Why the last start of a host failed; empty when a host has started since."""
    most: int | None = None
    """The fleet starts no more hosts than these; None: as many as the cluster has room for."""

    @property
    def why_no_place(self) -> str:
        """Why a new task would wait in vain; empty if a place is free, or the fleet may start a host for it."""
        taken = sum(host.tasks for host in self.hosts if host.state == "serving")
        if taken < self.capacity:
            return ""
        if self.start_error:
            return f"all {self.capacity} places are taken, and hosts do not start: {self.start_error}"
        is_coming = any(host.state == "starting" for host in self.hosts)
        if is_coming or self.most is None or len(self.hosts) < self.most:
            return ""
        return f"all {self.capacity} places are taken, and Hosts(most={self.most}) allows no further host"


class RecordingInfo(Struct, frozen=True, kw_only=True):
    """A recording of a task, on the machine of a host."""

    task_id: str
    name: str
    """Its host, the number of the task's place there, and a further number for each start after the first."""
    size: int
    """Bytes."""
    changed_at: float
    """Time of the last write by the clock of its machine, in seconds since 1970."""
