"""Plays tasks, and says what came of them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.tasks.desk import Desk
from tests.tasks.hands import FalseClaim, Hands, NotOnPage, NoTool, ToolFailed, Usage

__all__ = ["Outcome", "play"]


@dataclass(frozen=True)
class Outcome:
    """What came of a task."""

    is_done: bool
    reason: str
    """Why it is not done; empty if it is."""
    usage: Usage


def play(hands: Hands, desk: Desk) -> Outcome:
    """Open a task's first page, play it, and let its judge decide."""
    hands.begin()
    reason = ""
    try:
        if "" in desk.task.pages:
            (hands.looking if desk.task.looks_first else hands).navigate(desk.url)
        desk.task.play(hands, desk)
    except (FalseClaim, NoTool, NotOnPage, ToolFailed, TimeoutError) as error:
        reason = f"{type(error).__name__}: {error}"
    else:
        if not desk.is_done():
            reason = f"the judge says no: {desk.task.judge}; the page told {desk.told}"
    return Outcome(not reason, reason, hands.usage)
