"""Comparison of two protocol schemas, down to fields and enum values; without I/O."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from cdp_typed.schema import CommandDef, Domain, EventDef, Property, Schema, TypeDef

__all__ = ["Change", "Difference", "Level", "compare"]

Change: TypeAlias = Literal["added", "removed", "type changed", "now optional", "now required"]
"""Seen from our schema: `added` is what only their schema has."""

Level: TypeAlias = Literal["domain", "command", "event", "type", "parameter", "result", "property", "value"]

Item = TypeVar("Item", Domain, CommandDef, EventDef, TypeDef, Property)


class Difference(Struct, frozen=True):
    """One difference of their schema from ours.

    `name` is `Page`, `Page.navigate`, `Page.navigate.url`, or for an enum's value the name of the enum; `detail` holds
    the old and new type, the value itself, or the sizes of a domain. `experimental` is true if it is marked so in
    either schema: upstream may change it without notice.
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
    """Return every difference, by domain in alphabetical order.

    The members of an added or removed domain, command, event or type are not listed again. The order of definitions,
    deprecation and redirects make no difference: nothing on the wire depends on them.
    """
    diff = _Comparison()
    for name, our, their, marked in diff.shared("domain", "", ours.domains.values(), theirs.domains.values(), False):
        for where, old, new, inner in diff.shared("command", name, our.commands, their.commands, marked):
            diff.fields("parameter", where, old.parameters, new.parameters, inner)
            diff.fields("result", where, old.returns, new.returns, inner)
        for where, before, after, inner in diff.shared("event", name, our.events, their.events, marked):
            diff.fields("parameter", where, before.parameters, after.parameters, inner)
        for where, was, now, inner in diff.shared("type", name, our.types, their.types, marked):
            diff.shapes("type", where, was, now, inner)
            diff.fields("property", where, was.properties or (), now.properties or (), inner)
    return tuple(diff.differences)


class _Comparison:
    """Collects the differences, level by level."""

    def __init__(self) -> None:
        self.differences: list[Difference] = []

    def shared(
        self, level: Level, owner: str, ours: Iterable[Item], theirs: Iterable[Item], inherited: bool
    ) -> Iterator[tuple[str, Item, Item, bool]]:
        """Yield full name, our item, their item, `experimental` of each shared item; add a difference for the rest."""
        old: dict[str, Item] = {_name(item): item for item in ours}
        new: dict[str, Item] = {_name(item): item for item in theirs}
        for name in sorted({*old, *new}):
            where = f"{owner}.{name}" if owner else name
            items = [schema[name] for schema in (old, new) if name in schema]
            marked = inherited or any(item.experimental for item in items)
            if len(items) == 2:
                yield where, items[0], items[1], marked
            else:
                self._add(level, "removed" if name in old else "added", where, _summary(items[0]), marked)

    def fields(
        self, level: Level, owner: str, ours: tuple[Property, ...], theirs: tuple[Property, ...], inherited: bool
    ) -> None:
        for where, old, new, marked in self.shared(level, owner, ours, theirs, inherited):
            self.shapes(level, where, old, new, marked)
            if old.optional != new.optional:
                self._add(level, "now optional" if new.optional else "now required", where, "", marked)

    def shapes(
        self, level: Level, where: str, ours: Property | TypeDef, theirs: Property | TypeDef, marked: bool
    ) -> None:
        old, new = _shape(ours), _shape(theirs)
        if old != new:
            self._add(level, "type changed", where, f"{old} -> {new}", marked)
            return
        old_values, new_values = set(ours.enum or ()), set(theirs.enum or ())
        for value in sorted(old_values ^ new_values):
            self._add("value", "removed" if value in old_values else "added", where, value, marked)

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
