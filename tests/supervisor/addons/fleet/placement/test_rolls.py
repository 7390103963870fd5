"""A roll of a simulated fleet: every host is replaced, or the old ones stay."""

from __future__ import annotations

import asyncio

import pytest

from supervisor.addons.fleet import Hosts, RollStopped
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster


async def test_a_roll_replaces_every_host_and_never_leaves_a_fleet_without_one() -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1))
    await asyncio.gather(cluster.place("t1"), cluster.place("t2"))
    before = {host.host_id for host in cluster.living}
    rolling = asyncio.create_task(cluster.directory.roll(within_s=1))
    while not rolling.done():
        assert cluster.directory.status().capacity > 0
        await asyncio.sleep(0.1)

    assert await rolling == 2
    assert before.isdisjoint(host.host_id for host in cluster.living)
    await asyncio.gather(cluster.place("t1"), cluster.place("t2"))
    cluster.check()


async def test_a_roll_with_a_browser_that_does_not_start_keeps_the_old_hosts_and_says_why() -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1))
    await asyncio.gather(cluster.place("t1"), cluster.place("t2"))
    cluster.start_error = "the browser exited with status 127"
    told = "0 of 2 hosts are replaced: 3 new hosts did not start: the browser exited with status 127"
    with pytest.raises(RollStopped, match=told):
        await cluster.directory.roll(within_s=1)
    await asyncio.sleep(60)

    assert cluster.directory.status().capacity == 2
    assert cluster.states == {"t1": "placed", "t2": "placed"}
    assert cluster.directory.status().failed_starts == 3


async def test_a_roll_without_room_for_one_more_host_keeps_the_old_ones_and_says_so() -> None:
    cluster = SimulatedCluster(Hosts(least=1, tasks=1))
    await cluster.place("t1")
    cluster.is_slow = True
    with pytest.raises(RollStopped, match="0 of 1 hosts are replaced: the new host did not start within"):
        await cluster.directory.roll()

    assert (len(cluster.living), cluster.states) == (1, {"t1": "placed"})
    assert cluster.directory.status().failed_starts == 0
