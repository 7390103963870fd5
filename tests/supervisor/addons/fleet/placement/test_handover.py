"""What a directory knows of the time before it: losses, drains and counts outlive the process that knew them first."""

from __future__ import annotations

import asyncio

import pytest

from supervisor.addons.fleet import CutOff, Hosts, Limits
from supervisor.addons.fleet.placement import leases
from supervisor.addons.fleet.placement.directory import PROBE_S, RENEWAL_S
from supervisor.addons.fleet.values import EPOCH
from tests.supervisor.addons.fleet.local_store import LocalStore
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster
from tests.supervisor.addons.fleet.placement.virtual_time import elapsed, virtual_loop

FENCE_S = Limits().fence_s


async def test_a_task_whose_host_and_directory_ended_together_is_told_to_whoever_calls_first() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    first = await cluster.place("t1", "old")
    await cluster.directory.checkpoints.put("t1", b"cookies")
    checkpoints = cluster.directory.checkpoints

    cluster.host_of("t1").die()
    cluster.restart_directory()
    cluster.directory.checkpoints = checkpoints  # in a directory on a disk
    again = await cluster.place("t1", "new", doubted=0)
    while again == first:  # its driver finds no such host
        again = await cluster.place("t1", "new", doubted=first.number)

    host = cluster.host_of("t1")
    assert (host.told, host.checkpoints) == (
        {"t1": "its host ended; cookies, localStorage and IndexedDB are 0 s old, pages and sessionStorage gone"},
        {"t1": b"cookies"},
    )
    assert (first.epoch, again.epoch) == (1, 2)
    assert again.number > 2 * EPOCH
    await asyncio.sleep(0)
    cluster.restart_directory()
    await cluster.directory.recovered.wait()
    status = cluster.directory.status()
    assert (status.restarts, status.lost, status.tasks) == (1, 0, 1)


@pytest.mark.parametrize(
    ("silent_s", "least_s", "most_s"),
    [(0, FENCE_S - 2.5, FENCE_S + 2.5), (60, 0, PROBE_S + 1)],
    ids=["at once", "late"],
)
async def test_a_host_that_is_taken_for_dead_serves_no_more_when_its_task_is_placed_again(
    silent_s: float, least_s: float, most_s: float
) -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    placement = await cluster.place("t1")
    host = cluster.host_of("t1")
    if silent_s:
        host.cut()
    await asyncio.sleep(silent_s)

    host.lose()
    took, again = await elapsed(cluster.place("t1", doubted=placement.number))

    assert least_s <= took <= most_s
    assert (host.is_alive, host.lease.holds) == (True, False)
    assert cluster.hosts[again.host_id].told == {"t1": "its machine was lost"}
    host.heal()
    await asyncio.sleep(3)
    assert not host.is_alive  # it was given up for good


async def test_a_directory_that_reaches_no_control_store_decides_nothing_and_says_so() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    await cluster.place("t1")
    cluster.is_store_away = True
    await asyncio.sleep(FENCE_S + 1)

    asked = cluster.place("t1", wait_s=20), cluster.place("t2", wait_s=20), cluster.directory.end_task("t1")
    for work, after_s in zip(asked, (20, 20, RENEWAL_S), strict=True):
        took, error = await elapsed(work)
        assert took == pytest.approx(after_s)
        assert isinstance(error, CutOff)
        assert "does not reach the cluster's control store" in str(error)

    cluster.is_store_away = False
    await cluster.place("t2", wait_s=20)


async def test_a_directory_that_stood_still_decides_again_once_its_lease_is_renewed() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    await cluster.place("t1")

    virtual_loop().passing.now += 60
    await cluster.directory.end_task("t1")

    assert cluster.states == {}


async def test_a_directory_ends_when_a_later_one_has_begun_and_gives_no_place_before_that() -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1))
    await cluster.place("t1")
    earlier = cluster.directory

    later = cluster.second_directory()
    await later.recovered.wait()
    asking = asyncio.create_task(earlier.place("t2", "driver", 20))

    with pytest.raises(CutOff):
        await asking
    assert earlier.handover.deposed.is_set()
    assert not any("t2" in host.tasks for host in cluster.living)


async def test_a_drain_outlives_the_directory_until_it_is_lifted() -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1), Limits(drain_s=1000))
    placement = await cluster.place("t1")
    node = f"node-of-{placement.host_id}"
    assert cluster.directory.drains.drain(node) == 1
    await cluster.directory.handover.write_down()

    cluster.restart_directory()
    await cluster.directory.recovered.wait()

    states = {host.host_id: host.state for host in cluster.directory.status().hosts}
    assert states[placement.host_id] == "draining"
    assert await cluster.place("t1") == placement
    await asyncio.sleep(900)
    assert cluster.host_of("t1").host_id == placement.host_id

    assert cluster.directory.drains.undrain(node) == 2  # the node, and its host
    assert cluster.directory.drains.undrain(node) == 0
    await asyncio.sleep(200)
    assert cluster.host_of("t1").host_id == placement.host_id
    cluster.restart_directory()
    await cluster.directory.recovered.wait()
    assert {host.state for host in cluster.directory.status().hosts} == {"serving"}


async def test_no_host_starts_on_a_drained_node_also_after_the_directory_ended() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1, idle_s=5))
    placement = await cluster.place("t1")
    node = f"node-of-{placement.host_id}"
    cluster.directory.drains.drain(node, within_s=0)
    await cluster.directory.handover.write_down()
    cluster.restart_directory()
    await asyncio.sleep(5)

    await cluster.place("t2")
    assert cluster.avoided == [node]

    assert cluster.directory.drains.undrain(node) == 1
    await cluster.place("t3")
    assert cluster.avoided == []


def test_no_lease_holds_before_it_is_renewed_whatever_the_clock_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "now", lambda: -100.0)
    store = LocalStore({})

    assert not leases.HostLease(store, "h1", 10).holds
    assert not leases.DirectoryLease(store, "f", 10).holds
