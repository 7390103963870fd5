"""Every task for the toolsets is done with our tools, and the page or its server says so itself."""

from __future__ import annotations

import pytest

from evals.tasks.desk import Room
from evals.tasks.playing import play
from evals.tasks.raw_cdp import RawBrowser
from evals.tasks.task import Task
from evals.tasks.toolsets import sheets
from evals.tasks.toolsets.our_hands import OurToolsetHands
from evals.tasks.toolsets.task import TOOLSET_TASKS


@pytest.mark.chromium
@pytest.mark.parametrize("task", TOOLSET_TASKS.values(), ids=str)
def test_the_task_is_done(task: Task, hands: OurToolsetHands, room: Room, judge: RawBrowser) -> None:
    desk = room.desk(task, judge)
    try:
        outcome = play(hands, desk)
    finally:
        desk.close()

    assert outcome.is_done, outcome.reason


def test_every_sheet_has_tasks() -> None:
    assert {task.sheet for task in TOOLSET_TASKS.values()} == set(sheets.__all__)
