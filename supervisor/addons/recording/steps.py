"""A recorded run as values: its steps, their elements, and the secrets that it only names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from supervisor.tools.framework.untrusted_text import is_items

from .targets import ElementTarget


class Secret(Struct, frozen=True):
    """A text that the code takes from an environment variable."""

    variable: str


class CannotSay(Exception):
    """A language has no form for a step; the text is the reason."""


class RunStep(Struct, frozen=True, kw_only=True):
    """One call of a tool that succeeded."""

    tool: str
    arguments: Mapping[str, Any]
    """Those that differ from their defaults. A `Secret` replaces a text that may be one."""
    targets: Mapping[str, ElementTarget] = {}
    """By the name of the argument, or `fields.0` for the first field of a form."""
    frame: ElementTarget | None = None
    """The iframe that the argument `frame_id` names."""
    counted: int | None = None
    """The number of elements in the top document that a check counts, as test tools count them."""
    page_id: str = ""
    """The target id of the current page before the step."""
    page_after: str = ""
    """The same after it."""
    opened: tuple[str, ...] = ()
    """The target ids of the tabs that it opened."""
    uses_chooser: bool = False
    """It gave files to the chooser that the step before opened."""

    @property
    def keys(self) -> list[Any]:
        """The keys that it pressed, in order."""
        key: Any = self.arguments["key"]
        count: int = self.arguments.get("count", 1)
        return (list(key) if is_items(key) else [key]) * count

    @property
    def held(self) -> list[str]:
        """The keys that were held during a click."""
        held: str = self.arguments.get("modifiers", "")
        return held.split("+") if held else []

    @property
    def condition(self) -> tuple[str, Any]:
        """The kind and the value that it waited for. Raises `CannotSay` for several conditions."""
        until: Any = self.arguments["until"]
        conditions = list(until) if is_items(until) else [until]
        if len(conditions) != 1 or not isinstance(conditions[0], str):
            raise CannotSay("it waits for the first of several conditions, or for a secret")
        kind, _, value = conditions[0].partition(":")
        return kind, value or self.arguments.get("value", "")


class Run(Struct, frozen=True, kw_only=True):
    """A recorded run."""

    name: str
    steps: tuple[RunStep, ...]
    secrets: tuple[str, ...] = ()
    """The names of the environment variables that it needs."""


class Code(Struct, frozen=True, kw_only=True):
    """A run in one language."""

    text: str
    left_out: tuple[str, ...] = ()
    """One sentence for each step that the language cannot express."""
