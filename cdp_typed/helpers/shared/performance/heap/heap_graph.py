"""A heap snapshot as a graph: classes, objects, what is new since another snapshot, and what keeps an object alive."""

from __future__ import annotations

from collections.abc import Iterator

from .analysis import ClassKey, HeapAnalysis
from .class_names import ClassNames, object_name
from .distances import NOWHERE
from .heap_values import HeapChange, HeapClass, HeapObject, RepeatedText
from .snapshot import DETACHED, Snapshot

_LONGEST_NAME = 100
_MOST_STEPS = 50
_SHOWN_IDS = 5


class HeapGraph:
    """The objects of a snapshot (`HeapProfiler.takeHeapSnapshot`)."""

    def __init__(self, data: bytes) -> None:
        """Raises `ValueError` for data that are no heap snapshot."""
        self._analysis = HeapAnalysis(data)
        self._snapshot = self._analysis.snapshot

    @property
    def used(self) -> int:
        """Bytes of all objects."""
        return sum(self._snapshot.sizes)

    def classes(self) -> list[HeapClass]:
        """Return the classes of all objects, the largest first."""
        sums: dict[ClassKey, tuple[int, int]] = {}
        for key, size in zip(self._analysis.keys, self._snapshot.sizes, strict=True):
            if size:
                count, total = sums.get(key, (0, 0))
                sums[key] = (count + 1, total + size)
        found = (HeapClass(name=_short(key[0]), count=count, size=size) for key, (count, size) in sums.items())
        return sorted(found, key=lambda each: -each.size)

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
        changed = [
            graph._object(node, is_removed=bool(at)) for graph, key, node, at in self._changed(before) if key[0] == name
        ]
        return sorted(changed, key=lambda each: (each.is_removed, -each.size))

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

    def objects(self, name: str) -> list[HeapObject]:
        """Return the objects of a class, the largest first."""
        classes, sizes = self._analysis.classes.of, self._snapshot.sizes
        nodes = [node for node, each in enumerate(classes) if each == name and sizes[node]]
        return [self._object(node) for node in sorted(nodes, key=lambda node: -sizes[node])]

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

    def _object(self, node: int, *, is_removed: bool = False) -> HeapObject:
        snapshot = self._snapshot
        return HeapObject(
            id=self._id(node),
            name=_short(object_name(snapshot, node)),
            size=snapshot.sizes[node],
            is_detached=snapshot.states[node] == DETACHED,
            is_removed=is_removed,
        )

    def _way(self, node: int) -> list[str]:
        """The lines of a shortest way to a node that the root leads to."""
        distances, lines = self._analysis.distances, list[str]()
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


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


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
