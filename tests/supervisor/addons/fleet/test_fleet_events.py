"""The events of a fleet's tasks: each once, also those that a program that has just begun to look finds there."""

from __future__ import annotations

import argparse
import json
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from supervisor.addons.fleet import FleetStopped, TaskLoad, TaskStatus
from supervisor.addons.fleet.commands import fleet_events
from supervisor.addons.fleet.commands.fleet_events import follow
from supervisor.addons.fleet.commands.fleet_tables import tasks_table

MACHINE = "its machine was lost"
LOST = TaskStatus(task_id="ada", state="lost", driver=None, reason=MACHINE)
WAITING = TaskStatus(task_id="ada", state="waiting", driver="d1")
UNREPORTED = TaskStatus(task_id="ada", state="placed", driver="d1", host_id="h2")
ENDED = FleetStopped("shop")


def placed(host: str, number: int, dialogs: int = 0, restarted: str = "") -> TaskStatus:
    load = TaskLoad(task_id="ada", number=number, calls=0, open_dialogs=dialogs, idle_s=1.0, restarted=restarted)
    return TaskStatus(task_id="ada", state="placed", driver="d1", host_id=host, load=load)


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        ([placed("h1", 1), placed("h1", 1)], []),
        ([placed("h1", 1), LOST, LOST], [{"event": "lost", "reason": MACHINE}]),
        ([LOST, WAITING, LOST], [{"event": "lost", "reason": MACHINE}]),
        (
            [placed("h1", 1), LOST, WAITING, UNREPORTED, placed("h2", 2, restarted=MACHINE), placed("h2", 2)],
            [{"event": "lost", "reason": MACHINE}, {"event": "moved", "host_id": "h2", "reason": MACHINE}],
        ),
        ([placed("h1", 1), placed("h1", 2)], [{"event": "moved", "host_id": "h1"}]),
        (
            [placed("h1", 1), *2 * [placed("h1", 1, restarted="its browser ended")], placed("h1", 1)],
            [{"event": "lost", "host_id": "h1", "reason": "its browser ended"}],
        ),
        (
            [placed("h1", 1, dialogs) for dialogs in (1, 1, 2, 0, 1)],
            [{"event": "dialog", "host_id": "h1", "open_dialogs": dialogs} for dialogs in (1, 2, 1)],
        ),
        (
            [placed("h1", 1, 1), placed("h2", 2, 1)],
            [
                {"event": "dialog", "host_id": "h1", "open_dialogs": 1},
                {"event": "moved", "host_id": "h2"},
                {"event": "dialog", "host_id": "h2", "open_dialogs": 1},
            ],
        ),
        ([placed("h1", 1, 1), None, placed("h1", 2, 1)], 2 * [{"event": "dialog", "host_id": "h1", "open_dialogs": 1}]),
    ],
)
def test_each_loss_move_and_dialog_of_a_task_is_a_line_once(
    looks: list[TaskStatus | None],
    expected: list[dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fleet_events, "LOOK_S", 0)
    fleet: Any = Mock()
    fleet.aio.tasks = AsyncMock(side_effect=[*((look,) if look is not None else () for look in looks), ENDED])
    with pytest.raises(FleetStopped):
        follow(fleet, argparse.Namespace())

    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told == [{"task_id": "ada", **event} for event in expected]


def test_the_table_of_tasks_says_why_one_began_anew_at_its_place() -> None:
    rows = tasks_table((placed("h1", 1), placed("h1", 1, restarted="its browser ended"))).splitlines()

    assert [row.partition("d1")[2].strip() for row in rows] == ["", "", "its browser ended"]
