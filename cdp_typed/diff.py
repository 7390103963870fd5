"""What one protocol schema has that another has not, down to fields and enum values: a pure comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from cdp_typed.schema import CommandDef, Domain, EventDef, Property, Schema, TypeDef

__all__ = ["Change", "Difference", "Level", "compare"]

Change: TypeAlias = Literal["added", "removed", "type changed", "now optional", "now required"]
"""Seen from ours: `added` is what only theirs has."""

Level: TypeAlias = Literal["domain", "command", "event", "type", "parameter", "result", "property", "value"]

Item = TypeVar("Item", Domain, CommandDef, EventDef, TypeDef, Property)


class Difference(Struct, frozen=True):
    """One difference of their schema from ours.

    `name` is `Page`, `Page.navigate`, `Page.navigate.url`, or for an enum's value the name of the enum; `detail` says
    what it was and is, the value itself, or what a domain holds. `experimental`: whether upstream keeps the right to
    change it without notice, in either schema.
    """

    level: Level
    change: Change
    name: str
    detail: str = ""
    experimental: bool = False

    def __str__(self) -> str:
        mark = " (experimental)" if self.experimental else ""
        return f"{self.level} {self.name} {self.change}{f': {self.detail}' if self.detail else ''}{mark}"


def compare(ours: Schema, theirs: Schema) -> tuple[Difference, ...]:
    """Every difference, by domain in alphabetical order; nothing at all for equal schemas.

    What belongs to an added or removed domain, command, event or type is not listed again. The order of definitions,
    deprecation and redirects make no difference: nothing on the wire depends on them.
    """
    found = _Findings()
    for name, mine, other, marked in found.shared("domain", "", ours.domains.values(), theirs.domains.values(), False):
        for where, a, b, inner in found.shared("command", name, mine.commands, other.commands, marked):
            found.fields("parameter", where, a.parameters, b.parameters, inner)
            found.fields("result", where, a.returns, b.returns, inner)
        for where, c, d, inner in found.shared("event", name, mine.events, other.events, marked):
            found.fields("parameter", where, c.parameters, d.parameters, inner)
        for where, e, f, inner in found.shared("type", name, mine.types, other.types, marked):
            found.shapes("type", where, e, f, inner)
            found.fields("property", where, e.properties or (), f.properties or (), inner)
    return tuple(found.differences)


class _Findings:
    """The differences met so far."""

    def __init__(self) -> None:
        self.differences: list[Difference] = []

    def shared(
        self, level: Level, owner: str, mine: Iterable[Item], other: Iterable[Item], inherited: bool
    ) -> Iterator[tuple[str, Item, Item, bool]]:
        """What both have, by full name, with its mark of being experimental; what only one has is a difference."""
        here: dict[str, Item] = {_name(each): each for each in mine}
        there: dict[str, Item] = {_name(each): each for each in other}
        for name in sorted({*here, *there}):
            where = f"{owner}.{name}" if owner else name
            sides = [side[name] for side in (here, there) if name in side]
            marked = inherited or any(each.experimental for each in sides)
            if len(sides) == 2:
                yield where, sides[0], sides[1], marked
            else:
                self._add(level, "removed" if name in here else "added", where, _summary(sides[0]), marked)

    def fields(
        self, level: Level, owner: str, mine: tuple[Property, ...], other: tuple[Property, ...], inherited: bool
    ) -> None:
        for where, a, b, marked in self.shared(level, owner, mine, other, inherited):
            self.shapes(level, where, a, b, marked)
            if a.optional != b.optional:
                self._add(level, "now optional" if b.optional else "now required", where, "", marked)

    def shapes(
        self, level: Level, where: str, mine: Property | TypeDef, other: Property | TypeDef, marked: bool
    ) -> None:
        was, now = _shape(mine), _shape(other)
        if was != now:
            self._add(level, "type changed", where, f"{was} -> {now}", marked)
            return
        values, newer = set(mine.enum or ()), set(other.enum or ())
        for value in sorted(values ^ newer):
            self._add("value", "removed" if value in values else "added", where, value, marked)

    def _add(self, level: Level, change: Change, name: str, detail: str, experimental: bool) -> None:
        self.differences.append(Difference(level, change, name, detail, experimental))


def _name(item: Domain | CommandDef | EventDef | TypeDef | Property) -> str:
    match item:
        case Domain():
            return item.domain
        case TypeDef():
            return item.id
        case _:
            return item.name


def _summary(item: Domain | CommandDef | EventDef | TypeDef | Property) -> str:
    match item:
        case Domain():
            return f"{len(item.commands)} commands, {len(item.events)} events, {len(item.types)} types"
        case Property():
            return f"optional {_shape(item)}" if item.optional else _shape(item)
        case _:
            return ""


def _shape(item: Property | TypeDef) -> str:
    if isinstance(item, Property) and item.ref is not None:
        return item.ref
    if item.items is not None:
        return f"array of {item.items.ref or item.items.type}"
    return "enum" if item.enum is not None else item.type or "any"
