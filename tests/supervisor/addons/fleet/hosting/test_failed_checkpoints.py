"""A checkpoint that fails is no good one: it is counted and said, its age grows, and it is tried again."""

from __future__ import annotations

import asyncio
import json
from functools import partial

import pytest

from cdp_typed.errors import ConnectionLost
from supervisor.addons.fleet import FleetStatus, Hosts, Limits
from supervisor.addons.fleet.commands.fleet_tables import status_table
from supervisor.addons.fleet.hosting import checkpoint_keeper, host_task, task_host
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.placement.ledger import Counts
from supervisor.addons.fleet.placement.placements import Placements
from supervisor.addons.fleet.placement.statuses import fleet_status
from supervisor.addons.fleet.settings import Plan
from tests.supervisor.addons.fleet.clocks import Clocks
from tests.supervisor.addons.fleet.hosting.test_task_host import PLACE, Listening, host_on_mock, until

FULL = "it could not be written: No space left on device"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    for module in (checkpoint_keeper, host_task, task_host):
        monkeypatch.setattr(module, "time", clocks)
    monkeypatch.setattr(task_host, "TICK_S", 0.02)
    return clocks


def age(host: Host) -> float:
    (task,) = host.report().tasks
    assert task.checkpoint_age_s is not None
    return task.checkpoint_age_s


def has_failed(host: Host, number: int) -> bool:
    return host.report().checkpoint_failures == number


def shown(host: Host) -> str:
    """What `fleet status` prints of it."""
    known = Placements(Hosts())
    known.add(host.host_id, 0.0)
    known.serve(host.report(), 0.0)
    status: FleetStatus = fleet_status(Plan(name="f"), known, 0, Counts(), "")
    return status_table(status)


@pytest.mark.parametrize("fails", ["full", "away", "page", "slow"])
async def test_it_is_counted_its_age_grows_and_it_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, clock: Clocks, fails: str
) -> None:
    directory = Listening()

    async def refuse(_: object) -> None:
        if fails == "slow":
            await asyncio.Event().wait()
        raise ConnectionLost("the browser is gone")

    async with host_on_mock(directory, Limits(checkpoint_s=60, ttl_s=10_000)) as host:
        assert "not kept" not in shown(host)
        await host.accept(PLACE, "", None)
        with monkeypatch.context() as broken:
            directory.problem = FULL if fails == "full" else ""
            directory.is_there = fails != "away"
            if fails in ("page", "slow"):
                broken.setattr(host_task, "take", refuse)
                broken.setattr(checkpoint_keeper, "CHECKPOINT_S", 0.01)
            await host.call_tool(PLACE, "browser_snapshot", {})
            for number in (1, 2, 3):  # also when nobody calls it any more
                await until(partial(has_failed, host, number))
                clock.passed_s += 61.0
                assert age(host) >= 61.0 * number
            await until(partial(has_failed, host, 4))
            why = {"full": FULL, "away": "the directory does not answer", "page": "ConnectionLost"}
            assert f"checkpoints of h1 are not kept (4 failed): {why.get(fails, 'TimeoutError')}" in shown(host)
            assert directory.kept == []
            directory.problem, directory.is_there = "", True

        clock.passed_s += 61.0
        await until(lambda: directory.kept)
        await until(lambda: "not kept" not in shown(host))
        assert age(host) < 60.0
        assert has_failed(host, 4)


async def test_a_restart_on_the_same_host_says_how_old_its_session_is(clock: Clocks) -> None:
    directory = Listening()
    async with host_on_mock(directory, Limits(checkpoint_s=60, ttl_s=10_000)) as host:
        await host.accept(PLACE, "", None)
        await host.call_tool(PLACE, "browser_snapshot", {})
        await until(lambda: directory.kept)
        clock.passed_s = 42.0
        directory.problem = FULL

        host._browser_ended("its browser ended")  # pyright: ignore[reportPrivateUsage] - its browser is another process
        await asyncio.sleep(0)
        (untold,) = host.report().tasks
        told = json.loads(await host.call_tool(PLACE, "browser_snapshot", {}))["restarted"]
        (reported,) = host.report().tasks

    assert (untold.restarted, reported.restarted) == (told, "")
    assert told == (
        "its browser ended; cookies, localStorage and IndexedDB are 42 s old, pages and sessionStorage gone"
    )
