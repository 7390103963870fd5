"""A fleet without Ray and without browsers: hosts that die, are cut off and come back, and directories that end."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from cdp_typed.errors import LaunchError
from supervisor.addons.fleet import HostFacts, HostLost, HostReport, Hosts, Limits, TaskLoad
from supervisor.addons.fleet.errors import CutOff, NotHere
from supervisor.addons.fleet.hosting.lease_keeper import CUT_OFF
from supervisor.addons.fleet.instruments import Instruments
from supervisor.addons.fleet.placement.clients import HostClient, HostExit
from supervisor.addons.fleet.placement.directory import Directory
from supervisor.addons.fleet.placement.leases import RENEWALS, HostLease
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.local_store import LocalMemory, LocalStore

T = TypeVar("T")

REPORT_S = 0.5


class SimulatedHost:
    """A host that carries out what it is told, in order; what is told while it is cut off arrives when it is back."""

    def __init__(self, host_id: str, cluster: SimulatedCluster) -> None:
        self.host_id = host_id
        self.tasks: dict[str, Placement] = {}
        self.told: dict[str, str] = {}
        """By task: why it begins anew."""
        self.checkpoints: dict[str, bytes | None] = {}
        self.begun = 0
        """So often it was told to begin."""
        self.lost_answers = 0
        """So many answers do not arrive."""
        self.is_sick = False
        self.wall_s = 0.0
        """By how much the wall clock of its machine differs from the clock of the loop."""
        self.start_error = cluster.start_error
        self.can_begin = asyncio.Event()
        self.reached = asyncio.Event()
        self.answers = asyncio.Event()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.given_up: asyncio.Future[HostExit] = asyncio.get_running_loop().create_future()
        """What the cluster says of it, which may be wrong."""
        self.lease = HostLease(Reached(cluster.store, self.reached.is_set), host_id, cluster.plan.limits.fence_s)
        self.withdrawn: set[Placement] = set()
        self.ended_alone: list[tuple[Placement, str]] = []
        """Tasks that it ended by itself, and why."""
        self._cluster = cluster
        self.reached.set()
        self.answers.set()
        if not cluster.is_slow:
            self.can_begin.set()
        self._reporting = asyncio.create_task(self._report())
        self._serving = asyncio.create_task(self._serve())

    @property
    def is_alive(self) -> bool:
        return not self.ended.done()

    def die(self, reason: str = "its host's process ended") -> None:
        if self.is_alive:
            self.tasks.clear()
            self.ended.set_result(reason)
            if not self.given_up.done():
                self.given_up.set_result(HostExit(reason))
            self._reporting.cancel()
            self._serving.cancel()
            for waited in (self.reached, self.answers, self.can_begin):
                waited.set()

    def cut(self) -> None:
        """Be out of reach until `heal`; when its lease is over it ends its tasks by itself."""
        if self.is_alive:
            self.reached.clear()

    def lose(self) -> None:
        """Be out of reach, and be taken for dead, although it goes on."""
        if self.is_alive:
            self.cut()
            if not self.given_up.done():
                self.given_up.set_result(HostExit("its machine was lost", is_certain=False))

    def heal(self) -> None:
        self.reached.set()

    async def told_in_order(self, work: Callable[[], T], epoch: int) -> T:
        await self.reached.wait()
        if not self.is_alive:
            raise HostLost(self.ended.result())
        if epoch != self._cluster.epoch:
            await asyncio.Event().wait()  # whoever said it has ended, and is not heard any more
        result = work()
        if self.lost_answers:
            self.lost_answers -= 1
            raise HostLost("it does not answer")
        await self.answers.wait()
        if not self.is_alive:
            raise HostLost(self.ended.result())
        return result

    def report(self) -> HostReport:
        loads = tuple(
            TaskLoad(task_id=place.task_id, number=place.number, calls=0, open_dialogs=0, idle_s=0)
            for place in self.tasks.values()
        )
        facts = HostFacts(node_id=f"node-of-{self.host_id}", address="", pid=1, package="", browser=None)
        return HostReport(
            host_id=self.host_id,
            facts=facts,
            tasks=loads,
            calls=0,
            restarts=0,
            browser_deaths=3 if self.is_sick else 0,
            clock=asyncio.get_running_loop().time() + self.wall_s,
            is_sick=self.is_sick,
            ended=tuple(self.ended_alone[-40:]),
        )

    def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        if placement in self.withdrawn or placement.epoch < self.lease.epoch or not self.lease.holds:
            raise NotHere(placement.task_id)
        self.tasks[placement.task_id] = placement
        self.told[placement.task_id] = restarted
        self.checkpoints[placement.task_id] = checkpoint

    def end_task(self, placement: Placement) -> None:
        if self.tasks.get(placement.task_id) == placement:
            del self.tasks[placement.task_id]
        elif placement.task_id not in self.tasks:
            self.withdrawn.add(placement)

    def expire(self, task_id: str) -> None:
        """End a task whose lease is over, and tell the directory."""
        self.ended_alone.append((self.tasks.pop(task_id), "it was not called for 600 s"))
        if self.reached.is_set():
            self._cluster.directory.receive_report(self.report())

    async def _serve(self) -> None:
        renewed_at = -math.inf
        while True:
            loop = asyncio.get_running_loop()
            if loop.time() - renewed_at >= self._cluster.plan.limits.fence_s / RENEWALS:
                renewed_at = loop.time()
                with suppress(CutOff):
                    await self.lease.renew()
            if not self.lease.holds:
                self.ended_alone += [(placement, CUT_OFF) for placement in self.tasks.values()]
                self.tasks.clear()
            if self.lease.is_given_up:
                self.die("its host was stopped")
            await asyncio.sleep(REPORT_S)

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(REPORT_S)
            if (
                self.reached.is_set()
                and self.can_begin.is_set()
                and self._cluster.directory.receive_report(self.report()) is None
            ):
                self.die("its host was stopped")


class Reached(LocalStore):
    """The control store as somebody sees it who may be out of reach."""

    def __init__(self, store: LocalStore, is_reached: Callable[[], bool]) -> None:
        super().__init__(store.values)
        self._is_reached = is_reached

    async def put(self, key: str, value: bytes) -> None:
        self._check()
        await super().put(key, value)

    async def get(self, keys: Collection[str]) -> dict[str, bytes]:
        self._check()
        return await super().get(keys)

    def _check(self) -> None:
        if not self._is_reached():
            raise CutOff("simulated")


class Link:
    """What a directory has of a host."""

    def __init__(self, host: SimulatedHost, epoch: int) -> None:
        self._host = host
        self._epoch = epoch

    async def begin(self) -> HostReport:
        self._host.begun += 1
        await self._host.can_begin.wait()
        if self._host.start_error:
            raise LaunchError(self._host.start_error)
        return await self._told(self._host.report)

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        await self._told(lambda: self._host.accept(placement, restarted, checkpoint))

    async def end_task(self, placement: Placement, reason: str) -> None:
        await self._told(lambda: self._host.end_task(placement))

    async def report(self) -> HostReport:
        return await self._told(self._host.report)

    async def wait_ended(self) -> HostExit:
        return await asyncio.shield(self._host.given_up)

    async def stop(self) -> None:
        self._host.die("its host was stopped")

    async def _told(self, work: Callable[[], T]) -> T:
        """What was said is said, also when nobody waits for the answer any more."""
        return await asyncio.shield(asyncio.ensure_future(self._host.told_in_order(work, self._epoch)))


class SimulatedEngine(LocalMemory, frozen=True):
    """Starts hosts for one directory."""

    cluster: Any
    epoch: int

    @property
    def store(self) -> LocalStore:
        cluster: SimulatedCluster | None = self.cluster
        return LocalStore() if cluster is None else Reached(cluster.store, lambda: not cluster.is_store_away)

    def start_host(self, host_id: str, avoided: Collection[str]) -> HostClient:
        host = SimulatedHost(host_id, self.cluster)
        self.cluster.avoided = list(avoided)
        if self.epoch == self.cluster.epoch:
            self.cluster.hosts[host_id] = host
        return Link(host, self.epoch)

    async def hosts(self) -> Mapping[str, HostClient]:
        return {host.host_id: Link(host, self.epoch) for host in self.cluster.living}

    def why_no_room(self) -> str:
        why: str = self.cluster.why_no_room
        return why


class Noted(Instruments):
    """Counts what was measured, each with its outcome or reason."""

    def __init__(self) -> None:
        self.counts = Counter[str]()

    def note_wait(self, seconds: float, outcome: str) -> None:
        self.counts[outcome] += 1

    def note_restart(self, reason: str) -> None:
        self.counts[reason] += 1

    def note_failed_start(self) -> None:
        self.counts["failed start"] += 1


class SimulatedCluster:
    """The hosts, and the directory that there is now."""

    def __init__(self, hosts: Hosts, limits: Limits | None = None, *, keeps: bool = True, is_own: bool = False) -> None:
        self.plan = Plan(name="simulated", hosts=hosts, limits=limits or Limits(), is_own=is_own)
        self.keeps = keeps
        self.store = LocalStore()
        self.is_store_away = False
        """For the directory."""
        self.noted = Noted()
        self.avoided: list[str] = []
        """Where the last host was not to start."""
        self.hosts: dict[str, SimulatedHost] = {}
        self.epoch = 0
        self.is_slow = False
        """Hosts do not begin to serve by themselves."""
        self.why_no_room = ""
        self.start_error = ""
        """Why the next hosts cannot start their browser."""
        self.directory = self._new_directory()

    @property
    def living(self) -> list[SimulatedHost]:
        return [host for host in self.hosts.values() if host.is_alive]

    @property
    def states(self) -> dict[str, str]:
        return {task.task_id: task.state for task in self.directory.tasks()}

    def restart_directory(self) -> None:
        """The directory ends at once, and another one takes its place."""
        self._running.cancel()
        self.directory = self._new_directory()

    def second_directory(self) -> Directory:
        """Begin another directory, while the one that there is does not know of it."""
        engine = SimulatedEngine(cluster=self, epoch=self.epoch)
        second = Directory(self.plan, engine, keeps=self.keeps)
        self._second = asyncio.create_task(second.run())
        return second

    def host_of(self, task_id: str) -> SimulatedHost:
        """The only host that has a task."""
        (host,) = [host for host in self.living if task_id in host.tasks]
        return host

    def check(self) -> None:
        """Fail if a task is served in two places, or a host has more tasks than it takes."""
        counts = Counter(task_id for host in self.living if host.lease.holds for task_id in host.tasks)
        assert [task_id for task_id, number in counts.items() if number > 1] == []
        assert all(len(host.tasks) <= self.plan.hosts.tasks for host in self.living)

    async def place(
        self, task_id: str, driver: str = "driver", wait_s: float = 60.0, doubted: int | None = None
    ) -> Placement:
        return await self.directory.place(task_id, driver, wait_s, doubted)

    def _new_directory(self) -> Directory:
        self.epoch += 1
        engine = SimulatedEngine(cluster=self, epoch=self.epoch)
        directory = Directory(self.plan, engine, keeps=self.keeps, instruments=self.noted)
        self._running: asyncio.Task[None] = asyncio.create_task(directory.run())
        return directory
