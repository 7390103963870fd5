"""The list of scenarios: async functions of a `Play`, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, overload

from tests.honesty.player import Play

__all__ = ["FATAL", "SCENARIOS", "Scenario", "scenario"]

Scenario: TypeAlias = Callable[[Play], Awaitable[None]]

SCENARIOS: Final[dict[str, Scenario]] = {}
FATAL: Final[set[str]] = set()
"""The scenarios that end the browser, and so need one of their own."""


@overload
def scenario(play: Scenario) -> Scenario: ...
@overload
def scenario(*, fatal: bool) -> Callable[[Scenario], Scenario]: ...
def scenario(play: Scenario | None = None, *, fatal: bool = False) -> Scenario | Callable[[Scenario], Scenario]:
    """Register a function as a scenario."""

    def add(play: Scenario) -> Scenario:
        name = getattr(play, "__name__", "")
        assert name not in SCENARIOS, name
        SCENARIOS[name] = play
        if fatal:
            FATAL.add(name)
        return play

    return add if play is None else add(play)
