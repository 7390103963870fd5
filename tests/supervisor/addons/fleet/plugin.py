"""One Ray cluster on this machine for the tests of a worker, which leaves nothing behind. A pytest plugin.

Tests that take `ray_address` belong into a folder `on_ray`, so that all of them are played on one worker (see
`tests.support.runs.workers`).
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

__all__ = ["processes_with", "ray_address", "ray_cluster"]

NODE = {
    "num_cpus": 4,  # Ray starts so many processes in advance; hosts and directories are made of them
    "resources": {"browser": 100.0},
    "object_store_memory": 80 * 2**20,
    "include_dashboard": False,
    "dashboard_port": 0,
    "include_log_monitor": False,
    "no_monitor": True,
}
"""What the cluster has; without the processes that tests do not need, it starts in half the time."""

SETTINGS = {
    "RAY_worker_niceness": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_metrics_report_interval_ms": "1000",
}
"""For Ray: it tells nobody of its use, does not warn of what it will do in versions to come, and tells metrics soon."""

GONE_S = 15.0


@contextmanager
def ray_cluster() -> Generator[str]:
    """Start a cluster with one node, and connect this process to it; its address. Nothing is left of it afterwards."""
    folder = tempfile.mkdtemp(prefix="ray-tests-", dir="/tmp")  # a socket's path may not be long
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**SETTINGS, "RAY_TMPDIR": folder}.items():
            patch.setenv(name, value)
        patch.delenv("RAY_ADDRESS", raising=False)
        try:
            yield from _running()
        finally:
            left = _processes_that_stay(folder)
            shutil.rmtree(folder)
    assert not left, f"left behind by Ray: {left}"


@pytest.fixture(scope="session")
def ray_address() -> Iterator[str]:
    """The address of the worker's cluster, which this process is connected to: `Fleet()` uses it."""
    with ray_cluster() as address:
        yield address


def processes_with(text: str) -> dict[int, str]:
    """Pid and command line of every running process that has the text in its command line or its environment."""
    running: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if command and text.encode() in command + environment and int(folder.name) != os.getpid():
            running[int(folder.name)] = command.replace(b"\0", b" ").decode(errors="replace")[:120]
    return running


def _running() -> Iterator[str]:
    """Ray is not imported before it is needed: that takes a second."""
    from ray.cluster_utils import Cluster

    connect_to_ray = import_module("supervisor.addons.fleet.on_ray.cluster").connect_to_ray
    ray = import_module("supervisor.addons.fleet.on_ray.ray_api").ray

    before = signal.getsignal(signal.SIGTERM)
    cluster: Any = Cluster(initialize_head=True, head_node_args=NODE)
    try:
        connect_to_ray(cluster.address)
        signal.signal(signal.SIGTERM, before)  # other tests of this worker find it as it was
        yield cluster.address
    finally:
        ray.shutdown()
        cluster.shutdown()


def _processes_that_stay(folder: str) -> dict[int, str]:
    give_up = time.monotonic() + GONE_S
    while (left := processes_with(folder)) and time.monotonic() < give_up:
        time.sleep(0.05)
    return left
