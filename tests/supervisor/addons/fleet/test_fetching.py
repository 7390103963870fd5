"""The recordings of a task are on several hosts, of which one may be gone."""

from __future__ import annotations

from typing import Any, cast

import pytest

from supervisor.addons.fleet import HostLost, Hosts
from supervisor.addons.fleet.fetching import recordings_of
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import FleetStatus, HostStatus, Placement, RecordingInfo
from tests.supervisor.addons.fleet.filled import filled


class Router:
    """Asks hosts as the router of a fleet does; `gone` has ended."""

    plan = Plan(name="f", hosts=Hosts(recordings="there"))

    async def ask(self, what: str) -> FleetStatus:
        names = ("host-1-a", "gone", "host-2-b")
        hosts = tuple(filled(HostStatus, host_id=name, state="serving") for name in names)
        return filled(FleetStatus, hosts=hosts)

    async def ask_host(self, place: Placement, what: str) -> tuple[RecordingInfo, ...]:
        if place.host_id == "gone":
            raise HostLost("its node ended")
        names = ("1.jsonl", "1-2.jsonl", "1-10.jsonl", "11.jsonl") if place.host_id == "host-1-a" else ("9.jsonl",)
        wall_s = float(place.host_id == "host-1-a")  # the other clock is behind
        return tuple(
            RecordingInfo(task_id="t1", name=f"{place.host_id}-{name}", size=1, changed_at=wall_s) for name in names
        )


async def test_a_host_that_is_gone_is_named_in_the_log_and_the_others_are_asked_in_the_order_of_places(
    caplog: pytest.LogCaptureFixture,
) -> None:
    recordings = await recordings_of(cast(Any, Router()), "t1")

    assert [(info.name, place.host_id) for info, place in recordings] == [
        ("host-1-a-1.jsonl", "host-1-a"),
        ("host-1-a-1-2.jsonl", "host-1-a"),
        ("host-1-a-1-10.jsonl", "host-1-a"),
        ("host-2-b-9.jsonl", "host-2-b"),
        ("host-1-a-11.jsonl", "host-1-a"),
    ]
    (record,) = caplog.records
    assert record.getMessage().startswith("the host gone cannot be asked for recordings: ")
