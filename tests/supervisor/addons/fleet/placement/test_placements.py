"""Which host has which task, and who waits: laws that hold whatever happens, and the cases that are to be told."""

from __future__ import annotations

import time
from collections import Counter
from typing import Literal, TypeAlias

from hypothesis import example, given
from hypothesis import strategies as st

from supervisor.addons.fleet import Hosts
from supervisor.addons.fleet.placement.placements import Placements
from supervisor.addons.fleet.placement.waiting import Queue
from supervisor.addons.fleet.values import HostReport, Placement, TaskLoad
from tests.supervisor.addons.fleet.filled import filled

TASKS = 2
"""Of a host, where anything may happen."""

Deed: TypeAlias = tuple[Literal["add", "serve", "drain", "drop", "reserve", "release", "lose"], int]

DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["add", "serve", "drain", "drop", "reserve", "reserve", "release", "lose"]), st.integers(0, 5)
    ),
    max_size=60,
)


def report(host_id: str, *loads: TaskLoad) -> HostReport:
    report: HostReport = filled(HostReport, host_id=host_id, tasks=loads)
    return report


def serving(hosts: Hosts, number: int) -> Placements:
    placements = Placements(hosts)
    for index in range(number):
        placements.add(f"h{index}", 0)
        placements.serve(report(f"h{index}"), 0)
    return placements


def do(placements: Placements, deed: str, index: int, now: float) -> None:
    """Do what the directory might do now; nothing where it would not."""
    host_id, task_id = f"h{index}", f"t{index}"
    place = placements.find(task_id)
    match deed:
        case "add" if host_id not in placements.hosts:
            placements.add(host_id, now)
        case "serve" if host_id in placements.hosts and placements.hosts[host_id].state == "starting":
            placements.serve(report(host_id), now)
        case "drain" if host_id in placements.hosts:
            placements.drain(host_id, "drained", now + 9, now)
        case "drop":
            placements.drop(host_id, "it died", now)
        case "reserve" if place is None:
            free = [e for e in placements.hosts.values() if e.state == "serving" and len(e.tasks) < TASKS]
            best = min(free, key=lambda entry: len(entry.tasks), default=None)
            given = placements.reserve(task_id, f"driver-{index % 2}")
            assert (given and given.host_id) == (best and best.host_id)
        case "release" if place is not None:
            placements.release(place, now)
        case "lose" if place is not None:
            placements.lose(place, "moved", now)
        case _:
            pass
    states = Counter(entry.state for entry in placements.hosts.values())
    assert placements.capacity == TASKS * states["serving"]
    assert placements.counts_of_drivers() == Counter(placements.drivers[place.task_id] for place in placements)


@given(DEEDS)
@example([("add", 0), ("serve", 0), ("reserve", 0), ("reserve", 1), ("reserve", 2), ("release", 1), ("reserve", 2)])
def test_a_task_has_one_place_with_a_number_that_grows_on_a_host_that_has_room(deeds: list[Deed]) -> None:
    placements = Placements(Hosts(tasks=2))
    highest: dict[str, int] = {}
    for now, (deed, index) in enumerate(deeds):
        before = {place.task_id: place for place in placements}
        do(placements, deed, index, now)

        places = list(placements)
        on_hosts = [place for entry in placements.hosts.values() for place in entry.tasks.values()]
        assert sorted(places, key=str) == sorted(on_hosts, key=str)
        assert len({place.task_id for place in places}) == len(places) == len(placements)
        assert all(len(entry.tasks) <= 2 for entry in placements.hosts.values())
        for place in places:
            if before.get(place.task_id) != place:
                assert placements.hosts[place.host_id].state == "serving"
                assert place.number > highest.get(place.task_id, 0)
                assert place.number > max(highest.values(), default=0)
                highest[place.task_id] = place.number


def test_the_tasks_of_a_host_that_ended_are_lost_with_their_reason_and_driver_until_they_are_forgotten() -> None:
    placements = serving(Hosts(), 1)
    placements.reserve("t1", "driver-1")

    assert placements.drop("h0", "its machine was lost", 5) == ("t1",)
    assert placements.drop("h0", "again", 6) == ()
    lost = placements.lost["t1"]
    assert (lost.reason, lost.at, lost.driver, len(placements)) == ("its machine was lost", 5, "driver-1", 0)
    assert placements.forget_lost(5) == ()
    assert placements.forget_lost(5.1) == ("t1",)
    assert placements.lost == {}


def test_an_old_place_takes_nothing_from_a_newer_one() -> None:
    placements = serving(Hosts(), 1)
    old = placements.reserve("t1", "driver")
    assert old is not None
    assert placements.release(old, 1)
    new = placements.reserve("t1", "driver")

    assert not placements.release(old, 2)
    placements.lose(old, "a late message", 2)
    assert (placements.find("t1"), placements.lost) == (new, {})


def test_a_new_directory_takes_over_what_hosts_have_and_numbers_go_on_from_there() -> None:
    placements = Placements(Hosts())
    placements.add("h0", 0)
    placements.serve(report("h0", filled(TaskLoad, task_id="t1", number=41)), 0)

    assert placements.find("t1") == Placement("t1", "h0", 41)
    assert placements.reserve("t2", "driver") == Placement("t2", "h0", 42)


