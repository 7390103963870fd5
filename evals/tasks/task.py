"""A task: its pages, how it is played, and what has to be true afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tests.support.servers.sites import Request, Response

if TYPE_CHECKING:
    from evals.tasks.desk import Desk
    from evals.tasks.hands import Hands

__all__ = ["TASKS", "File", "Play", "Task", "task"]

Play: TypeAlias = "Callable[[Hands, Desk], None]"
Judge: TypeAlias = "str | Callable[[Desk], bool]"
File: TypeAlias = "str | Response | Callable[[Request, Desk], str | Response]"
"""HTML, in which `$own` and `$other` are the task's address on the two sites; a response; or a function."""


@dataclass(frozen=True)
class Task:
    """A thing that a person can do on a page."""

    name: str
    goal: str
    """A sentence."""
    play: Play
    judge: Judge
    """An expression of the page that must become true, or a function of what the server and the page know."""
    pages: Mapping[str, File] = field(repr=False)
    """By their path below the task's own, or on the site if it begins with a slash; the first page is ``."""
    needs_libraries: bool = False
    looks_first: bool = True
    """Whether the page is looked at before anything else, so that it may be shown as it opens."""

    def __str__(self) -> str:
        return self.name

    @property
    def sheet(self) -> str:
        """The module that it is in."""
        return self.play.__module__.rpartition(".")[2]


TASKS: dict[str, Task] = {}


def task(
    page: File,
    judge: Judge,
    *,
    files: Mapping[str, File] | None = None,
    needs_libraries: bool = False,
    looks_first: bool = True,
) -> Callable[[Play], Play]:
    """Make a task of a function whose name is the task's and whose docstring is its goal."""

    def register(play: Play) -> Play:
        name = play.__name__
        assert name not in TASKS, name
        goal = (play.__doc__ or "").strip()
        TASKS[name] = Task(name, goal, play, judge, {"": page, **(files or {})}, needs_libraries, looks_first)
        return play

    return register


LIBRARIES = Path(".venv/libraries/node_modules")
