"""The recordings of a task are on several hosts, of which one may be gone."""

from __future__ import annotations

from typing import Any, cast

import pytest

from supervisor.addons.fleet import HostLost, Hosts
from supervisor.addons.fleet.fetching import recordings_of
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import FleetStatus, HostStatus, Placement, RecordingInfo


class Router:
    """Asks hosts as the router of a fleet does; `gone` has ended."""

    plan = Plan(name="f", hosts=Hosts(recordings="there"))

    async def ask(self, what: str) -> FleetStatus:
        hosts = tuple(
            HostStatus(
                host_id=host_id,
                state="serving",
                tasks=0,
                capacity=1,
                facts=None,
                report_age_s=0.0,
                calls=0,
                browser_deaths=0,
            )
            for host_id in ("h1", "gone", "h2")
        )
        return FleetStatus(name="f", hosts=hosts, tasks=0, waiting=0, lost=0, capacity=3, restarts=0)

    async def ask_host(self, place: Placement, what: str) -> tuple[RecordingInfo, ...]:
        if place.host_id == "gone":
            raise HostLost("its node ended")
        age = float(place.host_id == "h1")
        return (RecordingInfo(task_id="t1", name=f"{place.host_id}-1.jsonl", size=1, changed_at=age),)


async def test_a_host_that_is_gone_is_named_in_the_log_and_the_others_are_asked(
    caplog: pytest.LogCaptureFixture,
) -> None:
    recordings = await recordings_of(cast(Any, Router()), "t1")

    assert [(info.name, place.host_id) for info, place in recordings] == [("h2-1.jsonl", "h2"), ("h1-1.jsonl", "h1")]
    (record,) = caplog.records
    assert record.getMessage().startswith("the host gone cannot be asked for recordings: ")
