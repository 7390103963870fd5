"""The calls of a driver that was killed end, so that they neither fill their task nor renew its lease."""

from __future__ import annotations

import asyncio
import json
from functools import partial

import pytest

from supervisor.addons.fleet import DriverSilent, Limits, TooManyCalls
from supervisor.addons.fleet.hosting import report_times
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.placement.waiting import DRIVER_S, Drivers
from tests.supervisor.addons.fleet.hosting.test_task_host import NEVER, PLACE, Listening, host_on_mock, until


def begun(host: Host, driver: str, expression: dict[str, str]) -> asyncio.Task[str]:
    return asyncio.ensure_future(host.begun(driver, "call_tool", PLACE, ("browser_evaluate", expression)))


def waits_for(host: Host, calls: int) -> bool:
    return host.report().tasks[0].calls == calls


async def test_the_calls_of_a_driver_that_is_gone_end_and_those_of_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report_times, "TELL_S", 0.05)
    directory = Listening()
    async with host_on_mock(directory, Limits(calls_per_task=8, ttl_s=600)) as host:
        await host.accept(PLACE, "", None)
        await host.call_tool(PLACE, "browser_snapshot", {})
        killed = [begun(host, "killed", NEVER) for _ in range(7)]
        other = begun(host, "other", NEVER)
        await until(partial(waits_for, host, 8))
        assert set(host.report().drivers) == {"killed", "other"}
        with pytest.raises(TooManyCalls):
            await begun(host, "third", {"expression": "1"})

        directory.gone = {"killed"}
        ended = await asyncio.gather(*killed, return_exceptions=True)

        assert [type(error) for error in ended] == [DriverSilent] * 7
        assert all(error.maybe_executed for error in ended if isinstance(error, DriverSilent))
        assert json.loads(await begun(host, "third", {"expression": "1"}))["success"]
        assert not other.done()
        assert host.report().drivers == ("other",)
        assert waits_for(host, 1)
        other.cancel()
        await asyncio.wait({other})
        assert other.cancelled()  # by whoever made it, not by the directory
        assert host.report().drivers == ()


@pytest.mark.parametrize("ends", ["leaves", "is silent"])
def test_a_driver_is_gone_when_it_leaves_or_is_silent_and_comes_back_with_its_next_report(ends: str) -> None:
    drivers = Drivers()
    drivers.note("d1", 0.0)
    assert drivers.gone(("d1",), 1.0) == ()
    if ends == "leaves":
        drivers.remove("d1", 2.0)
        after = 2.0
    else:
        after = DRIVER_S
        for second in range(int(DRIVER_S) + 1):
            drivers.remove_silent(float(second))

    assert drivers.gone(("d1",), after) == ("d1",)
    assert not drivers
    drivers.note("d1", after + 1)
    assert drivers.gone(("d1",), after + 1) == ()


def test_a_new_directory_gives_each_driver_the_time_to_report() -> None:
    drivers = Drivers()
    told: list[tuple[str, ...]] = []
    for second in range(int(DRIVER_S) + 5):
        drivers.remove_silent(100.0 + second)
        drivers.note("alive", 100.0 + second)
        told.append(drivers.gone(("alive", "dead"), 100.0 + second))

    assert told[int(DRIVER_S) - 1] == ()
    assert told[-1] == ("dead",)


def test_a_directory_that_stood_still_takes_no_driver_for_silent() -> None:
    drivers = Drivers()
    drivers.note("d1", 0.0)
    drivers.remove_silent(0.5)

    drivers.remove_silent(600.0)
    assert drivers.gone(("d1",), 600.0) == ()
    for second in range(600, 640):
        drivers.remove_silent(float(second))
    assert drivers.gone(("d1",), 640.0) == ("d1",)
