"""A task of the arena: an application, how it is played, and the outside judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from evals.arena.applications.application import Application
from evals.tasks.desk import until
from evals.tasks.hands import Hands, NotOnPage
from evals.tasks.raw_cdp import RawBrowser

__all__ = ["TASKS", "ArenaTask", "Place", "task"]

A = TypeVar("A", bound=Application)
Play = Callable[[Hands, A], None]
Judge = Callable[[A], bool] | str
"""A function of the application; or an expression that must become true in its page."""


@dataclass(frozen=True)
class ArenaTask:
    """A thing that people do in an application."""

    name: str
    goal: str
    """A sentence."""
    application: type[Application]
    opens: str
    """The path of the page that it begins with."""
    play: Play[Any]
    judge: Judge[Any]
    in_part: bool
    """Whether the short run plays it."""

    def __str__(self) -> str:
        return self.name


TASKS: dict[str, ArenaTask] = {}


def task(
    application: type[A], judge: Judge[A], *, opens: str = "/", in_part: bool = False, name: str = ""
) -> Callable[[Play[A]], Play[A]]:
    """Make a task of a function whose name is the task's, unless one is given, and whose docstring is its goal."""

    def register(play: Play[A]) -> Play[A]:
        own = name or play.__name__
        assert own not in TASKS, own
        TASKS[own] = ArenaTask(own, (play.__doc__ or "").strip(), application, opens, play, judge, in_part)
        return play

    return register


class Place:
    """A task, the running application that it is played on, and the browser to ask."""

    looks_first = True

    def __init__(self, task: ArenaTask, application: Application, browser: RawBrowser) -> None:
        self._task = task
        self._application = application
        self._browser = browser

    @property
    def opens(self) -> str:
        """The address of the task's first page."""
        return self._application.url + self._task.opens

    def play(self, hands: Hands) -> None:
        """Do the task. Raises `NotOnPage` also where the results do not have what a solution reads."""
        try:
            self._task.play(hands, self._application)
        except (IndexError, KeyError, StopIteration, ValueError) as error:
            raise NotOnPage(f"{error!r} with {hands.heard.text[-2000:]}") from error

    def is_done(self) -> bool:
        """Whether the judge finds the task done, now or soon."""
        return until(self._judge, self._application.patience_s)

    def known(self) -> str:
        """What was asked of the page, if the page is asked."""
        return self._task.judge if isinstance(self._task.judge, str) else self._task.judge.__name__

    def close(self) -> None:
        """Leave the application to the tasks that follow."""

    def _judge(self) -> bool:
        if isinstance(self._task.judge, str):
            return self._browser.is_true(self.opens, self._task.judge)
        try:
            return self._task.judge(self._application)
        except (OSError, ValueError, KeyError, IndexError):  # a file that is being written, or is not there yet
            return False
