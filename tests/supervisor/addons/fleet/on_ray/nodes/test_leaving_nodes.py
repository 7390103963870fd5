"""A node that is about to go, by SIGTERM or by `ray drain-node`: its tasks move with their cookies before it does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from supervisor.addons.fleet import Fleet, HostFacts, Hosts, Limits
from supervisor.addons.fleet.on_ray.ray_api import ray
from tests.supervisor.addons.fleet.running import called, evaluated, wait_until
from tests.support.servers.sites import Sites

RAY = Path(sys.executable).with_name("ray")
GRACE_S = 60
"""Seconds that a node has after SIGTERM."""
WITHIN_S = 2.0
PATIENCE_S = 45.0
"""Less than the time after which the node would go with its tasks."""


class SpotNode:
    """A node that is started as a container starts it: `ray start --block`."""

    def __init__(self, address: str, ip: str) -> None:
        offered = json.dumps({"spot": 1})
        sizes = ["--num-cpus=1", f"--resources={offered}", "--object-store-memory=80000000"]
        self.process = subprocess.Popen(
            [RAY, "start", f"--address={address}", f"--node-ip-address={ip}", *sizes, "--block"],
            env={**os.environ, "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": str(GRACE_S)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self) -> None:
        """End it. It is idle, so that it goes at once."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()


@pytest.fixture
def nodes(ray_address: str) -> Iterator[dict[str, SpotNode]]:
    """By address: nodes with room for one host each."""
    made: dict[str, SpotNode] = {}
    try:
        for ip in ("127.0.0.2", "127.0.0.3", "127.0.0.4"):  # at once, none of them begins
            made[ip] = SpotNode(ray_address, ip)
            wait_until(lambda: ray.cluster_resources().get("spot", 0) == len(made))
        yield made
    finally:
        for node in made.values():
            node.close()


@pytest.fixture
def page(sites: Sites) -> str:
    sites.pages["/shop"] = "shop"
    return sites.local("/shop")


@contextmanager
def fleet_with_cookies(page: str, resource: str) -> Generator[Fleet]:
    """A fleet that keeps checkpoints, though none is due in the time of a test; its task has a cookie."""
    limits = Limits(drain_s=WITHIN_S, checkpoint_s=3600)
    fleet = Fleet({}, toolsets="all", hosts=Hosts(resources={resource: 1.0}), limits=limits, name="leaving")
    try:
        called(fleet, "browser_navigate", url=page)
        evaluated(fleet, "document.cookie = 'basket=full; max-age=1000'")
        yield fleet
    finally:
        fleet.stop()


def host_of(fleet: Fleet) -> tuple[str, HostFacts]:
    """The host that has the task."""
    (placed,) = [task.host_id for task in fleet.tasks()]
    (host,) = [host for host in fleet.status().hosts if host.host_id == placed]
    assert host.facts is not None
    return host.host_id, host.facts


def check_that_it_has_moved(fleet: Fleet, page: str) -> None:
    again = called(fleet, "browser_navigate", url=page)
    assert again["restarted"].startswith("its host is drained; cookies, localStorage and IndexedDB are ")
    assert evaluated(fleet, "document.cookie")["value"] == "basket=full"


def end_by_sigterm(node: SpotNode, node_id: str, address: str) -> None:
    node.process.send_signal(signal.SIGTERM)


def end_by_command(node: SpotNode, node_id: str, address: str) -> None:
    """What a program does that is told that a spot machine will be taken away."""
    why = ["--reason=DRAIN_NODE_REASON_PREEMPTION", "--reason-message=spot"]
    within = f"--deadline-remaining-seconds={GRACE_S}"
    subprocess.run([RAY, "drain-node", f"--address={address}", f"--node-id={node_id}", *why, within], check=True)


def test_nodes_that_are_to_go_give_their_tasks_away_first(
    nodes: dict[str, SpotNode], ray_address: str, page: str
) -> None:
    with fleet_with_cookies(page, "spot") as fleet:
        for end in (end_by_sigterm, end_by_command):
            host_id, facts = host_of(fleet)

            end(nodes[facts.address], facts.node_id, ray_address)

            wait_until(lambda gone=host_id: gone not in {host.host_id for host in fleet.status().hosts}, PATIENCE_S)  # type: ignore[misc]
            check_that_it_has_moved(fleet, page)


def test_sigterm_to_a_host_drains_it(ray_address: str, page: str) -> None:
    with fleet_with_cookies(page, "browser") as fleet:
        _, facts = host_of(fleet)

        os.kill(facts.pid, signal.SIGTERM)

        wait_until(lambda: not Path(f"/proc/{facts.pid}").exists(), PATIENCE_S)
        check_that_it_has_moved(fleet, page)
