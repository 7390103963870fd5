"""What holds in a fleet whatever happens to its hosts and its directory, in any order."""

from __future__ import annotations

import asyncio
from typing import TypeAlias

from hypothesis import example, given, settings
from hypothesis import strategies as st

from supervisor.addons.fleet import CutOff, HostLost, Hosts, Limits, NoSuchTask, NotPlaced
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster
from tests.supervisor.addons.fleet.placement.virtual_time import VirtualLoop

Event: TypeAlias = tuple[str, int]

WAIT_S = 40.0
TOGETHER = 1e-6

HAPPENINGS = ["kill", "cut", "lose", "heal", "drain", "end", "expire", "sick", "mute", "speak", "directory"]

EVENTS = st.lists(st.tuples(st.sampled_from(["call"] * 4 + ["pass"] * 2 + HAPPENINGS), st.integers(0, 4)), max_size=40)

BEGUN: list[Event] = [("call", 1), ("pass", 0), ("call", 0), ("pass", 0), ("end", 1)]
OUT_OF_REACH: list[Event] = [("cut", 1), ("call", 0), ("pass", 0), ("call", 0), ("pass", 3)]
"""A task is called in vain whose host is out of reach, while another host has room."""


class Drivers:
    """Call tasks as a `Router` does: by the place that they know, else by the one that the directory gives."""

    def __init__(self, cluster: SimulatedCluster) -> None:
        self._cluster = cluster
        self._places: dict[tuple[str, str], Placement] = {}
        self._doubted: dict[tuple[str, str], int] = {}
        self.answered = 0

    async def call(self, task_id: str, driver: str) -> None:
        key = driver, task_id
        placement = self._places.get(key)
        if placement is None:
            placement = await self._placed(task_id, driver)
            if placement is None:
                return
        host = self._cluster.hosts[placement.host_id]
        if host.is_alive and host.reached.is_set() and host.lease.holds and host.tasks.get(task_id) == placement:
            self._places[key] = placement
            self.answered += 1
        else:
            self._places.pop(key, None)
            self._doubted[key] = placement.number

    async def _placed(self, task_id: str, driver: str) -> Placement | None:
        loop = asyncio.get_running_loop()
        directory, before = self._cluster.directory, loop.time()
        try:
            placement = await directory.place(task_id, driver, WAIT_S, self._doubted.get((driver, task_id)))
        except (CutOff, NotPlaced):  # it was asked of a directory that has ended
            return None
        finally:
            assert loop.time() - before <= WAIT_S + TOGETHER
        self._doubted.pop((driver, task_id), None)
        return placement


async def happen(cluster: SimulatedCluster, event: str, index: int) -> None:
    """Have something happen to a host, a task, or the directory."""
    living = cluster.living
    host = living[index % len(living)] if living else None
    match event:
        case "pass":
            await asyncio.sleep([0.1, 1, 4, 9, 30][index])
        case "directory":
            cluster.restart_directory()
        case "end":
            try:
                async with asyncio.timeout(WAIT_S):
                    await cluster.directory.end_task(f"t{index}")
            except (CutOff, HostLost, NoSuchTask, TimeoutError):
                pass
        case _ if host is None:
            pass
        case "drain":
            cluster.directory.drains.drain(host.host_id, within_s=index)
        case "expire":
            for task_id in sorted(host.tasks)[:1]:
                host.expire(task_id)
        case "sick":
            host.is_sick = True
        case _:
            deeds = {"kill": host.die, "cut": host.cut, "lose": host.lose, "heal": host.heal}
            {**deeds, "mute": host.answers.clear, "speak": host.answers.set}[event]()


@settings(max_examples=50)
@given(EVENTS)
@example(BEGUN + OUT_OF_REACH)
@example([*[("call", 0)] * 5, ("end", 0), ("call", 1)])
@example([("call", 0), ("pass", 0), ("cut", 0), ("end", 0), ("call", 0), ("pass", 1), ("heal", 0), ("call", 0)])
@example([("call", 0), ("mute", 0), ("call", 1), ("pass", 4), ("call", 2), ("kill", 0), ("pass", 4)])
@example([("call", 0), ("cut", 0), ("directory", 0), ("call", 0), ("pass", 4), ("heal", 0), ("call", 0)])
def test_no_task_is_in_two_places_and_every_question_is_answered_in_time(events: list[Event]) -> None:
    async def play() -> None:
        cluster = SimulatedCluster(Hosts(least=2, most=4, tasks=1, idle_s=20), Limits(drain_s=5))
        drivers = Drivers(cluster)
        calls: set[asyncio.Task[None]] = set()

        async def watch() -> None:
            while True:
                cluster.check()
                await asyncio.sleep(0.05)

        watching = asyncio.create_task(watch())
        for event, index in events:
            if event == "call":
                calls.add(asyncio.create_task(drivers.call(f"t{index}", f"d{index % 2}")))
            else:
                await happen(cluster, event, index)
            await asyncio.sleep(0)
            cluster.check()
        await asyncio.gather(*calls)
        for host in cluster.living:
            host.heal()
            host.answers.set()
            host.is_sick = False
        await asyncio.sleep(40)
        assert not watching.done()
        cluster.check()

        answered = drivers.answered  # all is well again: every task that there is room for is carried out
        for _ in range(3):
            for task in range(2):
                await drivers.call(f"t{task}", "d0")
        assert drivers.answered > answered

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(play())
