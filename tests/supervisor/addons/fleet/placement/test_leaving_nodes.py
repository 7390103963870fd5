"""Hosts of nodes that are about to go are drained within what is left of the time of their node."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from supervisor.addons.fleet import Hosts, Limits
from supervisor.addons.fleet.placement.leaving_nodes import LOOK_S, MOVING_S, LeavingNodes
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster, SimulatedHost

DRAIN_S = 60.0
SOON_S = LOOK_S * 2


class Going:
    """What the cluster says of its nodes; the directory that there is now watches it."""

    def __init__(self, cluster: SimulatedCluster) -> None:
        self.watching: asyncio.Task[None] = asyncio.create_task(LeavingNodes(cluster.directory, self).watch())
        self._nodes: dict[str, float | None] = {}

    async def leaving(self) -> Mapping[str, float | None]:
        return self._nodes

    def go(self, host: SimulatedHost, left_s: float | None = None) -> None:
        """Say that the node of this host goes in so many seconds."""
        now = host.report()
        self._nodes[now.facts.node_id] = None if left_s is None else now.clock + left_s


async def begun(drain_s: float = DRAIN_S) -> tuple[SimulatedCluster, SimulatedHost, Going]:
    """A fleet with a task, its host, and the nodes."""
    cluster = SimulatedCluster(Hosts(least=1, tasks=2), Limits(drain_s=drain_s))
    await cluster.place("t1")
    return cluster, cluster.host_of("t1"), Going(cluster)


@pytest.mark.parametrize(
    ("left_s", "moved_after_s"), [(None, DRAIN_S), (1000.0, DRAIN_S), (MOVING_S + 10, 10.0), (MOVING_S - 5, 0.0)]
)
async def test_the_tasks_of_a_node_that_goes_move_in_time(left_s: float | None, moved_after_s: float) -> None:
    cluster, host, going = await begun()

    going.go(host, left_s)
    await asyncio.sleep(moved_after_s - 1)
    assert moved_after_s == 0 or "t1" in host.tasks
    await asyncio.sleep(1 + SOON_S)

    assert ("t1" in host.tasks, host.is_alive) == (False, False)
    assert (await cluster.place("t1")).host_id != host.host_id


async def test_no_task_comes_to_a_node_that_goes_and_other_hosts_stay() -> None:
    cluster, host, going = await begun()
    going.go(host)
    await asyncio.sleep(SOON_S)

    other = await cluster.place("t2")

    states = {status.host_id: status.state for status in cluster.directory.status().hosts}
    assert states == {host.host_id: "draining", other.host_id: "serving"}


async def test_a_host_that_is_drained_already_keeps_its_time_unless_its_node_goes_sooner() -> None:
    cluster, host, going = await begun()
    cluster.directory.drains.drain(host.host_id, 500)

    going.go(host, 1000.0)
    await asyncio.sleep(DRAIN_S + SOON_S)

    assert "t1" in host.tasks


async def test_it_ends_with_the_fleet() -> None:
    cluster, _, going = await begun()

    await cluster.directory.stop()

    async with asyncio.timeout(SOON_S):
        await going.watching
