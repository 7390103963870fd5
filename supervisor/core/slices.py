"""An entry of `ORDER`: a slice with the inputs and the changes that concern it."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Self, TypeAlias

from msgspec import Struct

from .state.world import World
from .vocabulary.effects import Effects
from .vocabulary.inputs import Input

Advance: TypeAlias = Callable[[World, World, Input, float], tuple[World, Effects]]
"""Takes the world so far, the world before the input, the input, and the time in seconds since the epoch."""


class EveryInput:
    """The mark in `Slice.inputs` for a slice that every input concerns."""


class Guard(Struct, frozen=True):
    """A condition without which a slice would change nothing and send nothing, so that `step` skips it."""

    condition: str
    """The condition in words; it completes "only while ..."."""
    fields: tuple[str, ...]
    """The fields of `World`, with dots, of which at least one is not empty while the condition holds."""
    readers: tuple[Callable[[World], object], ...]
    """A function for each of these fields that returns its value."""

    @classmethod
    def of(cls, condition: str, *names: str) -> Self:
        """Make the guard of these fields of `World`."""
        return cls(condition, names, tuple(map(attrgetter, names)))


class Slice(Struct, frozen=True):
    """An entry of the order."""

    advance: Advance
    reason: str
    """The reason for its position."""
    inputs: frozenset[type]
    """The inputs that concern it: classes of events, tags, timers and of the other inputs."""
    depends_on: frozenset[str]
    """The fields of `World` whose change concerns it."""
    changes: tuple[str, ...]
    """The fields of `World` that it may change."""
    guard: Guard | None = None
    wakes_on: frozenset[type] = frozenset()
    """Those of `inputs` that concern it also while its guard does not hold: they make the guard hold, or complete a
    call that was made too late."""

    @classmethod
    def of(
        cls,
        advance: Advance,
        reason: str,
        *concerned_by: type,
        depends_on: str = "",
        changes: str = "",
        guard: Guard | None = None,
        wakes_on: tuple[type, ...] = (),
    ) -> Self:
        """Make an entry; `depends_on` and `changes` are fields of `World`, with blanks between them."""
        return cls(
            advance,
            reason,
            inputs=frozenset((*concerned_by, *wakes_on)),
            depends_on=frozenset(depends_on.split()),
            changes=tuple(changes.split()),
            guard=guard,
            wakes_on=frozenset(wakes_on),
        )
