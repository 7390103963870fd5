"""Hosts of nodes that are about to go are drained within what is left of the time of their node."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from supervisor.addons.fleet import Hosts, Limits
from supervisor.addons.fleet.placement.leaving_nodes import LOOK_S, MOVING_S, LeavingNodes
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster, SimulatedHost
from tests.supervisor.addons.fleet.placement.virtual_time import run_virtually

DRAIN_S = 60.0
SOON_S = LOOK_S * 2


class Going:
    """What the cluster says of its nodes."""

    def __init__(self) -> None:
        self.nodes: dict[str, float | None] = {}

    async def leaving(self) -> Mapping[str, float | None]:
        return self.nodes


async def begun(going: Going) -> tuple[SimulatedCluster, SimulatedHost, asyncio.Task[None]]:
    """A fleet with a task, and its host."""
    cluster = SimulatedCluster(Hosts(least=1, tasks=2), Limits(drain_s=DRAIN_S))
    watching = asyncio.create_task(LeavingNodes(cluster.directory, going).watch())
    await cluster.place("t1")
    return cluster, cluster.host_of("t1"), watching


@pytest.mark.parametrize(
    ("left_s", "moved_after_s"), [(None, DRAIN_S), (1000.0, DRAIN_S), (MOVING_S + 10, 10.0), (MOVING_S - 5, 0.0)]
)
def test_the_tasks_of_a_node_that_goes_move_in_time(left_s: float | None, moved_after_s: float) -> None:
    async def play() -> None:
        going = Going()
        cluster, host, watching = await begun(going)

        going.nodes[host.report().facts.node_id] = None if left_s is None else host.report().clock + left_s
        await asyncio.sleep(moved_after_s - 1)
        assert moved_after_s == 0 or "t1" in host.tasks
        await asyncio.sleep(1 + SOON_S)

        assert "t1" not in host.tasks
        assert not host.is_alive
        assert (await cluster.place("t1")).host_id != host.host_id
        watching.cancel()

    run_virtually(play())


def test_no_task_comes_to_a_node_that_goes_and_other_hosts_stay() -> None:
    async def play() -> None:
        going = Going()
        cluster, host, watching = await begun(going)
        going.nodes[host.report().facts.node_id] = None
        await asyncio.sleep(SOON_S)

        other = await cluster.place("t2")

        assert other.host_id != host.host_id
        assert {h.host_id: h.state for h in cluster.directory.status().hosts} == {
            host.host_id: "draining",
            other.host_id: "serving",
        }
        watching.cancel()

    run_virtually(play())


def test_a_host_that_is_drained_already_keeps_its_time_unless_its_node_goes_sooner() -> None:
    async def play() -> None:
        going = Going()
        cluster, host, watching = await begun(going)
        cluster.directory.drains.drain(host.host_id, 500)

        going.nodes[host.report().facts.node_id] = host.report().clock + 1000.0
        await asyncio.sleep(DRAIN_S + SOON_S)
        assert "t1" in host.tasks

        watching.cancel()

    run_virtually(play())


def test_a_new_directory_drains_what_the_one_before_it_drained() -> None:
    async def play() -> None:
        going = Going()
        cluster, host, watching = await begun(going)
        going.nodes[host.report().facts.node_id] = None
        await asyncio.sleep(SOON_S)
        watching.cancel()
        cluster.restart_directory()

        again = asyncio.create_task(LeavingNodes(cluster.directory, going).watch())
        await asyncio.sleep(SOON_S)

        assert [h.state for h in cluster.directory.status().hosts if h.host_id == host.host_id] == ["draining"]
        again.cancel()

    run_virtually(play())


def test_it_ends_with_the_fleet() -> None:
    async def play() -> None:
        cluster, _, watching = await begun(Going())

        await cluster.directory.stop()

        async with asyncio.timeout(SOON_S):
            await watching

    run_virtually(play())
