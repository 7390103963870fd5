"""Hosts without browsers, several in a process, and a directory that starts them: the rest is what a fleet runs."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.on_ray.actor_names import NAMESPACE
from supervisor.addons.fleet.on_ray.directory_actor import (
    HOST_CALLS,
    HOST_WATCHES,
    WATCHES,
    DirectoryActor,
    RayEngine,
    RayHost,
)
from supervisor.addons.fleet.on_ray.host_actor import RayDirectory
from supervisor.addons.fleet.on_ray.outcomes import Outcome, asked, carried_out
from supervisor.addons.fleet.on_ray.ray_api import cloudpickle, ray
from supervisor.addons.fleet.placement.directory import Directory
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import HostFacts, HostReport

PROCESSES = 8
TRIES = 200


class ReportCost(Struct, frozen=True):
    """The cost of a report for the process that sends it."""

    size: int
    made_s: float
    packed_s: float


class HostsActor:
    """Several hosts in one process. Their tasks have settings and leases, and no browser, as nobody calls them."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._hosts: dict[str, Host] = {}

    async def tell(self, host_id: str, method: str, *args: Any) -> Outcome:
        """See `HostActor.tell`."""
        if host_id not in self._hosts:
            facts = HostFacts(node_id="", address="127.0.0.1", pid=os.getpid(), package="", browser="simulated")
            self._hosts[host_id] = Host(host_id, self._plan, RayDirectory(self._plan.name), facts)
        return await carried_out(getattr(self._hosts[host_id], method), *args)

    async def ids(self) -> list[str]:
        """The hosts in this process."""
        return list(self._hosts)

    async def stay(self, for_s: float) -> None:
        """See `HostActor.stay`."""
        await asyncio.sleep(for_s)

    async def report_cost(self) -> ReportCost:
        """Measure what a report of the first host costs."""
        host = next(iter(self._hosts.values()))
        began = time.process_time()
        reports = [host.report() for _ in range(TRIES)]
        made = time.process_time()
        data = [cloudpickle.dumps(report) for report in reports]
        return ReportCost(len(data[0]), (made - began) / TRIES, (time.process_time() - made) / TRIES)


class SimulatedHost(RayHost):
    """A host of a `HostsActor` as the directory sees it."""

    def __init__(self, handle: Any, host_id: str) -> None:
        super().__init__(handle)
        self._actor = handle
        self._host_id = host_id

    async def _tell(self, method: str, *args: Any) -> Any:
        return await asked(self._actor.tell.remote(self._host_id, method, *args))

    async def stop(self) -> None:
        """The processes end with the cluster."""


class SimulatedEngine(RayEngine):
    """Puts new hosts into a few processes by turns."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._actors = [hosts_actor(plan, number) for number in range(PROCESSES)]
        self._turn = 0

    def start_host(self, host_id: str, avoided: Collection[str]) -> SimulatedHost:
        """See `HostLauncher`."""
        self._turn += 1
        return SimulatedHost(self._actors[self._turn % PROCESSES], host_id)

    async def hosts(self) -> Mapping[str, RayHost]:
        """See `HostLauncher`."""
        found: dict[str, RayHost] = {}
        for actor in self._actors:
            found |= {host_id: SimulatedHost(actor, host_id) for host_id in await actor.ids.remote()}
        return found


class SimulatedDirectory(DirectoryActor):
    """The directory of a fleet whose hosts are simulated."""

    def _get(self) -> Directory:
        if self._directory is None:
            self._directory = Directory(self._plan, SimulatedEngine(self._plan), keeps=self._keeps)
            self._running = asyncio.create_task(self._directory.run())
        return self._directory

    async def pid(self) -> int:
        """The process of the directory."""
        self._get()
        return os.getpid()

    async def read_cost(self) -> float:
        """The seconds of the processor that it takes to read a report."""
        entry = next(iter(self._get().status().hosts))
        load = [task.load for task in self._get().tasks() if task.host_id == entry.host_id and task.load is not None]
        assert entry.facts is not None
        report = HostReport(
            host_id=entry.host_id,
            facts=entry.facts,
            tasks=tuple(load),
            calls=0,
            restarts=0,
            browser_deaths=0,
            clock=0.0,
            is_sick=False,
        )
        data = cloudpickle.dumps(report)
        began = time.process_time()
        for _ in range(TRIES):
            cloudpickle.loads(data)
        return (time.process_time() - began) / TRIES


def hosts_actor(plan: Plan, number: int) -> Any:
    """Return the process with this number, which Ray starts where there is none."""
    return (
        ray.remote(concurrency_groups={WATCHES: HOST_WATCHES})(HostsActor)
        .options(
            name=f"{plan.name}/simulated/{number}",
            namespace=NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            num_cpus=0,
            max_concurrency=HOST_CALLS,
        )
        .remote(plan)
    )
