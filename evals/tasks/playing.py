"""Plays tasks, and says what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evals.tasks.hands import FalseClaim, Hands, NotOnPage, NoTool, ToolFailed, Usage

__all__ = ["Outcome", "Scene", "play"]


class Scene(Protocol):
    """A task with all that it is played on."""

    @property
    def opens(self) -> str | None:
        """The address of its first page; `None` if the task itself opens one."""
        ...

    @property
    def looks_first(self) -> bool:
        """Whether the first page is shown as it opens."""
        ...

    def play(self, hands: Hands) -> None:
        """Do the task."""
        ...

    def is_done(self) -> bool:
        """Whether the judge finds the task done, now or soon."""
        ...

    def known(self) -> str:
        """What the judge knows, for a failure's message."""
        ...

    def close(self) -> None:
        """Clear up."""
        ...


@dataclass(frozen=True)
class Outcome:
    """What came of a task."""

    is_done: bool
    reason: str
    """Why it is not done; empty if it is."""
    usage: Usage
    is_false_success: bool = False
    """Whether each call reported success, and the judge says no."""


def play(hands: Hands, scene: Scene) -> Outcome:
    """Open a task's first page, play it, and let its judge decide."""
    hands.begin()
    reason, is_false_success = "", False
    try:
        if scene.opens is not None:
            (hands.looking if scene.looks_first else hands).navigate(scene.opens)
        scene.play(hands)
    except (FalseClaim, NoTool, NotOnPage, ToolFailed, TimeoutError) as error:
        reason = f"{type(error).__name__}: {error}"
        is_false_success = isinstance(error, FalseClaim)
    else:
        if not scene.is_done():
            reason = f"the judge says no: {scene.known()}"
            is_false_success = hands.usage.failed == 0
    return Outcome(not reason, reason, hands.usage, is_false_success)
