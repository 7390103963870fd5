"""A heap snapshot as a graph: classes, objects, what is new since another snapshot, and what keeps an object alive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from .analysis import ClassKey, HeapAnalysis, NoSuchObject
from .class_names import ClassNames, object_name
from .conditions import Check, fits_all, id_of, read_conditions
from .distances import FROM_BROWSER, NOWHERE
from .heap_values import (
    HeapChange,
    HeapClass,
    HeapObject,
    HeapReference,
    ObjectDetails,
    RepeatedText,
)  # fmt: skip
from .links import grouped
from .snapshot import DETACHED, Snapshot

__all__ = ["MOST_EDGES", "HeapGraph", "NoSuchObject", "Order", "TooManyReferences"]

Order = Literal["retained", "size", "name", "id"]
MOST_EDGES = 6_000_000
"""References of a heap up to which retained sizes are computed, in some 20 s."""
_LONGEST_NAME = 100
_MOST_STEPS = 50
_SHOWN_IDS = 5
_CONSTANTS = frozenset({"undefined", "null", "true", "false"})


class TooManyReferences(ValueError):
    """The heap is too large for more than its classes."""

    def __init__(self) -> None:
        super().__init__(f"the heap has more than {MOST_EDGES} references; only its classes and strings can be shown")


class HeapGraph:
    """The objects of a snapshot (`HeapProfiler.takeHeapSnapshot`). Methods raise `ValueError` for bad conditions."""

    def __init__(self, data: bytes) -> None:
        """Raises `ValueError` for data that are no heap snapshot."""
        self._analysis = HeapAnalysis(data)
        self._snapshot = self._analysis.snapshot

    @property
    def is_too_large(self) -> bool:
        """It has so many references that no retained sizes are computed."""
        return len(self._snapshot.targets) > MOST_EDGES

    @property
    def used(self) -> int:
        """Bytes of all objects."""
        return sum(self._snapshot.sizes)

    def classes(self, where: str = "", order: Order = "retained") -> list[HeapClass]:
        """Return the classes of the objects that fit, the largest first."""
        fits = self._fits(where)
        sums: dict[ClassKey, tuple[int, int]] = {}
        keys, sizes = self._analysis.keys, self._snapshot.sizes
        for node, size in enumerate(sizes):
            if size and fits(node):
                count, total = sums.get(keys[node], (0, 0))
                sums[keys[node]] = (count + 1, total + size)
        retained = {} if self.is_too_large else self._retained_by_class(fits)
        found = [
            HeapClass(name=_short(key[0]), count=count, size=size, retained=retained.get(key, 0))
            for key, (count, size) in sums.items()
        ]
        if order == "name":
            return sorted(found, key=lambda each: each.name)
        by_size = order == "size" or self.is_too_large
        return sorted(found, key=lambda each: -each.size if by_size else -each.retained)

    def _retained_by_class(self, fits: Check) -> dict[ClassKey, int]:
        """The bytes that each class retains: an object below another one of its class counts with that one."""
        keys, sizes, retained = self._analysis.keys, self._snapshot.sizes, self._analysis.retained
        below = grouped(self._analysis.tree.dominators, len(keys))
        totals: dict[ClassKey, int] = {}
        above: set[ClassKey] = set()
        stack, open_classes = [0], [(-1, keys[0])]
        while stack:
            node = stack.pop()
            key, depth = keys[node], len(stack)
            dominated = [each for each in below.of(node) if each != node]
            if key not in above and sizes[node] and fits(node):
                totals[key] = totals.get(key, 0) + retained[node]
                if dominated:
                    above.add(key)
                    open_classes.append((depth, key))
            stack += dominated
            while open_classes[-1][0] == len(stack):
                above.discard(open_classes.pop()[1])
        return totals

    def changes_since(self, before: HeapGraph) -> list[HeapChange]:
        """Return the classes that gained or lost objects since an earlier snapshot of the same page.

        Those that grew most come first.
        """
        sums: dict[ClassKey, list[int]] = {}
        for graph, key, node, at in self._changed(before):
            sizes = sums.setdefault(key, [0, 0, 0, 0])
            sizes[at] += 1
            sizes[at + 2] += graph._snapshot.sizes[node]
        changes = (
            HeapChange(name=_short(key[0]), added=added, removed=removed, added_size=plus, removed_size=minus)
            for key, (added, removed, plus, minus) in sums.items()
        )
        return sorted(changes, key=lambda each: each.removed_size - each.added_size)

    def changed_objects(self, before: HeapGraph, name: str) -> list[HeapObject]:
        """Return the objects of a class that came or went, the largest first."""
        self._check_size()
        changed = [
            graph._removed(node) if at else self._object(node)
            for graph, key, node, at in self._changed(before)
            if key[0] == name
        ]
        return sorted(changed, key=lambda each: (each.is_removed, -(each.retained or 0)))

    def _changed(self, before: HeapGraph) -> Iterator[tuple[HeapGraph, ClassKey, int, int]]:
        """Each object that only one of the two has: its graph, class and node, and 0 if it is new or 1 if it went."""
        names = ClassNames(before._snapshot, self._analysis.classes.shapes).of
        keys = (self._analysis.keys, before._analysis.keys_of(names))
        graphs = (self, before)
        by_id = [
            {number: key for number, key, size in zip(shot.ids, own, shot.sizes, strict=True) if size}
            for shot, own in zip((self._snapshot, before._snapshot), keys, strict=True)
        ]
        for at, graph in enumerate(graphs):
            shot, others = graph._snapshot, by_id[1 - at]
            for node, size in enumerate(shot.sizes):
                if size and others.get(shot.ids[node]) != keys[at][node]:
                    yield graph, keys[at][node], node, at

    def objects(self, name: str | None = None, where: str = "", order: Order = "retained") -> list[HeapObject]:
        """Return the objects that fit; with a name those of that class."""
        self._check_size()
        fits, classes, sizes = self._fits(where), self._analysis.classes.of, self._snapshot.sizes
        nodes = [
            node
            for node in range(len(classes))
            if (name is None or (classes[node] == name and sizes[node])) and fits(node)
        ]
        return [self._object(node) for node in self._sorted(nodes, order)]

    def details(self, number: str, where: str = "", order: Order = "retained") -> ObjectDetails:
        """Return the object with this id, such as `@1234`. The conditions are for the objects that it refers to."""
        self._check_size()
        node = self._analysis.node_of(id_of(number))
        return ObjectDetails(
            object=self._object(node),
            references=self._references(node, where, order),
            retainers=self._retainers(node),
            dominators=[self._object(each) for each in self._dominators(node)],
            retaining_path=self._way(node),
        )

    def retaining_path(self, name: str) -> list[str] | None:
        """Return a shortest way by which an object of a class is reached, from the object up; None if none is.

        Weak references keep nothing alive.
        """
        distances = self._analysis.distances
        nodes = [node for node, each in enumerate(self._analysis.classes.of) if each == name and distances[node] >= 0]
        return self._way(min(nodes, key=distances.__getitem__)) if nodes else None

    def repeated_texts(self) -> list[RepeatedText]:
        """Return the strings that the heap has several copies of, those that take most first."""
        sizes, ids = self._snapshot.sizes, self._snapshot.ids
        found = (
            RepeatedText(
                text=_short(text),
                count=len(nodes),
                size=sum(sizes[node] for node in nodes),
                ids=" ".join(f"@{ids[node]}" for node in nodes[:_SHOWN_IDS]),
            )
            for text, nodes in repeated_texts(self._snapshot)
        )
        return sorted(found, key=lambda each: -each.size)

    def _fits(self, where: str) -> Check:
        return fits_all(self._analysis, read_conditions(where)) if where.strip() else lambda _: True

    def _check_size(self) -> None:
        if self.is_too_large:
            raise TooManyReferences

    def _sorted(self, nodes: Sequence[int], order: Order) -> list[int]:
        if order == "name":
            return sorted(nodes, key=self._name)
        keys = {"retained": self._analysis.retained, "size": self._snapshot.sizes, "id": self._snapshot.ids}[order]
        return sorted(nodes, key=keys.__getitem__, reverse=order != "id")

    def _removed(self, node: int) -> HeapObject:
        snapshot = self._snapshot
        return HeapObject(
            id=self._id(node),
            name=self._name(node),
            type=snapshot.types[snapshot.kinds[node]],
            size=snapshot.sizes[node],
            is_removed=True,
        )

    def _object(self, node: int) -> HeapObject:
        snapshot, distance = self._snapshot, self._analysis.distances[node]
        return HeapObject(
            id=self._id(node),
            name=self._name(node),
            type=snapshot.types[snapshot.kinds[node]],
            size=snapshot.sizes[node],
            retained=self._analysis.retained[node],
            distance=None if distance == NOWHERE else distance % FROM_BROWSER,
            is_detached=snapshot.states[node] == DETACHED,
        )

    def _references(self, node: int, where: str, order: Order) -> list[HeapReference]:
        snapshot = self._snapshot
        fits, with_all = self._fits(where), "type=" in where
        edges = ((edge, snapshot.targets[edge]) for edge in snapshot.edges_of(node))
        references = [
            self._reference(edge, target)
            for edge, target in edges
            if (with_all or not self._is_primitive(target)) and fits(target)
        ]
        return _sorted_references(references, order)

    def _is_primitive(self, node: int) -> bool:
        kind = self._snapshot.types[self._snapshot.kinds[node]]
        return kind == "number" or (kind == "native" and self._snapshot.name_of(node) in _CONSTANTS)

    def _retainers(self, node: int) -> list[HeapReference]:
        edges = (edge for edge in self._analysis.retainers.of(node) if self._analysis.strong[edge])
        distances = self._analysis.distances
        sources = [(edge, self._analysis.source(edge)) for edge in edges]
        by_distance = sorted(sources, key=lambda each: (distances[each[1]] < 0, distances[each[1]]))
        return [self._reference(edge, source) for edge, source in by_distance if source]

    def _reference(self, edge: int, other: int) -> HeapReference:
        snapshot = self._snapshot
        return HeapReference(
            by=_short(snapshot.edge_name(edge)),
            kind=snapshot.edge_types[snapshot.edge_kinds[edge]],
            id=self._id(other),
            name=self._name(other),
            size=snapshot.sizes[other],
            retained=self._analysis.retained[other],
        )

    def _dominators(self, node: int) -> Iterator[int]:
        dominators = self._analysis.tree.dominators
        while node != 0:
            node = dominators[node]
            yield node

    def _way(self, node: int) -> list[str] | None:
        """The lines of a shortest way to a node."""
        distances, lines = self._analysis.distances, list[str]()
        if distances[node] == NOWHERE:
            return None
        seen = {node}
        while node != 0 and len(lines) < _MOST_STEPS:
            edges = (edge for edge in self._analysis.retainers.of(node) if self._analysis.strong[edge])
            steps = [
                (distances[source], edge, source)
                for edge in edges
                if (source := self._analysis.source(edge)) not in seen
            ]
            near = [step for step in steps if step[0] != NOWHERE or step[2] == 0]
            if not near:
                break
            _, edge, node = min(near) if distances[node] != 1 else min(near, key=lambda step: step[2])
            seen.add(node)
            lines.append(self._step(edge, node))
        return lines

    def _step(self, edge: int, node: int) -> str:
        name = self._snapshot.edge_name(edge)
        is_index = self._snapshot.edge_types[self._snapshot.edge_kinds[edge]] in ("element", "hidden")
        owner = f"{self._analysis.classes.of[node]} {self._id(node)}" if node else "the root"
        return f"{f'[{name}]' if is_index else _short(name)} of {_short(owner)}"

    def _id(self, node: int) -> str:
        return f"@{self._snapshot.ids[node]}"

    def _name(self, node: int) -> str:
        return _short(object_name(self._snapshot, node))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


def _sorted_references(references: list[HeapReference], order: Order) -> list[HeapReference]:
    if order == "name":
        return sorted(references, key=lambda each: each.by)
    if order == "id":
        return sorted(references, key=lambda each: int(each.id[1:]))
    return sorted(references, key=lambda each: -each.size if order == "size" else -each.retained)


def repeated_texts(snapshot: Snapshot) -> Iterator[tuple[str, list[int]]]:
    """Texts of which the heap has several copies, and their nodes."""
    groups: dict[tuple[str, int | None, int | None], list[int]] = {}
    joined, kinds = snapshot.kind("concatenated string"), {snapshot.kind("string"), -1}
    kinds.add(joined)
    for node, kind in enumerate(snapshot.kinds):
        if kind not in kinds or not snapshot.sizes[node]:
            continue
        if kind == joined and _has_one_half(snapshot, node):
            continue
        text = object_name(snapshot, node)
        is_cut = _number(snapshot, node, "truncated", "bool") == "true"
        length = _int_of(snapshot, snapshot.internal(node, "length")) if is_cut else None
        code = _int_of(snapshot, snapshot.internal(node, "hash")) if is_cut else None
        groups.setdefault((text, length, code), []).append(node)
    return ((text, nodes) for (text, _, _), nodes in groups.items() if len(nodes) > 1)


def _has_one_half(snapshot: Snapshot, node: int) -> bool:
    """It was flattened: it refers to the whole text and to an empty one."""
    halves = (snapshot.internal(node, name) for name in ("first", "second"))
    return any(half is not None and not object_name(snapshot, half) for half in halves)


def _int_of(snapshot: Snapshot, node: int | None) -> int | None:
    """The value of a node that is a whole number."""
    value = _value(snapshot, node, "int")
    return int(value) if value is not None and value.lstrip("-").isdigit() else None


def _number(snapshot: Snapshot, node: int, edge: str, name: str) -> str | None:
    return _value(snapshot, snapshot.internal(node, edge), name)


def _value(snapshot: Snapshot, node: int | None, name: str) -> str | None:
    if node is None or snapshot.kinds[node] != snapshot.kind("number") or snapshot.name_of(node) != name:
        return None
    value = snapshot.internal(node, "value")
    return None if value is None else snapshot.name_of(value)