@given(st.integers(0, 4), st.none() | st.integers(1, 6), st.integers(1, 4), st.integers(0, 30), st.integers(0, 4))
def test_as_many_hosts_are_started_as_are_needed_and_no_more_than_may_be(
    least: int, most: int | None, tasks: int, waiting: int, there: int
) -> None:
    placements = serving(Hosts(least=least, most=most, tasks=tasks), there)

    for number in range(placements.missing(waiting)):
        placements.add(f"new-{number}", 0)

    wanted = max(least, there + -(-waiting // tasks))
    assert len(placements.hosts) == max(there, min(wanted, most or wanted))
    assert placements.missing(waiting) == 0


def test_hosts_end_that_have_had_nothing_to_do_for_long_or_were_drained_and_the_least_stay() -> None:
    placements = serving(Hosts(least=1, idle_s=100), 3)
    busy = placements.reserve("t1", "driver")
    assert busy is not None

    assert placements.idle(99) == ()
    assert placements.idle(100) == ("h1", "h2")
    placements.drain("h1", "drained", 100, 100)
    placements.drain("h0", "drained", 100, 100)
    assert placements.idle(101) == ("h1",)  # h2 is the last that serves
    placements.release(busy, 102)
    assert placements.idle(103) == ("h0", "h1")


def test_a_host_is_idle_from_the_end_of_its_last_task() -> None:
    placements = serving(Hosts(least=0, idle_s=100), 2)
    busy = placements.reserve("t1", "driver")
    assert busy is not None
    placements.release(busy, 150)

    assert placements.idle(249) == ("h1",)
    assert placements.idle(250) == ("h1", "h0")


WAITERS = st.lists(
    st.tuples(st.sampled_from(["join", "join", "join", "take", "leave"]), st.integers(0, 3)), max_size=50
)


@given(WAITERS)
def test_positions_in_the_queue_are_the_order_in_which_places_are_given(deeds: list[tuple[str, int]]) -> None:
    queue = Queue()
    for number, (deed, driver) in enumerate(deeds):
        order = list(queue)
        match deed:
            case "join":
                queue.join(f"d{driver}-t{number}", f"d{driver}")
            case "take":
                assert queue.take() == (order[0] if order else None)
            case _ if driver < len(order):
                queue.leave(order[driver])
                assert order[driver] not in queue
            case _:
                queue.leave("nobody")
        order = list(queue)
        assert len(queue) == len(order) == len(set(order))
        assert [queue.position(task_id) for task_id in order] == list(range(1, len(order) + 1))
        assert queue.position("nobody") == 0


def test_hosts_start_and_stay_for_the_places_that_are_to_be_free() -> None:
    placements = serving(Hosts(least=1, tasks=4, warm=5, most=4), 2)
    starts = [placements.missing(0)]
    for number in range(8):
        placements.reserve(f"t{number}", "d")
        starts.append(placements.missing(0))

    assert starts == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert placements.missing(9) == 2  # no more than `most`
    assert serving(Hosts(least=1, tasks=4, warm=5), 4).idle(1000) == ("h0", "h1")
    assert serving(Hosts(least=1, tasks=4), 4).idle(1000) == ("h0", "h1", "h2")


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_a_driver_with_many_tasks_does_not_keep_the_others_waiting(drivers: list[int]) -> None:
    queue = Queue()
    for number, driver in enumerate(drivers):
        queue.join(f"t{number}", f"d{driver}")
    line = {f"t{number}": driver for number, driver in enumerate(drivers)}

    given_to: list[int] = []
    while (task_id := queue.take()) is not None:
        waiting = {line[other] for other in queue} | {line[task_id]}
        given_to.append(line[task_id])
        shares = [given_to.count(driver) for driver in waiting]
        assert max(shares) - min(shares) <= 1
    assert sorted(given_to) == sorted(drivers)


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(1, 4))
def test_a_driver_gets_no_more_places_than_it_may_have(drivers: list[int], most: int) -> None:
    queue = Queue()
    for number, driver in enumerate(drivers):
        queue.join(f"{driver}-{number}", f"d{driver}")
    placeable = queue.placeable({}, most)

    given_to: list[int] = []
    while (task_id := queue.take()) is not None:
        driver = int(task_id[0])
        given_to.append(driver)
        if given_to.count(driver) == most:
            queue.full.add(f"d{driver}")

    assert {driver: given_to.count(driver) for driver in set(drivers)} == {
        driver: min(drivers.count(driver), most) for driver in set(drivers)
    }
    assert placeable == len(given_to)


def test_a_task_whose_place_was_none_is_the_next_again() -> None:
    queue = Queue()
    for task_id, driver in (("a1", "a"), ("a2", "a"), ("b1", "b")):
        queue.join(task_id, driver)

    assert queue.take() == "a1"
    queue.rejoin("a1", "a")

    assert list(queue) == ["b1", "a1", "a2"]


def test_the_work_for_a_task_does_not_grow_with_the_queue() -> None:
    def seconds(count: int) -> float:
        queue = Queue()
        began = time.process_time()
        for number in range(count):
            queue.join(f"t{number}", f"driver-{number % 3}")
        for number in range(0, count, 2):
            queue.leave(f"t{number}")
        while queue.take() is not None:
            assert len(queue) < count
        return (time.process_time() - began) / count

    few = min(seconds(500) for _ in range(3))
    many = min(seconds(20_000) for _ in range(3))
    assert many < few * 8
