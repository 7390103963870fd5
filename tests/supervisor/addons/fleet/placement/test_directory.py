"""The directory, with hosts that are simulated, in time that is: admission, the queue, loss, doubt, drain, recovery."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from supervisor.addons.fleet import FleetFull, FleetStopped, Hosts, Limits, NoSuchTask, NotPlaced
from supervisor.addons.fleet.placement.host_clients import HOST_REPLY_S, LONGEST_PAUSE_S, RECOVERY_S
from supervisor.addons.fleet.placement.waiting import DRIVER_S
from supervisor.addons.fleet.values import EPOCH, Placement
from tests.supervisor.addons.fleet.placement.simulated import SimulatedCluster
from tests.supervisor.addons.fleet.placement.virtual_time import run_virtually

ONE = Hosts(tasks=2, most=1)
FENCE_S = Limits().fence_s


async def elapsed(work: Coroutine[Any, Any, Any]) -> tuple[float, Any]:
    """The time that it took, and its result or error."""
    loop = asyncio.get_running_loop()
    before = loop.time()
    results: tuple[Any] = await asyncio.gather(work, return_exceptions=True)
    return loop.time() - before, results[0]


def test_two_drivers_that_start_a_task_get_one_place() -> None:
    async def play() -> None:
        cluster = SimulatedCluster(Hosts(least=0, tasks=1))
        first, second = await asyncio.gather(cluster.place("t1", "a"), cluster.place("t1", "b"))

        assert first == second == await cluster.place("t1", "c")
        assert cluster.host_of("t1").tasks == {"t1": first}
        assert (len(cluster.hosts), cluster.directory.status().tasks) == (1, 1)

    run_virtually(play())


def test_who_gets_no_place_in_time_is_told_its_position_and_the_capacity_and_why() -> None:
    async def play() -> None:
        cluster = SimulatedCluster(ONE)
        cluster.why_no_room = "no node of the cluster offers the resource 'browser'"
        for task_id in ("t1", "t2"):
            await cluster.place(task_id)
        impatient, patient = await asyncio.gather(
            elapsed(cluster.place("t3", wait_s=20)), elapsed(cluster.place("t4", wait_s=10))
        )

        for (took, error), position, wait_s in ((impatient, 1, 20), (patient, 2, 10)):
            assert isinstance(error, FleetFull)
            assert (error.position, error.capacity, error.why) == (position, 2, cluster.why_no_room)
            assert took == wait_s
        assert cluster.states == {"t1": "placed", "t2": "placed"}

    run_virtually(play())


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("in doubt", "its host {} has been lost or does not answer"),
        ("slow", "its host {} was asked to take it, and has not answered"),
        ("new directory", "the directory is new, and has not heard of all hosts of the one before"),
        ("no start", "hosts that have not started yet: 1"),
    ],
)
def test_who_gets_no_place_although_there_is_one_is_told_what_was_waited_for(fault: str, why: str) -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_a_place_that_becomes_free_goes_to_the_task_that_waits() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_a_driver_gets_as_many_tasks_as_it_may_have_and_no_host_starts_for_more() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_a_host_that_dies_while_it_takes_a_task_in_costs_the_task_nothing_but_time() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_a_host_whose_answer_is_lost_does_not_keep_what_is_placed_elsewhere() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_a_task_in_doubt_stays_where_it_is_while_its_host_is_only_out_of_reach() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_a_host_that_was_cut_off_and_ended_its_tasks_is_found_out() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_the_tasks_of_a_drained_host_may_end_and_move_when_the_time_is_over() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_failed_starts_come_less_and_less_often_and_their_reason_is_told() -> None:
    async def play() -> None:
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

    run_virtually(play())


def test_the_tasks_of_a_host_whose_browser_dies_again_and_again_move() -> None:
    async def play() -> None:
        cluster = SimulatedCluster(Hosts(tasks=1))
        await cluster.place("t1")
        sick = cluster.host_of("t1")
        sick.is_sick = True
        await asyncio.sleep(3)
        await cluster.place("t1")

        assert not sick.is_alive
        assert cluster.host_of("t1").told == {"t1": "its browser died three times within a minute"}

    run_virtually(play())


def test_a_task_whose_lease_is_over_begins_anew_and_is_forgotten_after_as_long_again() -> None:
    async def play() -> None:
        cluster = SimulatedCluster(Hosts(tasks=1), Limits(ttl_s=600))
        await cluster.place("t1")
        cluster.host_of("t1").expire("t1")
        assert cluster.states == {"t1": "lost"}
        again = await cluster.place("t1")
        assert cluster.host_of("t1").told == {"t1": "it was not called for 600 s"}
        cluster.host_of("t1").expire("t1")
        await asyncio.sleep(601)
        assert (cluster.states, again.number) == ({}, EPOCH + 2)

    run_virtually(play())


def test_the_checkpoint_of_a_task_goes_with_it_and_ends_with_it() -> None:
    async def play() -> None:
        cluster = SimulatedCluster(Hosts(tasks=1))
        placement = await cluster.place("t1")
        await cluster.directory.checkpoints.put("t1", b"cookies")
        cluster.host_of("t1").die()
        await cluster.place("t1", doubted=placement.number)
        assert cluster.host_of("t1").checkpoints == {"t1": b"cookies"}

        await cluster.directory.end_task("t1")
        await cluster.place("t1")
        assert cluster.host_of("t1").checkpoints == {"t1": None}

    run_virtually(play())


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_new_directory_knows_the_tasks_of_the_hosts_that_answer_and_waits_for_the_others(is_cut: bool) -> None:
    async def play() -> None:
        cluster = SimulatedCluster(Hosts(least=2, tasks=1))
        places = [await cluster.place(task_id) for task_id in ("t1", "t2")]
        silent = cluster.host_of("t2")
        if is_cut:
            silent.cut()

        cluster.restart_directory()
        took, first = await elapsed(cluster.place("t1"))
        assert (took, first) == (RECOVERY_S if is_cut else 0, places[0])
        second: Placement = await cluster.place("t2", doubted=places[1].number if is_cut else None)
        assert (second == places[1]) is not is_cut
        silent.heal()
        await asyncio.sleep(5)
        cluster.check()

    run_virtually(play())


def test_a_stopped_fleet_says_so_to_those_who_wait_and_to_those_who_come() -> None:
    async def play() -> None:
        cluster = SimulatedCluster(ONE)
        await asyncio.gather(cluster.place("t1"), cluster.place("t2"))
        waiting = asyncio.create_task(cluster.place("t3"))
        await asyncio.sleep(1)

        await cluster.directory.stop()

        with pytest.raises(FleetStopped, match="the fleet 'simulated' was stopped"):
            await waiting
        with pytest.raises(FleetStopped):
            await cluster.place("t4")
        assert cluster.living == []

    run_virtually(play())


def test_a_fleet_whose_drivers_are_gone_ends_when_its_tasks_have_unless_it_is_to_stay() -> None:
    async def play(keeps: bool) -> bool:
        cluster = SimulatedCluster(ONE, keeps=keeps)
        await cluster.place("t1", "a")
        cluster.directory.leave("a")
        await asyncio.sleep(DRIVER_S + 5)
        assert len(cluster.living) == 1  # the task is there
        cluster.host_of("t1").expire("t1")
        await asyncio.sleep(5)
        assert bool(cluster.living) is keeps
        return cluster.directory.abandoned.is_set()

    assert run_virtually(play(keeps=False)) is True
    assert run_virtually(play(keeps=True)) is False


def test_a_fleet_that_nobody_else_knows_ends_soon_after_its_driver() -> None:
    async def play(is_own: bool) -> bool:
        cluster = SimulatedCluster(Hosts(tasks=1), keeps=False, is_own=is_own)
        await cluster.place("t1")
        await asyncio.sleep(DRIVER_S - 2)
        assert cluster.living
        await asyncio.sleep(4)
        return bool(cluster.living)

    assert run_virtually(play(is_own=True)) is False
    assert run_virtually(play(is_own=False)) is True  # other drivers may call its task
