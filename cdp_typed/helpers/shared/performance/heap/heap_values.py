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
    retained: int = 0
    """Bytes that would be free without all of them. 0 if it was not computed."""


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
    type: str
    """V8's: object, closure, string, array, native and so on."""
    size: int
    """Of the object alone."""
    retained: int | None = None
    """Bytes that would be free without it. None for an object that is gone."""
    distance: int | None = None
    """Steps from the roots, None if only weak references lead to it."""
    is_detached: bool = False
    """A node of the DOM that is in no document."""
    is_removed: bool = False
    """It was in the earlier snapshot only."""


class HeapReference(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reference from or to an object."""

    by: PageText
    """The name of the property or variable, or the number of the element."""
    kind: str
    """V8's: property, element, context (a variable of a closure), internal, hidden, shortcut, weak."""
    id: str
    """The object at the other end."""
    name: PageText
    size: int
    retained: int


class RepeatedText(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A string that the heap has several copies of."""

    text: PageText
    count: int
    size: int
    """Of all copies."""
    ids: str
    """Some of the copies."""


class ObjectDetails(Struct, frozen=True, kw_only=True):
    """An object with what is around it."""

    object: HeapObject
    references: list[HeapReference]
    """From it, without numbers, `undefined`, `null`, `true` and `false`, unless a condition asks for a type."""
    retainers: list[HeapReference]
    """To it, without weak ones."""
    dominators: list[HeapObject]
    """The objects without which it would be free, the nearest first."""
    retaining_path: list[str] | None
    """A shortest way to it, from the object up to the root; None if only weak references lead there."""
