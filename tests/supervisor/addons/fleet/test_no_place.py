"""Whether a new task can be placed, for the probe of an operator."""

from __future__ import annotations

from typing import Literal

import pytest
from msgspec.structs import replace

from supervisor.addons.fleet import FleetStatus, HostStatus
from tests.supervisor.addons.fleet.filled import filled

State = Literal["starting", "serving", "draining"]


@pytest.mark.parametrize(
    ("hosts", "most", "start_error", "why"),
    [
        ([("serving", 1)], 1, "", ""),
        ([("serving", 1)], 1, "no Chromium", ""),
        ([("serving", 1), ("draining", 2)], 2, "", ""),
        ([("serving", 2)], None, "", ""),
        ([("serving", 2)], 2, "", ""),
        ([("serving", 2), ("starting", 0)], 2, "", ""),
        ([("serving", 2), ("draining", 1)], 2, "", "all 2 places are taken, and Hosts(most=2) allows no further host"),
        ([("serving", 2)], 1, "", "all 2 places are taken, and Hosts(most=1) allows no further host"),
        ([("serving", 2), ("starting", 0)], 2, "no Chromium", "hosts do not start: no Chromium"),
        ([], None, "no Chromium", "hosts do not start: no Chromium"),
        ([], 0, "", "all 0 places are taken"),
        ([], None, "", ""),
    ],
)
def test_a_task_can_be_placed_where_room_is_or_comes(
    hosts: list[tuple[State, int]], most: int | None, start_error: str, why: str
) -> None:
    shown = tuple(replace(filled(HostStatus), state=state, tasks=tasks) for state, tasks in hosts)
    capacity = 2 * sum(state == "serving" for state, _ in hosts)
    status = replace(filled(FleetStatus), hosts=shown, capacity=capacity, most=most, start_error=start_error)

    assert why in status.why_no_place
    assert bool(status.why_no_place) == bool(why)
