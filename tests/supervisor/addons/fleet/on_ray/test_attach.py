"""A second program joins a fleet, by `Fleet.attach` or by its name, and awaits what it asks."""

from __future__ import annotations

import asyncio
import json
import os
import signal

import pytest

from cdp_typed.mock import ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts, NoSuchTask, NotRecorded
from supervisor.addons.fleet.on_ray.cluster import find_directory
from tests.supervisor.addons.fleet.running import process_of


def test_a_fleet_whose_directory_is_being_started_again_is_joined(ray_address: str) -> None:
    fleet = Fleet(hosts=Hosts(least=0), name="restarts", detached=True)
    os.kill(process_of(find_directory("restarts")), signal.SIGKILL)

    again = Fleet.attach("restarts")

    assert again.status().name == "restarts"
    again.close()
    fleet.stop()


def test_who_joins_with_other_settings_is_told_which_do_not_hold(
    ray_address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Fleet(hosts=Hosts(least=0, tasks=5), name="joined") as fleet:
        assert "runs already" not in caplog.text
        with Fleet({"dialog_policy": "auto_accept"}, hosts=Hosts(tasks=3), name="joined") as other:
            assert other.status().name == "joined"
        fleet.stop()

    assert "the fleet 'joined' runs already, and keeps its own settings; it differs in: hosts.tasks, dialog_policy" in (
        caplog.text
    )


async def test_a_program_with_an_event_loop_asks_without_blocking_it(ray_address: str) -> None:
    async with Fleet(hosts=Hosts(least=0), name="awaited") as fleet:
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                await asyncio.sleep(0.001)
                beats += 1

        beating = asyncio.create_task(beat())
        status, tasks = await asyncio.gather(fleet.aio.status(), fleet.aio.tasks())
        drained, lifted = await fleet.aio.drain("nothing"), await fleet.aio.undrain("nothing")
        with pytest.raises(NoSuchTask):
            await fleet.aio.end_task("t1")
        with pytest.raises(NotRecorded, match="awaited"):
            await fleet.aio.recordings("t1")
        with pytest.raises(NoSuchTask):
            async with fleet.aio.live("t1"):
                pass
        rolled = await fleet.aio.roll()
        beating.cancel()
        assert beats > 0
        assert (status, tasks) == (fleet.status(), ())
        assert (drained, lifted, rolled) == (0, 0, 0)
        await asyncio.to_thread(fleet.stop)


async def test_two_drivers_that_start_the_same_fifty_tasks_at_once_share_them(ray_address: str) -> None:
    names = [f"shared-{number}" for number in range(50)]
    with (
        ThreadedMockServer() as server,
        Fleet(Config(cdp_url=server.url), name="fifty", hosts=Hosts(tasks=20, most=3)) as one,
        Fleet.attach("fifty") as other,
    ):
        calls = [fleet.adispatch("browser_tabs", {}, name) for name in names for fleet in (one, other)]
        results = [json.loads(result) for result in await asyncio.gather(*calls)]
        tasks = {task.task_id: task.state for task in one.tasks()}
        seen = [(first["tabs"], second["tabs"]) for first, second in zip(results[::2], results[1::2], strict=True)]
        one.stop()

    assert [result for result in results if not result["success"] or "restarted" in result] == []
    assert tasks == dict.fromkeys(names, "placed")
    assert all(first == second for first, second in seen)
    assert len({tabs[0]["target_id"] for tabs, _ in seen}) == len(names)
