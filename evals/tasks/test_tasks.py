"""Every task that people do is done with our tools alone, and the page says so itself."""

from __future__ import annotations

import pytest

from evals.tasks import sheets
from evals.tasks.desk import Room
from evals.tasks.hands import Hands
from evals.tasks.playing import play
from evals.tasks.raw_cdp import RawBrowser
from evals.tasks.red import RED
from evals.tasks.task import TASKS, Task


@pytest.mark.chromium
@pytest.mark.parametrize("task", TASKS.values(), ids=str)
def test_the_task_is_done(task: Task, hands: Hands, room: Room, judge: RawBrowser) -> None:
    desk = room.desk(task, judge)
    try:
        outcome = play(hands, desk)
    finally:
        desk.close()

    assert outcome.is_done, outcome.reason


def test_there_are_more_than_eighty_tasks_on_every_sheet() -> None:
    assert len(TASKS) > 80
    assert {task.sheet for task in TASKS.values()} == set(sheets.__all__)


def test_the_red_list_names_tasks_that_there_are() -> None:
    assert RED.keys() <= TASKS.keys()
