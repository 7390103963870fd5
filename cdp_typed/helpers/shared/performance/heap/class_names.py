"""The names of classes and objects, as the developer tools show them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from .snapshot import Snapshot

_LONGEST_SHAPE = 120
_LONGEST_NAME = 100
_LONGEST_TEXT = 1024
_QUOTED = re.compile("[,'\"{}]")


@dataclass(frozen=True)
class Shape:
    """Plain objects with the same properties, which count as a class."""

    name: str
    properties: frozenset[str]


class ClassNames:
    """Names of the classes of a snapshot's objects."""

    def __init__(self, snapshot: Snapshot, shapes: Sequence[Shape] | None = None) -> None:
        """`shapes` are those of another snapshot with which this one is compared."""
        self._snapshot = snapshot
        self._property = snapshot.edge_kind("property")
        self._plain = self._plain_objects()
        self._properties: dict[int, tuple[int, ...]] = {node: self._properties_of(node) for node in self._plain}
        self.shapes: Sequence[Shape] = self._find_shapes() if shapes is None else shapes
        self.of: list[str] = self._names()
        """By node, the name of its class."""

    def _plain_objects(self) -> list[int]:
        snapshot = self._snapshot
        kind = snapshot.kind("object")
        names = {number for number, text in enumerate(snapshot.strings) if text == "Object"}
        pairs = enumerate(zip(snapshot.kinds, snapshot.names, strict=True))
        return [node for node, (each, name) in pairs if each == kind and name in names]

    def _properties_of(self, node: int) -> tuple[int, ...]:
        snapshot = self._snapshot
        first, last = snapshot.first_edges[node], snapshot.first_edges[node + 1]
        kinds = snapshot.edge_kinds[first:last]
        names = snapshot.edge_names[first:last]
        return tuple([name for kind, name in zip(kinds, names, strict=True) if kind == self._property])

    def _find_shapes(self) -> list[Shape]:
        counts: dict[tuple[int, ...], int] = {}
        for properties in self._properties.values():
            counts[properties] = counts.get(properties, 0) + 1
        shapes: dict[str, Shape] = {}
        totals: dict[str, int] = {}
        for properties, count in counts.items():
            texts = [text for number in properties if (text := self._snapshot.strings[number]) != "__proto__"]
            if texts:
                shape = _shape(texts)
                shapes.setdefault(shape.name, shape)
                totals[shape.name] = totals.get(shape.name, 0) + count
        least = max(2, len(self._plain) / 1000)
        frequent = sorted(shapes, key=lambda name: -totals[name])
        return [shapes[name] for name in frequent if totals[name] >= least]

    def _names(self) -> list[str]:
        snapshot = self._snapshot
        own = {snapshot.kind("object"), snapshot.kind("native")}
        fixed = {kind: f"({name})" for kind, name in enumerate(snapshot.types)}
        fixed[snapshot.kind("hidden")] = "(system)"
        fixed[snapshot.kind("code")] = "(compiled code)"
        fixed[snapshot.kind("closure")] = "Function"
        fixed[snapshot.kind("regexp")] = "RegExp"
        shortened: dict[int, str] = {}
        for number in {*snapshot.names}:
            shortened[number] = _without_attributes(snapshot.strings[number])
        pairs = zip(snapshot.kinds, snapshot.names, strict=True)
        names = [shortened[name] if kind in own else fixed[kind] for kind, name in pairs]
        fitting = _Fitting(self.shapes)
        for node, properties in self._properties.items():
            names[node] = fitting.name_of(properties, snapshot.strings)
        return names


class _Fitting:
    """Finds the shape with most properties that an object has all of."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._with: dict[str, list[tuple[int, Shape]]] = {}
        for rank, shape in enumerate(shapes):
            self._with.setdefault(min(shape.properties), []).append((rank, shape))
        self._known: dict[tuple[int, ...], str] = {}

    def name_of(self, properties: tuple[int, ...], strings: Sequence[str]) -> str:
        if properties not in self._known:
            texts = frozenset(strings[number] for number in properties)
            fitting = [
                (-len(shape.properties), rank, shape.name)
                for text in texts
                for rank, shape in self._with.get(text, ())
                if shape.properties <= texts
            ]
            self._known[properties] = min(fitting)[2] if fitting else "Object"
        return self._known[properties]


def _shape(texts: Sequence[str]) -> Shape:
    name, taken = "{", 0
    for text in texts:
        shown = _quoted(text)
        if len(name) > 1 and len(name) + len(shown) > _LONGEST_SHAPE:
            break
        name += f"{', ' if taken else ''}{shown}"
        taken += 1
    return Shape(f"{name}}}", frozenset(texts[:taken]))


def _without_attributes(name: str) -> str:
    for start, opening in ((0, "<"), (10, "Detached <")):
        if name.startswith(opening):
            space = name.find(" ", start)
            return name if space < 0 else f"{name[:space]}>"
    return name


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False) if _QUOTED.search(name) else name


def object_name(snapshot: Snapshot, node: int) -> str:
    """The name of one object: of a plain object its properties, of a string its text."""
    kind = snapshot.types[snapshot.kinds[node]]
    if kind == "concatenated string":
        return _joined(snapshot, node)
    name = snapshot.name_of(node)
    return _plain_name(snapshot, node) if kind == "object" and name == "Object" else name


def _joined(snapshot: Snapshot, node: int) -> str:
    kind, text, rest = snapshot.kind("concatenated string"), "", [node]
    while rest and len(text) < _LONGEST_TEXT:
        part = rest.pop()
        if snapshot.kinds[part] != kind:
            text += snapshot.name_of(part)
            continue
        halves = (snapshot.internal(part, name) for name in ("second", "first"))
        rest += [half for half in halves if half is not None]
    return text


def _plain_name(snapshot: Snapshot, node: int) -> str:
    """The first and the last properties, as many as fit."""
    own = snapshot.edge_kind("property")
    edges = [edge for edge in snapshot.edges_of(node) if snapshot.edge_kinds[edge] == own]
    names = [_quoted(name) for edge in edges if (name := snapshot.edge_name(edge)) != "__proto__"]
    start, end, from_end = "{", "}", False
    while names:
        name = names[-1] if from_end else names[0]
        if len(start) > 1 and len(start) + len(end) + len(name) > _LONGEST_NAME:
            start += ", …"
            break
        names.pop(-1 if from_end else 0)
        if from_end:
            end = f"{name}{', ' if len(end) > 1 else ''}{end}"
        else:
            start += f"{', ' if len(start) > 1 else ''}{name}"
        from_end = not from_end
    return f"{start}{', ' if len(end) > 1 else ''}{end}"
