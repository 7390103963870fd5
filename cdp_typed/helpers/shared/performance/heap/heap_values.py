"""The answers of a heap graph. Sizes are bytes."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.helpers.shared.performance.page_text import PageText


class HeapClass(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The objects of one class."""

    name: PageText
    """In parentheses: strings, arrays and the like. In braces: plain objects with these properties."""
    count: int
    size: int
    """Of the objects alone."""


class HeapChange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The objects of one class that came and went between two snapshots."""

    name: PageText
    added: int = 0
    removed: int = 0
    added_size: int = 0
    removed_size: int = 0


class HeapObject(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One object."""

    id: str
    """Such as `@1234`. Chromium keeps it while the session lasts that takes the snapshots."""
    name: PageText
    """Its class; of a plain object its properties, of a string its text."""
    size: int
    """Of the object alone."""
    is_detached: bool = False
    """A node of the DOM that is in no document."""
    is_removed: bool = False
    """It was in the earlier snapshot only."""


class RepeatedText(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A string that the heap has several copies of."""

    text: PageText
    count: int
    size: int
    """Of all copies."""
    ids: str
    """Some of the copies."""
