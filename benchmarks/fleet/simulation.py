"""Ten thousand tasks on a hundred simulated hosts: what the directory, Ray's registry and a driver take for them."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any

from ray.exceptions import RayActorError

from benchmarks.fleet import simulated
from benchmarks.fleet.browsers import one_node
from benchmarks.processes import memory_of, processor_s
from benchmarks.table import render
from supervisor import Config
from supervisor.addons.fleet.errors import FleetFull
from supervisor.addons.fleet.on_ray.actor_names import NAMESPACE, directory_name
from supervisor.addons.fleet.on_ray.directory_actor import DIRECTORY_CALLS
from supervisor.addons.fleet.on_ray.ray_api import list_named_actors, ray
from supervisor.addons.fleet.on_ray.router import TaskRouter
from supervisor.addons.fleet.settings import Hosts, Limits, Plan
from supervisor.addons.fleet.values import FleetStatus

HOSTS, TASKS_EACH = 100, 100
TASKS = HOSTS * TASKS_EACH
AT_ONCE = 200
ASKED = 2_000
"""So many calls of `place` for tasks that have one."""
REST_S = 10.0
NAMES = 1_000
MIB = 2**20

Row = tuple[str, str]


def report() -> str:
    """Return the table."""
    with one_node() as cluster:
        ray.init(str(cluster.address), namespace=NAMESPACE, log_to_driver=False, logging_level="ERROR")
        (registry,) = cluster.head_node.all_processes["gcs_server"]
        rows = asyncio.run(_measured(registry.process.pid))
    title = f"{TASKS:,} tasks on {HOSTS} simulated hosts in {simulated.PROCESSES} processes"
    return render(title, ["", ""], rows)


async def _measured(registry: int) -> list[Row]:
    plan = Plan(
        name="simulated",
        config=Config(cdp_url="ws://host.invalid"),
        hosts=Hosts(least=HOSTS, most=HOSTS, tasks=TASKS_EACH),
        limits=Limits(queue_s=600, ttl_s=3600),
        tools=["browser_evaluate"],
    )
    directory = _directory(plan)
    pid: int = await directory.pid.remote()
    router = TaskRouter(plan, directory)
    await router.begin()
    await _until(router, lambda status: status.capacity == TASKS)
    rows = [("directory, no tasks: memory", _mib(pid)), ("registry (GCS): memory", _mib(registry))]
    rest = await _share(pid)
    rows += await _placing(router, pid, rest)
    rows += await _at_rest(pid, registry, directory)
    rows += await _reports(plan, directory)
    rows += _names(registry)
    rows += await _recovery(router, directory, pid)
    await router.end()
    return rows


def _directory(plan: Plan) -> Any:
    options = {"name": directory_name(plan.name), "namespace": NAMESPACE, "lifetime": "detached", "num_cpus": 0}
    actor = ray.remote(simulated.SimulatedDirectory).options(
        **options, max_restarts=-1, max_task_retries=0, max_concurrency=DIRECTORY_CALLS
    )
    return actor.remote(plan, True)


async def _share(pid: int) -> float:
    """The share of a core that a process takes now."""
    used, began = processor_s([pid]), time.perf_counter()
    await asyncio.sleep(REST_S)
    return (processor_s([pid]) - used) / (time.perf_counter() - began)


async def _placing(router: TaskRouter, pid: int, rest: float) -> list[Row]:
    """Processor time is counted without what the hosts' reports take, `rest`."""
    own = memory_of(os.getpid())
    used, began = processor_s([pid]), time.perf_counter()
    places = await _each(
        AT_ONCE, TASKS, lambda number: router.ask("place", f"task-{number}", router.driver, 600.0, None)
    )
    seconds = time.perf_counter() - began
    busy = processor_s([pid]) - used - rest * seconds
    assert len({place.task_id for place in places}) == TASKS
    grown = memory_of(os.getpid()) - own
    used, began = processor_s([pid]), time.perf_counter()
    await _each(AT_ONCE, ASKED, lambda number: router.ask("place", f"task-{number}", router.driver, 600.0, None))
    again = time.perf_counter() - began
    busy_again = processor_s([pid]) - used - rest * again
    used, began = processor_s([pid]), time.perf_counter()
    late = (router.ask("place", f"late-{number}", router.driver, 20.0, None) for number in range(ASKED))
    refused = await asyncio.gather(*late, return_exceptions=True)
    assert {type(error) for error in refused} == {FleetFull}
    queued = time.perf_counter() - began
    busy_queued = processor_s([pid]) - used - rest * queued
    return [
        (f"placing {TASKS:,} tasks, {AT_ONCE} at once", f"{seconds:.1f} s"),
        ("directory, for each of them: processor time", _ms(busy / TASKS)),
        ("driver, for each of them: memory", f"{grown / TASKS / 1024:.1f} KiB"),
        ("asking for a place that is known: processor time", _ms(busy_again / ASKED)),
        ("asking for it: calls per second", f"{ASKED / again:,.0f}"),
        (f"{ASKED:,} more that wait 20 s and are refused: time", f"{queued:.1f} s"),
        ("directory, for each of them: processor time", _ms(busy_queued / ASKED)),
    ]


