"""What a run of a program sees of its frame, and what comes out of it: values, told and not done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cdp_typed.mock.js.values import Func

__all__ = [
    "Asks",
    "Effect",
    "Logs",
    "Navigates",
    "Outcome",
    "Removes",
    "Returns",
    "Run",
    "Schedules",
    "Spins",
    "Throws",
    "Titles",
    "World",
]


class World(Struct, frozen=True):
    """What a program can see of its frame. `elements` are the names of the iframes in it."""

    title: str
    url: str
    variables: Mapping[str, Any]
    elements: Mapping[str, str]


class Logs(Struct, frozen=True):
    """`console.<level>(*arguments)`."""

    level: str
    arguments: tuple[Any, ...]


class Schedules(Struct, frozen=True):
    """`setTimeout(function, delay_ms)`."""

    function: Func
    delay_ms: float


class Removes(Struct, frozen=True):
    """An iframe element was removed."""

    frame: str


class Navigates(Struct, frozen=True):
    """An iframe element's `src` was set."""

    frame: str
    url: str


class Titles(Struct, frozen=True):
    """`document.title` was set."""

    title: str


Effect = Logs | Schedules | Removes | Navigates | Titles


class Returns(Struct, frozen=True):
    """The value of the last expression."""

    value: Any


class Throws(Struct, frozen=True):
    """An exception left the program; `column` is that of the throw."""

    value: Any
    column: int


class Asks(Struct, frozen=True):
    """A dialog opens here, and no answer to it is known yet."""

    type: str
    message: str
    default: str


class Spins(Struct, frozen=True):
    """The program never ends."""


Outcome = Returns | Throws | Asks | Spins


class Run(Struct, frozen=True):
    """One run: its end, the variables at its end, and what it did, in order."""

    outcome: Outcome
    variables: Mapping[str, Any]
    effects: tuple[Effect, ...]
