"""Whatever the wall clocks of its machines say, and whoever sets them, a fleet measures the same times."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import pytest

from supervisor.addons import fleet
from supervisor.addons.fleet import FleetStopped, Hosts, Limits
from supervisor.addons.fleet.placement.leaving_nodes import MOVING_S
from supervisor.addons.fleet.placement.waiting import DRIVER_S
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster
from tests.supervisor.addons.fleet.placement.test_leaving_nodes import SOON_S, begun
from tests.supervisor.addons.fleet.placement.virtual_time import virtual_loop

DAY_S = 86_400.0
STEPS = [-3 * DAY_S, -3600.0, -60.0, 60.0, 3600.0, 3 * DAY_S]
ANY_STEP = pytest.mark.parametrize("step_s", STEPS)

WALL = {"time", "time_ns", "localtime", "gmtime", "datetime", "now", "utcnow", "today"}
READERS = {"hosting/recording_files.py", "hosting/task_host.py"}
"""They date files of their own machine that nobody saw before, and report the clock of their machine."""


def test_no_other_file_of_the_fleet_reads_the_wall_clock() -> None:
    folder = Path(fleet.__file__).parent
    found = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in WALL
        and isinstance(node.value, ast.Name)
        and node.value.id in ("time", "datetime", "date")
    }

    assert found == READERS


@ANY_STEP
async def test_a_step_of_the_directorys_clock_ends_nothing(step_s: float) -> None:
    limits = Limits(ttl_s=600, drain_s=100)
    cluster = SimulatedCluster(Hosts(least=2, tasks=1, idle_s=500), limits, keeps=False, is_own=True)
    first, second = await cluster.place("t1"), await cluster.place("t2")
    cluster.directory.drains.drain(second.host_id)
    cluster.host_of("t1").expire("t1")

    virtual_loop().wall_s = step_s
    for _ in range(18):
        await asyncio.sleep(5)
        cluster.directory.greet("driver")
    status = cluster.directory.status()

    assert cluster.states == {"t1": "lost", "t2": "placed"}
    states = {host.host_id: host.state for host in status.hosts}
    assert (states[first.host_id], states[second.host_id]) == ("serving", "draining")
    assert all(host.report_age_s is not None and 0 <= host.report_age_s < 3 for host in status.hosts)
    await asyncio.sleep(15)
    assert cluster.states == {"t1": "lost", "t2": "lost"}
    await asyncio.sleep(DRIVER_S)
    with pytest.raises(FleetStopped):
        cluster.directory.greet("driver")


@ANY_STEP
async def test_the_next_directory_drains_on_in_the_time_that_is_left(step_s: float) -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1), Limits(drain_s=100))
    placement = await cluster.place("t1")
    cluster.directory.drains.drain(placement.host_id)
    await asyncio.sleep(60)

    virtual_loop().wall_s = step_s  # it starts on another machine
    cluster.restart_directory()
    await asyncio.sleep(35)
    assert cluster.states == {"t1": "placed"}
    await asyncio.sleep(10)

    assert cluster.states == {"t1": "lost"}


async def test_a_directory_that_often_starts_again_ends_a_drain_all_the_same() -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1), Limits(drain_s=100))
    placement = await cluster.place("t1")
    cluster.directory.drains.drain(placement.host_id)
    for _ in range(12):
        await asyncio.sleep(10)
        cluster.restart_directory()
    await cluster.directory.recovered.wait()

    assert cluster.states == {"t1": "lost"}


@ANY_STEP
@pytest.mark.parametrize("whose", ["node", "directory", "directory later"])
async def test_the_end_of_a_node_is_read_by_its_own_clock(step_s: float, whose: str) -> None:
    _, host, going = await begun(drain_s=100)
    if whose == "node":
        host.wall_s = step_s
    elif whose == "directory":
        virtual_loop().wall_s = step_s
    await asyncio.sleep(3)

    going.go(host, MOVING_S + 30)
    await asyncio.sleep(SOON_S)
    if whose == "directory later":
        virtual_loop().wall_s = step_s
    await asyncio.sleep(27 - SOON_S)
    assert "t1" in host.tasks
    await asyncio.sleep(5)
    assert "t1" not in host.tasks
