"""Which host has which task, and who waits for a place: plain data, changed by the directory alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from msgspec import Struct

from supervisor.addons.fleet.settings import Hosts
from supervisor.addons.fleet.values import EPOCH, HostReport, HostState, Placement


class HostEntry(Struct, kw_only=True):
    """A host."""

    host_id: str
    state: HostState = "starting"
    since: float
    """When it got this state."""
    idle_since: float
    tasks: dict[str, Placement] = {}
    report: HostReport | None = None
    reported_at: float | None = None
    reason: str = ""
    """Why it is drained."""
    number: int = 0
    """Grows with each host that is taken in."""
    drained_by: float = 0.0
    """The time at which its tasks lose their placements."""


class LostTask(Struct, frozen=True):
    """A task that had a place."""

    reason: str
    at: float
    driver: str | None


class Placements:
    """The hosts of a fleet, and the one place of each task. Nothing here waits or fails."""

    def __init__(self, hosts: Hosts) -> None:
        self.hosts: dict[str, HostEntry] = {}
        self.lost: dict[str, LostTask] = {}
        self.drivers: dict[str, str] = {}
        """By task id: who asked for its place."""
        self._settings = hosts
        self._places: dict[str, Placement] = {}
        self._number = 0
        self._held: Counter[str] = Counter()
        """By driver: its tasks that have a place."""
        self._states: Counter[HostState] = Counter()
        self._free: list[tuple[int, int, str]] = []
        """A heap of serving hosts by their number of tasks. Only the entries that fit the present are true."""
        self._taken_in = 0

    def begin(self, epoch: int) -> None:
        """Give the places of this epoch greater numbers than those of the epochs before."""
        self._number = epoch * EPOCH

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Placement]:
        return iter(tuple(self._places.values()))

    def find(self, task_id: str) -> Placement | None:
        """The place of a task."""
        return self._places.get(task_id)

    @property
    def capacity(self) -> int:
        """The number of tasks that the serving hosts can run."""
        return self._settings.tasks * self._states["serving"]

    def counts_of_drivers(self) -> Counter[str]:
        """The number of tasks with a place, by the driver that asked for it."""
        return +self._held

    def add(self, host_id: str, now: float) -> HostEntry:
        """Take in a host that is being started."""
        self._taken_in += 1
        entry = self.hosts[host_id] = HostEntry(host_id=host_id, since=now, idle_since=now, number=self._taken_in)
        self._states["starting"] += 1
        return entry

    def restore(self, placement: Placement, driver: str | None, now: float) -> None:
        """Take in a place that an earlier directory gave, and its host if that is unknown."""
        if placement.host_id not in self.hosts:
            self.add(placement.host_id, now)
        self._put(placement)
        if driver is not None:
            self._assign(placement.task_id, driver)

    def serve(self, report: HostReport, now: float) -> None:
        """Let a started host accept tasks. A restarted directory also adopts the tasks that the host has."""
        entry = self.hosts[report.host_id]
        self._change(entry, "serving", now)
        entry.idle_since = now
        entry.report, entry.reported_at = report, now
        for load in report.tasks:
            known = self._places.get(load.task_id)
            if known is None or known.number < load.number:
                if known is not None:
                    self._remove(known)
                self._put(Placement(load.task_id, report.host_id, load.number))

    def resume(self, host_id: str, now: float) -> None:
        """Let a drained host take tasks again."""
        entry = self.hosts[host_id]
        self._change(entry, "serving", now)
        entry.reason, entry.drained_by = "", 0.0

    def drain(self, host_id: str, reason: str, until: float, now: float) -> None:
        """Let a host take no more tasks; those that it has may stay until then."""
        entry = self.hosts[host_id]
        if entry.state != "draining":
            self._change(entry, "draining", now)
        entry.reason, entry.drained_by = reason, until

    def drop(self, host_id: str, reason: str, now: float) -> tuple[str, ...]:
        """Remove a host that has ended. Returns the tasks that are lost with it."""
        entry = self.hosts.pop(host_id, None)
        if entry is None:
            return ()
        self._states[entry.state] -= 1
        lost = tuple(entry.tasks)
        for task_id in lost:
            del self._places[task_id]
            self.lost[task_id] = LostTask(reason, now, self._unassign(task_id))
        return lost

    def reserve(self, task_id: str, driver: str) -> Placement | None:
        """Give a task a place on the serving host with the fewest tasks; None when all are full."""
        best = self._freest()
        if best is None:
            return None
        self._number += 1
        placement = Placement(task_id, best.host_id, self._number)
        self._put(placement)
        self._assign(task_id, driver)
        return placement

    def release(self, placement: Placement, now: float) -> bool:
        """Withdraw a placement. Returns False when the task no longer has it."""
        if self._places.get(placement.task_id) != placement:
            return False
        del self._places[placement.task_id]
        self._unassign(placement.task_id)
        self._remove(placement)
        if placement.host_id in self.hosts:
            self.hosts[placement.host_id].idle_since = now
        return True

    def lose(self, placement: Placement, reason: str, now: float) -> bool:
        """Withdraw a placement and record its task as lost. Returns False when the task no longer has it."""
        driver = self.drivers.get(placement.task_id)
        had_it = self.release(placement, now)
        if had_it:
            self.lost[placement.task_id] = LostTask(reason, now, driver)
        return had_it

    def note(self, report: HostReport, now: float) -> None:
        """Keep a host's report."""
        entry = self.hosts.get(report.host_id)
        if entry is not None:
            self.hosts[report.host_id].report, entry.reported_at = report, now

    @property
    def _free_places(self) -> int:
        """The number of free places; tasks on draining hosts will need one, too."""
        return max(self.capacity - len(self._places), 0)

    def missing(self, waiting: int) -> int:
        """The number of hosts to start now, for these waiting tasks and the places to keep free."""
        there = len(self.hosts) - self._states["draining"]
        for_waiting = (
            -(-(waiting + max(self._settings.warm - self._free_places, 0)) // self._settings.tasks)
            - self._states["starting"]
        )
        wanted = max(self._settings.least - there, for_waiting, 0)
        return wanted if self._settings.most is None else max(min(wanted, self._settings.most - len(self.hosts)), 0)

    def idle(self, now: float) -> tuple[str, ...]:
        """The hosts to end: drained and empty ones, and idle ones above the minimum."""
        drained = [e.host_id for e in self.hosts.values() if e.state == "draining" and not e.tasks]
        serving = [e for e in self.hosts.values() if e.state == "serving"]
        unused = sorted(
            (e for e in serving if not e.tasks and now - e.idle_since >= self._settings.idle_s),
            key=lambda entry: entry.idle_since,
        )
        spare = max(
            min(len(serving) - self._settings.least, (self._free_places - self._settings.warm) // self._settings.tasks),
            0,
        )
        return (*drained, *(entry.host_id for entry in unused[:spare]))

    def forget_lost(self, before: float) -> tuple[str, ...]:
        """Forget the tasks that were lost before then; their ids."""
        old = tuple(task_id for task_id, lost in self.lost.items() if lost.at < before)
        for task_id in old:
            del self.lost[task_id]
        return old

    def _put(self, placement: Placement) -> None:
        self._places[placement.task_id] = placement
        entry = self.hosts[placement.host_id]
        entry.tasks[placement.task_id] = placement
        self._offer(entry)
        self._number = max(self._number, placement.number)

    def _remove(self, placement: Placement) -> None:
        entry = self.hosts.get(placement.host_id)
        if entry is not None and entry.tasks.pop(placement.task_id, None) is not None:
            self._offer(entry)

    def _assign(self, task_id: str, driver: str) -> None:
        self._unassign(task_id)
        self.drivers[task_id] = driver
        self._held[driver] += 1

    def _unassign(self, task_id: str) -> str | None:
        driver = self.drivers.pop(task_id, None)
        if driver is not None:
            self._held[driver] -= 1
            if not self._held[driver]:
                del self._held[driver]
        return driver

    def _change(self, entry: HostEntry, state: HostState, now: float) -> None:
        self._states[entry.state] -= 1
        self._states[state] += 1
        entry.state, entry.since = state, now
        self._offer(entry)

    def _offer(self, entry: HostEntry) -> None:
        """Note how many tasks a serving host has now; what was noted before counts no more."""
        if entry.state == "serving" and len(entry.tasks) < self._settings.tasks:
            heappush(self._free, (len(entry.tasks), entry.number, entry.host_id))
        if len(self._free) > 64 + 4 * len(self.hosts):
            self._free = [found for found in set(self._free) if self._is_true(found)]
            heapify(self._free)

    def _is_true(self, found: tuple[int, int, str]) -> bool:
        count, number, host_id = found
        entry = self.hosts.get(host_id)
        return entry is not None and (entry.state, len(entry.tasks), entry.number) == ("serving", count, number)

    def _freest(self) -> HostEntry | None:
        """The serving host with the fewest tasks, of several the first that was taken in; None when all are full."""
        while self._free and not self._is_true(self._free[0]):
            heappop(self._free)
        return self.hosts[self._free[0][2]] if self._free else None
