"""A program that measures when calls end, and tasks have a place again, after each kind of loss."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable

from examples.fleet.local_cluster import LocalCluster
from supervisor.addons.fleet import Fleet, Hosts, HostStatus

LONG = "new Promise(done => setTimeout(done, 170000))"
LOSSES = ("process of the host", "raylet", "raylet and directory", "silent node", "directory")


class Times:
    """Measures on one cluster; the head has the driver, and is never lost."""

    def __init__(self, cluster: LocalCluster) -> None:
        self._cluster = cluster

    def measure(self, loss: str) -> str:
        """Lose something while a call is under way; returns a row of the table."""
        name = loss.replace(" ", "-")
        while len(self._cluster.nodes) < 3:
            self._cluster.add_node()
        fleet = Fleet(toolsets="all", hosts=Hosts(least=3, tasks=1), name=name, address=self._cluster.address)
        try:
            return asyncio.run(self._measured(fleet, loss))
        finally:
            fleet.stop()

    async def _measured(self, fleet: Fleet, loss: str) -> str:
        tasks = [f"t{number}" for number in range(3)]
        for task in tasks:
            await fleet.adispatch("browser_evaluate", {"expression": "1"}, task)
        host, task = self._victim(fleet)
        assert host.facts is not None
        await asyncio.sleep(1)
        call = asyncio.create_task(fleet.supervisor(task).evaluate(LONG, await_promise=True, timeout_s=175))
        await asyncio.sleep(1)
        resume = self._lose(loss, host)
        began = time.monotonic()
        other = asyncio.create_task(self._place(fleet, "new", began))
        ended = "goes on"
        if loss != "directory":
            try:
                await call
            except Exception as error:
                ended = f"{type(error).__name__} ({error}) after {time.monotonic() - began:.1f} s"
        else:
            call.cancel()
        again = "goes on"
        if loss != "directory":
            again = await self._place(fleet, task, began)
        row = f"{loss} | call in flight: {ended} | its task: {again} | a new task: {await other}"
        resume()
        return row

    async def _place(self, fleet: Fleet, task: str, began: float) -> str:
        result = await fleet.adispatch("browser_evaluate", {"expression": "1"}, task)
        return f"{time.monotonic() - began:.1f} s: {result}"

    def _victim(self, fleet: Fleet) -> tuple[HostStatus, str]:
        hosts = {host.host_id: host for host in fleet.status().hosts}
        for task in fleet.tasks():
            host = hosts.get(task.host_id or "")
            if host is not None and host.facts is not None and host.facts.node_id != self._cluster.head:
                return host, task.task_id
        raise RuntimeError("no task is on a node that can be lost")

    def _lose(self, loss: str, host: HostStatus) -> Callable[[], None]:
        assert host.facts is not None
        directory = next(pid for pid, line in self._cluster.processes().items() if "ray::Directory" in line)
        match loss:
            case "process of the host":
                os.kill(host.facts.pid, signal.SIGKILL)
            case "directory":
                os.kill(directory, signal.SIGKILL)
            case "silent node":
                return self._cluster.stop_node(host.facts.node_id)
            case _:
                self._cluster.kill_node(host.facts.node_id)
                if "directory" in loss and self._cluster.processes().get(directory):
                    os.kill(directory, signal.SIGKILL)
        return lambda: None


def main() -> None:
    warnings.simplefilter("ignore")
    logging.getLogger("supervisor.fleet").setLevel(logging.ERROR)
    with LocalCluster() as cluster:
        times = Times(cluster)
        for loss in sys.argv[1:] or LOSSES:
            sys.stdout.write(f"{times.measure(loss)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
