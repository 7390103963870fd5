"""A directory that is started again, and hosts that cannot begin: what is not certain gives no place away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping

import pytest

from cdp_typed.errors import LaunchError
from supervisor.addons.fleet import HostFacts, HostLost, HostReport, Hosts, TaskLoad
from supervisor.addons.fleet.placement import host_clients, leases
from supervisor.addons.fleet.placement.clients import HostClient, HostExit
from supervisor.addons.fleet.placement.directory import Directory
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.local_store import LocalMemory, LocalStore

FACTS = HostFacts(node_id="n", address="a", pid=1, package="1", browser="b")


class FakeHost:
    """A host in this process, which may be silent for a while."""

    def __init__(self, host_id: str, *tasks: Placement) -> None:
        self.host_id = host_id
        self.tasks = {placement.task_id: placement for placement in tasks}
        self.answers: asyncio.Event = asyncio.Event()
        self.ended: asyncio.Event = asyncio.Event()
        self.lost_reports = 0
        """So many reports fail, as for an actor that cannot be reached, before others wait for `answers`."""
        self.cannot_begin = False
        self.has_begun: asyncio.Event = asyncio.Event()

    async def begin(self) -> HostReport:
        if self.cannot_begin:
            raise LaunchError("there is no browser")
        self.has_begun.set()
        return await self.report()

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        self.tasks[placement.task_id] = placement

    async def end_task(self, placement: Placement, reason: str) -> None:
        if self.tasks.get(placement.task_id) == placement:
            del self.tasks[placement.task_id]

    async def report(self) -> HostReport:
        if self.lost_reports:
            self.lost_reports -= 1
            raise HostLost("it does not answer")
        await self.answers.wait()
        loads = [
            TaskLoad(task_id=p.task_id, number=p.number, calls=0, open_dialogs=0, idle_s=0.0)
            for p in self.tasks.values()
        ]
        return HostReport(
            host_id=self.host_id,
            facts=FACTS,
            tasks=tuple(loads),
            calls=0,
            restarts=0,
            browser_deaths=0,
            clock=0.0,
            is_sick=False,
        )

    async def wait_ended(self) -> HostExit:
        await self.ended.wait()
        return HostExit("its host's process ended")

    async def stop(self) -> None:
        self.ended.set()


class FakeEngine:
    """Finds these hosts, and starts others, which answer at once."""

    def __init__(self, *found: FakeHost) -> None:
        self.found = found
        self.started: list[FakeHost] = []
        self.store = LocalStore()
        self.cannot_begin = 0

    def start_host(self, host_id: str, avoided: Collection[str]) -> HostClient:
        host = FakeHost(host_id)
        host.answers.set()
        host.cannot_begin = len(self.started) < self.cannot_begin
        self.started.append(host)
        return host

    async def hosts(self) -> Mapping[str, HostClient]:
        return {host.host_id: host for host in self.found}

    def why_no_room(self) -> str:
        return ""

    def put(self, data: bytes) -> bytes:
        return data

    async def get(self, kept: bytes) -> bytes:
        return await LocalMemory().get(kept)


Begin = Callable[[FakeEngine], Awaitable[Directory]]


@pytest.fixture
async def begin() -> AsyncIterator[Begin]:
    """Start directories; they are stopped in the end."""
    running: list[tuple[Directory, asyncio.Task[None]]] = []

    async def start(engine: FakeEngine) -> Directory:
        plan = Plan(name="f", hosts=Hosts(least=1, tasks=5), timeout_s=5)
        directory = Directory(plan, engine)
        running.append((directory, asyncio.create_task(directory.run())))
        return directory

    yield start

    for directory, task in running:
        await directory.stop()
        await task


async def test_a_host_that_cannot_be_reached_for_a_moment_keeps_its_tasks(begin: Begin) -> None:
    there = FakeHost("old", Placement("t", "old", 7))
    there.lost_reports = 2
    there.answers.set()
    directory = await begin(FakeEngine(there))

    placement = await directory.place("t", "driver", 5)

    assert placement == Placement("t", "old", 7)
    assert [task.driver for task in directory.tasks()] == [None]  # who asked for it, the directory before knew
    await asyncio.wait_for(there.has_begun.wait(), 5)  # the directory before may have ended before it told it to


async def test_a_host_that_was_silent_for_too_long_is_ended(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_clients, "RECOVERY_S", 0.1)
    silent = FakeHost("old", Placement("t", "old", 7))
    engine = FakeEngine(silent)
    directory = await begin(engine)

    placement = await directory.place("t", "driver", 5)

    assert placement.host_id == engine.started[0].host_id
    await asyncio.wait_for(silent.ended.wait(), 5)


async def test_a_host_that_has_ended_is_known_before_the_time_is_over(begin: Begin) -> None:
    gone = FakeHost("old", Placement("t", "old", 7))
    gone.ended.set()
    gone.lost_reports = 10**6
    engine = FakeEngine(gone)
    directory = await begin(engine)

    placement = await directory.place("t", "driver", 5)

    assert placement.host_id == engine.started[0].host_id


async def test_a_host_whose_browser_cannot_start_is_replaced(begin: Begin) -> None:
    engine = FakeEngine()
    engine.cannot_begin = 1
    directory = await begin(engine)

    placement = await directory.place("t", "driver", 10)

    assert placement.host_id == engine.started[1].host_id


def test_no_lease_holds_before_it_is_renewed_whatever_the_clock_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "now", lambda: -100.0)
    store = LocalStore({})

    assert not leases.HostLease(store, "h1", 10).holds
    assert not leases.DirectoryLease(store, "f", 10).holds
