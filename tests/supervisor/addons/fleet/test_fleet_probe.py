"""The HTTP probe of a fleet: whether a task can be placed, also while the directory does not answer."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any, cast
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from cdp_typed.loop_thread import HANDLER_LOOP
from supervisor.addons.fleet import CutOff, FleetStatus
from supervisor.addons.fleet.commands import fleet_probe
from supervisor.addons.fleet.commands.fleet_probe import serving_probe
from tests.supervisor.addons.fleet.filled import filled

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
        (replace(EMPTY, most=0), 503, "all 0 places are taken, and Hosts(most=0) allows no further host"),
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
