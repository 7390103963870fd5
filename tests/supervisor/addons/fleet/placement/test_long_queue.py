"""A queue of thousands: who is refused learns the true position, and nobody is slowed by the others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping

from supervisor.addons.fleet import FleetFull, HostLost, HostReport, Hosts
from supervisor.addons.fleet.placement.clients import HostClient, HostExit, HostLauncher
from supervisor.addons.fleet.placement.directory import Directory
from supervisor.addons.fleet.placement.waiting import Queue
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.local_store import LocalStore
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster
from tests.supervisor.addons.fleet.placement.test_directory import elapsed
from tests.supervisor.addons.fleet.placement.virtual_time import run_virtually


class NoRoom(HostLauncher):
    """A cluster that starts no host."""

    def __init__(self) -> None:
        self._store = LocalStore()

    @property
    def store(self) -> LocalStore:
        return self._store

    def start_host(self, host_id: str, avoided: Collection[str]) -> HostClient:
        return NeverStarted()

    async def hosts(self) -> Mapping[str, HostClient]:
        return {}

    def why_no_room(self) -> str:
        return "no room"

    def put(self, data: bytes) -> bytes:
        return data

    async def get(self, kept: bytes) -> bytes:
        return kept


class NeverStarted(HostClient):
    """A host that waits for room for ever."""

    async def begin(self) -> HostReport:
        await asyncio.Event().wait()
        raise HostLost("it has not begun")

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        raise HostLost("it has not begun")

    async def end_task(self, placement: Placement, reason: str) -> None:
        raise HostLost("it has not begun")

    async def report(self) -> HostReport:
        raise HostLost("it has not begun")

    async def wait_ended(self) -> HostExit:
        await asyncio.Event().wait()
        return HostExit("it has not begun")

    async def stop(self) -> None:
        pass


def plan() -> Plan:
    return Plan(name="full")


async def test_each_of_those_that_are_refused_learns_its_own_position() -> None:
    directory = Directory(plan(), NoRoom())
    running = asyncio.create_task(directory.run())

    async def refused(task_id: str, driver: str, wait_s: float) -> int:
        try:
            await directory.place(task_id, driver, wait_s)
        except FleetFull as full:
            return full.position
        raise AssertionError("it got a place")

    waits = {"a0": 0.3, "a1": 0.2, "a2": 0.1, "b0": 0.4}
    positions = await asyncio.gather(*(refused(task_id, task_id[0], wait_s) for task_id, wait_s in waits.items()))

    assert dict(zip(waits, positions, strict=True)) == {"a2": 4, "a1": 3, "a0": 1, "b0": 1}
    await directory.stop()
    running.cancel()


def test_who_finds_the_fleet_full_learns_how_long_the_queue_is_and_when_to_come_back() -> None:
    async def play() -> None:
        cluster = SimulatedCluster(Hosts(tasks=1, most=1))
        await asyncio.sleep(1)  # until the host serves
        refused: list[FleetFull] = []

        async def refuse(task_id: str) -> None:
            _, error = await elapsed(cluster.place(task_id, wait_s=0.1))
            assert isinstance(error, FleetFull)
            refused.append(error)

        for number in range(4):  # a place every ten seconds
            await cluster.place(f"t{number}", wait_s=60)
            await asyncio.sleep(10)
            await refuse("late")
            await cluster.directory.end_task(f"t{number}")
        await cluster.place("t9")
        waiting = [asyncio.create_task(elapsed(cluster.place(f"w{number}", wait_s=20))) for number in range(2)]
        await asyncio.sleep(10)
        await refuse("late")
        await asyncio.gather(*waiting)
        await asyncio.sleep(600)
        await refuse("late")

        assert [(error.position, error.waiting) for error in refused] == [(1, 1)] * 4 + [(3, 3), (1, 1)]
        assert [error.retry_s and round(error.retry_s) for error in refused] == [10, 10, 10, 10, 30, None]
        assert str(refused[4]).endswith("position 3 of 3 in the queue; at the present pace a place is free in 30 s")

    run_virtually(play())


def test_the_work_for_a_task_does_not_grow_with_the_queue() -> None:
    def seconds(count: int) -> float:
        queue = Queue()
        began = time.process_time()
        for number in range(count):
            queue.join(f"t{number}", f"driver-{number % 3}")
        for number in range(0, count, 2):
            queue.leave(f"t{number}")
        while queue.take() is not None:
            assert len(queue) < count
        return (time.process_time() - began) / count

    few = min(seconds(500) for _ in range(3))
    many = min(seconds(20_000) for _ in range(3))
    assert many < few * 8
