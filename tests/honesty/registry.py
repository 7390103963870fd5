"""The list of scenarios: each an async function of a `Play`, by its name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from tests.honesty.player import Play

__all__ = ["SCENES", "Scene", "scene"]

Scene: TypeAlias = Callable[[Play], Awaitable[None]]

SCENES: Final[dict[str, Scene]] = {}


def scene(play: Scene) -> Scene:
    """Make a function a scenario."""
    name = getattr(play, "__name__", "")
    assert name not in SCENES, name
    SCENES[name] = play
    return play
