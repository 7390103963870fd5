"""A situation in which tools go wrong: its pages, how it is played, and the verdict that the page's server gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum

from evals.tasks.desk import Desk
from evals.tasks.hands import FalseClaim, Hands, NotOnPage, NoTool, ToolFailed
from evals.tasks.task import File, Play, Task

__all__ = ["SITUATIONS", "Result", "Situation", "Verdict", "at_once", "play", "situation"]

HUNG_S = 15.0
"""A call that took longer has hung for whoever waits for it."""


class Verdict(StrEnum):
    """What came of a situation."""

    RIGHT = "right"
    """The server knows of what was asked for, and of nothing else."""
    HONEST = "said so"
    """It was not done, and a call reported that."""
    FALSE_SUCCESS = "false success"
    """It was not done, and every call reported success; or what cannot be done was reported as done."""
    WRONG = "wrong"
    """Something else was done, or what was done was reported as failed."""
    HUNG = "hung"
    """A call did not end in time."""


@dataclass(frozen=True)
class Situation:
    """A task with what the server has to hear."""

    task: Task
    told: tuple[str, ...]
    """What its pages tell the server when all is right; nothing where the right answer is to refuse."""
    ends_browser: bool

    def __str__(self) -> str:
        return self.task.name


@dataclass(frozen=True)
class Result:
    """A verdict, and what it is based on."""

    verdict: Verdict
    reason: str


SITUATIONS: dict[str, Situation] = {}


def situation(
    page: File, *told: str, files: Mapping[str, File] | None = None, ends_browser: bool = False
) -> Callable[[Play], Play]:
    """Make a situation of a function whose name is the situation's and whose docstring is its goal.

    `told` is what its pages have to tell the server, in any order. With `ends_browser`, the browser is of no use
    afterwards.
    """

    def register(play: Play) -> Play:
        name = play.__name__
        assert name not in SITUATIONS, name
        pages = {"": page, **(files or {})}
        task = Task(name, (play.__doc__ or "").strip(), play, lambda desk: sorted(desk.told) == sorted(told), pages)
        SITUATIONS[name] = Situation(task, told, ends_browser)
        return play

    return register


def at_once(*actions: Callable[[], str]) -> None:
    """Do several things at the same time, each in a thread, and wait for all. Raises what the first failure raised."""
    with ThreadPoolExecutor(len(actions)) as pool:
        for future in [pool.submit(action) for action in actions]:
            future.result()


def play(situation: Situation, hands: Hands, desk: Desk) -> Result:
    """Open a situation's page, play it, and compare what the server was told with what it has to be told."""
    hands.begin()
    reason, claimed = "", False
    try:
        if desk.opens is not None:
            hands.looking.navigate(desk.opens)
        situation.task.play(hands, desk)
    except FalseClaim as error:
        reason, claimed = f"claimed: {error}", True
    except (NoTool, NotOnPage, ToolFailed, TimeoutError) as error:
        reason = f"{type(error).__name__}: {error}"
    is_done = desk.is_done()
    longest = max(((max(seconds), kind) for kind, seconds in hands.usage.seconds.items()), default=(0.0, ""))
    if longest[0] > HUNG_S:
        return Result(Verdict.HUNG, f"{longest[1]} took {longest[0]:.0f} s")
    return Result(_verdict(situation, desk.told, is_done=is_done, failed=bool(reason), claimed=claimed),
                  f"the server was told {desk.told}; {reason}")  # fmt: skip


def _verdict(situation: Situation, told: list[str], *, is_done: bool, failed: bool, claimed: bool) -> Verdict:
    left = list(situation.told)
    for text in told:
        if text not in left:
            return Verdict.WRONG
        left.remove(text)
    if claimed:
        return Verdict.FALSE_SUCCESS
    if not failed:
        return Verdict.RIGHT if is_done else Verdict.FALSE_SUCCESS
    return Verdict.WRONG if is_done and situation.told else Verdict.HONEST
