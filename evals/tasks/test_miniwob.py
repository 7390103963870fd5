"""The tasks of MiniWoB++, whose pages nobody here wrote, are done with our tools alone; the benchmark itself judges."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evals.arena import miniwob
from evals.arena.applications.miniwob import MiniWoB
from evals.arena.task import TASKS, ArenaTask, Place
from evals.tasks.hands import Hands
from evals.tasks.playing import play
from evals.tasks.raw_cdp import RawBrowser

assert miniwob.__name__  # it registers the tasks


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniWoB]:
    """The pages on a local server."""
    with MiniWoB(tmp_path_factory.mktemp("miniwob")) as running:
        yield running


@pytest.mark.chromium
@pytest.mark.parametrize("task", [task for task in TASKS.values() if task.application is MiniWoB], ids=str)
def test_the_benchmark_rewards_it(task: ArenaTask, hands: Hands, pages: MiniWoB, judge: RawBrowser) -> None:
    outcome = play(hands, Place(task, pages, judge))

    assert outcome.is_done, outcome.reason
