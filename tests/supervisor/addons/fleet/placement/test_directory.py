"""The directory, with hosts that are simulated, in time that is: admission, the queue, loss, doubt, drain, recovery."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from supervisor.addons.fleet import FleetFull, FleetStopped, Hosts, Limits, NoSuchTask, NotPlaced
from supervisor.addons.fleet.placement.host_clients import HOST_REPLY_S, LONGEST_PAUSE_S, RECOVERY_S
from supervisor.addons.fleet.placement.waiting import DRIVER_S
from supervisor.addons.fleet.values import EPOCH, Placement
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster
from tests.supervisor.addons.fleet.placement.virtual_time import elapsed

ONE = Hosts(tasks=2, most=1)
FENCE_S = Limits().fence_s


async def test_two_drivers_that_start_a_task_get_one_place() -> None:
    cluster = SimulatedCluster(Hosts(least=0, tasks=1))
    first, second = await asyncio.gather(cluster.place("t1", "a"), cluster.place("t1", "b"))

    assert first == second == await cluster.place("t1", "c")
    assert cluster.host_of("t1").tasks == {"t1": first}
    assert (len(cluster.hosts), cluster.directory.status().tasks) == (1, 1)


async def test_who_gets_no_place_in_time_is_told_its_position_and_the_capacity_and_why() -> None:
    cluster = SimulatedCluster(ONE)
    cluster.why_no_room = "no node of the cluster offers the resource 'browser'"
    for task_id in ("t1", "t2"):
        await cluster.place(task_id)

    expected = {"a0": (30, 1), "a1": (20, 3), "a2": (10, 4), "b0": (40, 1)}
    waiting = [elapsed(cluster.place(task_id, task_id[0], wait_s)) for task_id, (wait_s, _) in expected.items()]

    for (took, error), told in zip(await asyncio.gather(*waiting), expected.values(), strict=True):
        assert isinstance(error, FleetFull)
        assert (took, error.position) == told
        assert (error.capacity, error.why) == (2, cluster.why_no_room)
    assert cluster.states == {"t1": "placed", "t2": "placed"}


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("in doubt", "its host {} has been lost or does not answer"),
        ("slow", "its host {} was asked to take it, and has not answered"),
        ("new directory", "the directory is new, and has not heard of all hosts of the one before"),
        ("no start", "hosts that have not started yet: 1"),
    ],
)
async def test_who_gets_no_place_although_there_is_one_is_told_what_was_waited_for(fault: str, why: str) -> None:
    cluster = SimulatedCluster(ONE)
    cluster.is_slow = fault == "no start"
    doubted = None
    if fault != "no start":
        number = (await cluster.place("t1")).number
        (host,) = cluster.living
        if fault == "slow":
            host.answers.clear()
        else:
            host.cut()
        doubted = number if fault == "in doubt" else None
    if fault == "new directory":
        cluster.restart_directory()

    took, error = await elapsed(cluster.place("t1" if fault == "in doubt" else "t2", wait_s=4, doubted=doubted))

    assert took == 4
    assert type(error) is (FleetFull if fault == "no start" else NotPlaced)
    assert error.why == why.format(*cluster.hosts)


async def test_who_finds_the_fleet_full_learns_how_long_the_queue_is_and_when_to_come_back() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1, most=1))
    await asyncio.sleep(1)  # until the host serves
    refused: list[FleetFull] = []

    async def come_late() -> None:
        _, error = await elapsed(cluster.place("late", wait_s=0.1))
        assert isinstance(error, FleetFull)
        refused.append(error)

    for number in range(4):  # a place every ten seconds
        await cluster.place(f"t{number}", wait_s=60)
        await asyncio.sleep(10)
        await come_late()
        await cluster.directory.end_task(f"t{number}")
    await cluster.place("t9")
    waiting = [asyncio.create_task(elapsed(cluster.place(f"w{number}", wait_s=20))) for number in range(2)]
    await asyncio.sleep(10)
    await come_late()
    await asyncio.gather(*waiting)
    await asyncio.sleep(600)
    await come_late()

    assert [(error.position, error.waiting) for error in refused] == [(1, 1)] * 4 + [(3, 3), (1, 1)]
    assert [error.retry_s and round(error.retry_s) for error in refused] == [10, 10, 10, 10, 30, None]
    assert str(refused[4]).endswith("position 3 of 3 in the queue; at the present pace a place is free in 30 s")


async def test_a_place_that_becomes_free_goes_to_the_task_that_waits() -> None:
    cluster = SimulatedCluster(ONE)
    await asyncio.gather(cluster.place("t1"), cluster.place("t2"))
    waiting = asyncio.create_task(cluster.place("t3"))
    await asyncio.sleep(5)
    assert cluster.states["t3"] == "waiting"

    await cluster.directory.end_task("t1")

    assert (await waiting).task_id == "t3"
    assert cluster.states == {"t2": "placed", "t3": "placed"}
    with pytest.raises(NoSuchTask, match="no task 't1'"):
        await cluster.directory.end_task("t1")


async def test_a_driver_gets_as_many_tasks_as_it_may_have_and_no_host_starts_for_more() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1), Limits(tasks_per_driver=2))
    await asyncio.gather(*(cluster.place(task_id, "a") for task_id in ("a1", "a2")))
    refused, other = await asyncio.gather(
        elapsed(cluster.place("a3", "a", wait_s=20)), elapsed(cluster.place("b1", "b", wait_s=20))
    )
    waiting = asyncio.create_task(cluster.place("a4", "a"))
    await asyncio.sleep(5)
    hosts = len(cluster.living)
    await cluster.directory.end_task("a1")

    error = refused[1]
    assert isinstance(error, FleetFull)
    assert error.why == "this program has 2 tasks, as many as Limits(tasks_per_driver=2) allows"
    assert isinstance(other[1], Placement)
    assert hosts == 3
    assert (await waiting).task_id == "a4"


async def test_a_host_that_dies_while_it_takes_a_task_in_costs_the_task_nothing_but_time() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    await cluster.directory.recovered.wait()
    await asyncio.sleep(1)
    (first,) = cluster.living
    first.cut()
    placing = asyncio.create_task(cluster.place("t1"))
    await asyncio.sleep(1)
    first.die()

    placement = await placing

    assert placement.host_id != first.host_id
    assert cluster.host_of("t1").told == {"t1": ""}  # it never ran, so it does not begin anew
    assert cluster.directory.status().lost == 0


async def test_a_host_whose_answer_is_lost_does_not_keep_what_is_placed_elsewhere() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    await asyncio.sleep(1)
    (first,) = cluster.living
    first.answers.clear()
    placing = asyncio.create_task(cluster.place("t1"))
    await asyncio.sleep(HOST_REPLY_S + 2)  # it was asked to end the task meanwhile, and did not answer that either
    assert not placing.done()
    cluster.check()
    first.answers.set()

    placement = await placing

    cluster.check()
    assert cluster.host_of("t1").tasks == {"t1": placement}


async def test_a_task_in_doubt_stays_where_it_is_while_its_host_is_only_out_of_reach() -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1))
    placement = await cluster.place("t1")
    host = cluster.host_of("t1")
    host.cut()

    took, error = await elapsed(cluster.place("t1", wait_s=8, doubted=placement.number))
    assert (took, type(error)) == (8, NotPlaced)
    assert host.tasks == {"t1": placement}
    host.heal()
    assert await cluster.place("t1", doubted=placement.number) == placement

    host.cut()
    asking = asyncio.create_task(cluster.place("t1", doubted=placement.number))
    await asyncio.sleep(3)
    host.die("its machine was lost")
    again = await asking
    assert again.number > placement.number
    assert cluster.host_of("t1").told == {"t1": "its machine was lost"}
    assert cluster.directory.status().restarts == 1


async def test_a_host_that_was_cut_off_and_ended_its_tasks_is_found_out() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    placement = await cluster.place("t1")
    host = cluster.host_of("t1")
    host.cut()
    await asyncio.sleep(FENCE_S + 1)
    assert host.tasks == {}
    host.heal()

    again = await cluster.place("t1", doubted=placement.number)

    assert again.number > placement.number
    assert cluster.host_of("t1").told == {"t1": "its host was cut off from the cluster"}


async def test_the_tasks_of_a_drained_host_may_end_and_move_when_the_time_is_over() -> None:
    cluster = SimulatedCluster(Hosts(tasks=2), Limits(drain_s=30))
    await asyncio.gather(cluster.place("t1"), cluster.place("t2"))
    (old,) = cluster.living

    assert cluster.directory.drains.drain(f"node-of-{old.host_id}") == 1
    assert cluster.directory.drains.drain("nobody") == 0
    await cluster.place("t3")
    assert set(old.tasks) == {"t1", "t2"}
    await cluster.directory.end_task("t1")
    await asyncio.sleep(29)
    assert set(old.tasks) == {"t2"}
    await asyncio.sleep(3)
    assert (old.is_alive, cluster.states) == (False, {"t2": "lost", "t3": "placed"})

    await cluster.place("t2")
    assert cluster.host_of("t2").told["t2"] == "its host is drained"


async def test_failed_starts_come_less_and_less_often_and_their_reason_is_told() -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1))
    cluster.start_error = "the browser exited with status 127:\n  no usable sandbox"
    error = (await elapsed(cluster.place("t1", wait_s=600)))[1]

    reason = "the browser exited with status 127: no usable sandbox"
    assert isinstance(error, FleetFull)
    assert error.why == f"hosts do not start: {reason}"
    status = cluster.directory.status()
    assert status.start_error == reason
    assert 15 <= status.failed_starts <= 30  # one every half minute after the first ones
    assert all(host.state == "starting" for host in status.hosts)

    cluster.start_error = ""
    took, _ = await elapsed(cluster.place("t1"))
    assert took < LONGEST_PAUSE_S + 2
    assert cluster.directory.status().start_error == ""
    assert cluster.directory.status().failed_starts == status.failed_starts
    assert cluster.noted.counts == {"failed start": status.failed_starts, "full": 1, "placed": 1}


async def test_the_tasks_of_a_host_whose_browser_dies_again_and_again_move() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    await cluster.place("t1")
    sick = cluster.host_of("t1")
    sick.is_sick = True
    await asyncio.sleep(3)
    await cluster.place("t1")

    assert not sick.is_alive
    assert cluster.host_of("t1").told == {"t1": "its browser died three times within a minute"}
    assert cluster.noted.counts == {"its browser died three times within a minute": 1, "placed": 2}


async def test_a_task_whose_lease_is_over_begins_anew_and_is_forgotten_after_as_long_again() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1), Limits(ttl_s=600))
    await cluster.place("t1")
    cluster.host_of("t1").expire("t1")
    assert cluster.states == {"t1": "lost"}
    again = await cluster.place("t1")
    assert cluster.host_of("t1").told == {"t1": "it was not called for 600 s"}
    cluster.host_of("t1").expire("t1")
    await asyncio.sleep(601)
    assert (cluster.states, again.number) == ({}, EPOCH + 2)


async def test_the_checkpoint_of_a_task_goes_with_it_and_ends_with_it() -> None:
    cluster = SimulatedCluster(Hosts(tasks=1))
    placement = await cluster.place("t1")
    await cluster.directory.checkpoints.put("t1", b"cookies")
    cluster.host_of("t1").die()
    await cluster.place("t1", doubted=placement.number)
    assert cluster.host_of("t1").checkpoints == {"t1": b"cookies"}

    await cluster.directory.end_task("t1")
    await cluster.place("t1")
    assert cluster.host_of("t1").checkpoints == {"t1": None}


@pytest.mark.parametrize(
    ("happens", "after_s"), [("", 0), ("record lost", 0), ("slow", 0.2), ("cut", RECOVERY_S), ("dies", 3.1)]
)
async def test_a_new_directory_knows_the_tasks_of_the_hosts_that_answer_and_waits_for_the_others(
    happens: str, after_s: float
) -> None:
    cluster = SimulatedCluster(Hosts(least=2, tasks=1))
    places = [await cluster.place(task_id) for task_id in ("t1", "t2")]
    other = cluster.host_of("t2")
    if happens == "record lost":
        del cluster.store.values["task/t1"]
    elif happens == "slow":
        other.lost_answers = 2
    elif happens:
        other.cut()

    cluster.restart_directory()
    placing = asyncio.create_task(elapsed(cluster.place("t1")))
    if happens == "dies":
        await asyncio.sleep(3)
        other.die()

    took, first = await placing
    assert took == pytest.approx(after_s)
    assert first == places[0]
    is_lost = happens in ("cut", "dies")
    second: Placement = await cluster.place("t2", doubted=places[1].number if is_lost else None)
    assert (second == places[1]) is not is_lost
    drivers = {task.task_id: task.driver for task in cluster.directory.tasks()}
    assert drivers == {"t1": None if happens == "record lost" else "driver", "t2": "driver"}
    assert other.is_alive is not is_lost  # it was told to end
    assert cluster.host_of("t1").begun == 2  # the directory before may have ended before it told it to
    cluster.check()


async def test_a_stopped_fleet_says_so_to_those_who_wait_and_to_those_who_come_and_leaves_nothing_written() -> None:
    cluster = SimulatedCluster(ONE)
    await asyncio.gather(cluster.place("t1"), cluster.place("t2"))
    waiting = asyncio.create_task(cluster.place("t3"))
    await asyncio.sleep(1)
    assert any(key.startswith("task/") for key in cluster.store.values)

    await cluster.directory.stop()

    with pytest.raises(FleetStopped, match="the fleet 'simulated' was stopped"):
        await waiting
    with pytest.raises(FleetStopped):
        await cluster.place("t4")
    assert (cluster.living, cluster.store.values) == ([], {})


@pytest.mark.parametrize("keeps", [False, True])
async def test_a_fleet_whose_drivers_are_gone_ends_when_its_tasks_have_unless_it_is_to_stay(keeps: bool) -> None:
    cluster = SimulatedCluster(ONE, keeps=keeps)
    await cluster.place("t1", "a")
    cluster.directory.leave("a")
    report = replace(cluster.host_of("t1").report(), drivers=("a",))
    assert cluster.directory.receive_report(report) == ("a",)
    await asyncio.sleep(DRIVER_S + 5)
    assert len(cluster.living) == 1  # the task is there
    cluster.host_of("t1").expire("t1")
    await asyncio.sleep(5)

    assert (bool(cluster.living), cluster.directory.abandoned.is_set()) == (keeps, not keeps)


@pytest.mark.parametrize("is_own", [False, True])  # else other drivers may call its task
async def test_a_fleet_that_nobody_else_knows_ends_soon_after_its_driver(is_own: bool) -> None:
    cluster = SimulatedCluster(Hosts(tasks=1), keeps=False, is_own=is_own)
    await cluster.place("t1")
    await asyncio.sleep(DRIVER_S - 2)
    assert cluster.living
    await asyncio.sleep(4)

    assert bool(cluster.living) is not is_own
