"""Whether a new task can be placed, as the status of a fleet and its HTTP probe say it."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any, Literal, cast
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from cdp_typed.loop_thread import HANDLER_LOOP
from supervisor.addons.fleet import CutOff, FleetStatus, HostStatus
from supervisor.addons.fleet.commands import fleet_probe
from supervisor.addons.fleet.commands.fleet_probe import serving_probe
from tests.supervisor.addons.fleet.filled import filled

State = Literal["starting", "serving", "draining"]
EMPTY = replace(filled(FleetStatus), hosts=(), capacity=0, start_error="", most=None)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    with HANDLER_LOOP.held():
        yield


def answer_of(url: str) -> tuple[int, dict[str, Any]]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


@pytest.mark.parametrize(
    ("status", "code", "why"),
    [
        (EMPTY, 200, ""),
        (replace(EMPTY, start_error="no Chromium"), 503, "all 0 places are taken, and hosts do not start: no Chromium"),
        (CutOff("shop"), 503, str(CutOff("shop"))),
        (None, 503, "the directory of the fleet did not answer within 0.05 s"),
    ],
)
def test_a_probe_is_told_whether_a_task_can_be_placed(
    status: FleetStatus | CutOff | None, code: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_probe, "ANSWER_S", 0.05 if status is None else 30.0)

    async def ask() -> FleetStatus:
        if status is None:
            await asyncio.Event().wait()
        if isinstance(status, CutOff):
            raise status
        return cast(FleetStatus, status)

    with serving_probe(Mock(aio=Mock(status=ask)), "127.0.0.1", 0) as url:
        answers = [answer_of(url), answer_of(f"{url}healthz")]

    assert answers == [(code, {"can_place": code == 200, "why": why})] * 2
    with pytest.raises(urllib.error.URLError):
        answer_of(url)


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
