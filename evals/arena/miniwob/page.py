"""A task of MiniWoB++: a page that says what to do, and its own reward as the judge."""

from __future__ import annotations

from collections.abc import Callable

from evals.arena.applications.miniwob import MiniWoB
from evals.arena.reading import Reading
from evals.arena.task import Play, task
from evals.tasks.hands import Hands, NotOnPage

__all__ = ["press", "seen", "solves"]

REWARDED = "WOB_DONE_GLOBAL && WOB_RAW_REWARD_GLOBAL >= 1"
PART = 10
"""The short run plays each page whose place among all is a multiple of this."""


def solves(*pages: str) -> Callable[[Play[MiniWoB]], Play[MiniWoB]]:
    """Make a task of each page that a function solves."""

    def register(play: Play[MiniWoB]) -> Play[MiniWoB]:
        for page in pages:
            in_part = sum(map(ord, page)) % PART == 0
            task(MiniWoB, REWARDED, opens=f"/miniwob/{page}.html", name=page, in_part=in_part)(play)
        return play

    return register


def seen(hands: Hands) -> Reading:
    """The page as it was shown last."""
    return Reading(hands.look())


def press(hands: Hands, name: str = "Submit", *, page: Reading | None = None) -> None:
    """Press a button by its name, as a page that was seen before shows it, or by a new look."""
    for known in (page or seen(hands), None):
        elements = (known or Reading(hands.snapshot())).elements
        found = [element.ref for element in elements if (element.role, element.name) == ("button", name)]
        if found:
            hands.click(found[0])
            return
    raise NotOnPage(f"no button {name!r}")
