"""Tasks for the toolsets that are off by default: they are kept apart from the others, whose figures are compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeAlias

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import File, Judge, Task
from evals.tasks.toolsets.hands import ToolsetHands

__all__ = ["ANSWER", "TOOLSET_TASKS", "answered", "found_in", "toolset_task", "type_answer"]

ToolsetPlay: TypeAlias = Callable[[ToolsetHands, Desk], None]

TOOLSET_TASKS: dict[str, Task] = {}

ANSWER = '<input id="answer" aria-label="Answer">'
"""The field into which a task types what a tool has shown."""


def answered(text: str) -> str:
    """Return the judge of a task that types a text into the field of `ANSWER`."""
    return f"answer.value === '{text}'"


def found_in(result: str, pattern: str) -> str:
    """Return the first group of a regular expression in a result, or words that no judge accepts."""
    found = re.search(pattern, result)
    return found.group(1) if found else "not found"


def type_answer(hands: ToolsetHands, text: str) -> None:
    """Type a text into the field of `ANSWER`."""
    hands.type(hands.ref("Answer", "textbox"), text)


def toolset_task(page: File, judge: Judge, *, files: Mapping[str, File] | None = None) -> Callable[[ToolsetPlay], Task]:
    """Make a task of a function whose name is the task's and whose docstring is its goal."""

    def register(play: ToolsetPlay) -> Task:
        @wraps(play)
        def played(hands: Hands, desk: Desk) -> None:
            assert isinstance(hands, ToolsetHands)
            play(hands, desk)

        name = play.__name__
        assert name not in TOOLSET_TASKS, name
        goal = (play.__doc__ or "").strip()
        made = Task(name, goal, played, judge, {"": page, **(files or {})}, looks_first=False)
        TOOLSET_TASKS[name] = made
        return made

    return register
