"""Browsers and clusters that the figures of a fleet are measured with."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ray.cluster_utils import Cluster

from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.mock import MockServer
from supervisor import Config
from supervisor.addons.fleet.hosting.host_browser import HostBrowser
from supervisor.addons.fleet.on_ray.ray_api import ray
from supervisor.addons.fleet.settings import Hosts
from supervisor.config import config_of

HERE, THERE = "browser_here", "browser_there"
"""The resources that the driver's machine and the other machine offer to hosts."""
PLACES = 10


@contextmanager
def one_node() -> Generator[Any]:
    """Start a cluster of one node, on which this process is."""
    head = {"num_cpus": 1, "resources": {HERE: PLACES}, "include_dashboard": False}
    cluster: Any = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


@contextmanager
def two_nodes() -> Generator[str]:
    """Start a cluster of two nodes, of which this process is on the first; gives its address."""
    with one_node() as cluster:
        cluster.add_node(num_cpus=1, resources={THERE: PLACES})
        cluster.wait_for_nodes()
        yield str(cluster.address)


@contextmanager
def mock() -> Generator[str]:
    """Serve a mock browser in its own process; gives its address."""
    command = [sys.executable, "-m", "benchmarks.fleet.browsers"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


@contextmanager
def chromium() -> Generator[Config]:
    """Start a Chromium as a host does, in this process; gives the settings of a task on it."""
    browser = HostBrowser(Hosts(), lambda _reason: None)
    with LOOP_THREAD.held():
        try:
            yield config_of(browser.endpoint, {"scope": "own", "own_context": True, "reconnect_attempts": 0})
        finally:
            LOOP_THREAD.run(browser.close())


async def _serve() -> None:
    async with MockServer() as server:
        print(server.url, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve())
