"""A host serves more drivers than it takes calls at once: how they learn of its end takes no place from calls."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from cdp_typed.mock import ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet
from supervisor.addons.fleet.errors import NotHere
from supervisor.addons.fleet.on_ray import directory_actor
from supervisor.addons.fleet.on_ray.actor_names import NAMESPACE, host_name
from supervisor.addons.fleet.on_ray.directory_actor import WATCHES, RayEngine, RayHost
from supervisor.addons.fleet.on_ray.outcomes import Outcome
from supervisor.addons.fleet.on_ray.ray_api import ray
from supervisor.addons.fleet.on_ray.router import TaskRouter
from supervisor.addons.fleet.placement.leases import DirectoryLease
from supervisor.addons.fleet.placement.waiting import DRIVER_S
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement

AT_ONCE = 8
"""Calls that the host takes at once."""
PATIENCE_S = 20.0
PLAN = Plan(name="many-drivers", config=Config(cdp_url="ws://127.0.0.1:9/devtools/browser/none"))
PLACE = Placement("t1", "h1", 1)


KILLED = """
import asyncio, sys
from supervisor.addons.fleet.on_ray import directory_actor
from supervisor.addons.fleet.on_ray.cluster import connect_to_ray
from tests.supervisor.addons.fleet.on_ray.test_many_drivers import OneHost, called, joined

async def main():
    routers = [await joined(OneHost()) for _ in range(int(sys.argv[2]))]
    for router in routers:
        await called(router)
    print("all", flush=True)
    await asyncio.Event().wait()

directory_actor.WATCH_S = 1.0
connect_to_ray(sys.argv[1])
asyncio.run(main())
"""

WAITING = """
import asyncio, sys
from supervisor.addons.fleet import Fleet

async def main():
    fleet = Fleet.attach(sys.argv[2], address=sys.argv[1])
    forever = {"expression": "new Promise(() => {})"}
    calls = [asyncio.create_task(fleet.adispatch("browser_evaluate", forever, "t1")) for _ in range(8)]
    while not [task for task in await asyncio.to_thread(fleet.tasks) if task.load and task.load.calls == 8]:
        await asyncio.sleep(0.1)
    print("all", flush=True)
    await asyncio.gather(*calls)

asyncio.run(main())
"""


class OneHost:
    """A directory with one task, on one host."""

    def __init__(self) -> None:
        self.ask = self
        self.placed = 0
        """So often it was asked for a place."""

    async def remote(self, method: str, *_: Any) -> Outcome:
        self.placed += method == "place"
        return Outcome(value={"greet": PLAN, "place": PLACE, "leave": None}[method])


@pytest.fixture
def host(ray_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[RayHost]:
    """A host that takes few calls at once. Its browser is not started, and its directory does nothing but live."""
    monkeypatch.setattr(directory_actor, "HOST_CALLS", AT_ONCE)
    monkeypatch.setattr(directory_actor, "HOST_WATCHES", AT_ONCE)
    engine = RayEngine(PLAN)
    asyncio.run(DirectoryLease(engine.store, PLAN.name, PLAN.limits.fence_s).claim())
    host = engine.start_host(PLACE.host_id, ())
    asyncio.run(host.begin())
    yield host
    asyncio.run(host.stop())
    asyncio.run(engine.store.clear())


async def joined(directory: OneHost) -> TaskRouter:
    """A driver. In this process, which makes no difference to the host."""
    router = TaskRouter(PLAN, directory)
    await router.begin()
    return router


async def called(router: TaskRouter) -> float:
    """Call the host, and return the seconds that it took."""
    began = time.monotonic()
    with pytest.raises(NotHere):  # the host's answer: nobody gave it the task
        await router.ask_host(PLACE, "call_tool", "browser_snapshot", {}, patience_s=PATIENCE_S)
    return time.monotonic() - began


async def watched(for_s: float) -> float:
    """Take a place among those that wait for the end of the host, and return the seconds that it took."""
    began = time.monotonic()
    host = ray.get_actor(host_name(PLAN.name, PLACE.host_id), namespace=NAMESPACE)
    async with asyncio.timeout(PATIENCE_S):
        await host.stay.options(concurrency_group=WATCHES).remote(for_s)
    return time.monotonic() - began


async def test_drivers_that_were_killed(host: RayHost, ray_address: str) -> None:
    program = [sys.executable, "-c", KILLED, ray_address, str(AT_ONCE * 3)]
    killed = await asyncio.create_subprocess_exec(*program, stdout=asyncio.subprocess.PIPE)
    assert killed.stdout is not None
    assert await killed.stdout.readline() == b"all\n"
    killed.kill()
    await killed.wait()

    router = await joined(OneHost())
    assert await called(router) < PATIENCE_S
    assert await watched(0) < PATIENCE_S  # the others' time is over
    await router.end()


async def test_drivers_at_once_and_the_end_of_their_host_is_told_to_each(host: RayHost) -> None:
    directories = [OneHost() for _ in range(AT_ONCE * 6)]
    routers = [await joined(directory) for directory in directories]
    for router in routers:
        assert await called(router) < PATIENCE_S
        assert await router.placement(PLACE.task_id) == PLACE
    assert {directory.placed for directory in directories} == {1}

    await host.stop()

    async with asyncio.timeout(PATIENCE_S):
        while any(directory.placed == 1 for directory in directories):  # else they would go on to call it
            await asyncio.sleep(0.05)
            for router in routers:
                await router.placement(PLACE.task_id)
    for router in routers:
        await router.end()


@pytest.mark.thorough
async def test_the_calls_of_a_driver_that_was_killed_do_not_fill_its_task(ray_address: str) -> None:
    with (
        ThreadedMockServer() as server,
        Fleet(Config(cdp_url=server.url, call_timeout_s=3600), name="killed-calls", toolsets="all") as fleet,
    ):
        killed = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WAITING, ray_address, fleet.name, stdout=asyncio.subprocess.PIPE
        )
        assert killed.stdout is not None
        assert await killed.stdout.readline() == b"all\n"
        refused = json.loads(await fleet.adispatch("browser_evaluate", {"expression": "1"}, "t1"))
        assert refused["error_type"] == "TooManyCalls"
        killed.kill()
        await killed.wait()

        async with asyncio.timeout(DRIVER_S + PATIENCE_S):
            while not json.loads(await fleet.adispatch("browser_evaluate", {"expression": "1"}, "t1"))["success"]:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.5)
        fleet.stop()