async def _at_rest(pid: int, registry: int, directory: Any) -> list[Row]:
    share, registry_share = await asyncio.gather(_share(pid), _share(registry))
    began = time.perf_counter()
    await directory.ask.remote("tasks")
    listed = time.perf_counter() - began
    return [
        ("directory at rest: processor time", f"{share:.1%} of a core"),
        ("registry at rest: processor time", f"{registry_share:.1%} of a core"),
        ("directory: memory", _mib(pid)),
        ("driver: memory", _mib(os.getpid())),
        ("listing all tasks", f"{listed:.2f} s"),
    ]


async def _reports(plan: Plan, directory: Any) -> list[Row]:
    cost: simulated.ReportCost = await simulated.hosts_actor(plan, 0).report_cost.remote()
    read: float = await directory.read_cost.remote()
    return [
        (f"a report of {TASKS_EACH} tasks: size", f"{cost.size / 1024:.1f} KiB"),
        ("a report: made and packed by the host", f"{_ms(cost.made_s)} and {_ms(cost.packed_s)}"),
        ("a report: read by the directory", _ms(read)),
    ]


def _names(registry: int) -> list[Row]:
    """Names of actors that wait for a resource that is not there: no process is started for them."""
    rows: list[Row] = []
    kept: list[Any] = []
    for count in (HOSTS, NAMES):
        before = memory_of(registry)
        kept += (
            ray.remote(simulated.HostsActor)
            .options(name=f"name-{number}", num_cpus=0, resources={"none": 1})
            .remote(None)
            for number in range(len(kept), count)
        )
        while len(list_named_actors(all_namespaces=True)) < count:
            time.sleep(0.1)
        began = time.perf_counter()
        list_named_actors(all_namespaces=True)
        listed = time.perf_counter() - began
        grown = (memory_of(registry) - before) / MIB
        rows.append((f"registry with {count:,} named actors: listing them", f"{_ms(listed)} (+{grown:.1f} MiB)"))
    return rows


async def _recovery(router: TaskRouter, directory: Any, pid: int) -> list[Row]:
    os.kill(pid, signal.SIGKILL)
    began = time.perf_counter()
    await router.ask("place", "task-0", router.driver, 600.0, None)
    first = time.perf_counter() - began
    await _until(router, lambda status: status.tasks == TASKS)
    all_s = time.perf_counter() - began
    pid = await directory.pid.remote()
    return [
        ("directory killed: until it gives places again", f"{first:.1f} s"),
        (f"until it knows all {TASKS:,} tasks", f"{all_s:.1f} s"),
        ("of it, processor time of the new directory", f"{processor_s([pid]):.1f} s"),
    ]


async def _until(router: TaskRouter, holds: Callable[[FleetStatus], bool]) -> None:
    while True:
        try:
            if holds(await router.ask("status")):
                return
        except RayActorError:
            pass
        await asyncio.sleep(0.1)


async def _each(at_once: int, count: int, work: Callable[[int], Awaitable[Any]]) -> list[Any]:
    """Await the work for every number, so many of them at once."""
    numbers = iter(range(count))

    async def worker() -> list[Any]:
        return [await work(number) for number in numbers]

    return [result for results in await asyncio.gather(*(worker() for _ in range(at_once))) for result in results]


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"


def _mib(pid: int) -> str:
    return f"{memory_of(pid) / MIB:,.0f} MiB"
