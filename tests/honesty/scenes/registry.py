"""The list of scenarios: async functions of a `Play`, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, overload

from tests.honesty.player import Play

__all__ = ["FATAL", "SCENES", "Scene", "scene"]

Scene: TypeAlias = Callable[[Play], Awaitable[None]]

SCENES: Final[dict[str, Scene]] = {}
FATAL: Final[set[str]] = set()
"""The scenarios that end the browser, and so need one of their own."""


@overload
def scene(play: Scene) -> Scene: ...
@overload
def scene(*, fatal: bool) -> Callable[[Scene], Scene]: ...
def scene(play: Scene | None = None, *, fatal: bool = False) -> Scene | Callable[[Scene], Scene]:
    """Register a function as a scenario."""

    def add(play: Scene) -> Scene:
        name = getattr(play, "__name__", "")
        assert name not in SCENES, name
        SCENES[name] = play
        if fatal:
            FATAL.add(name)
        return play

    return add if play is None else add(play)
