"""The figures that are computed once for a snapshot: sizes, distances, classes, retainers."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from .class_names import ClassNames
from .counting import give_sizes_to_owners, mark_detached, pairs_of_weak_maps
from .distances import distances_of
from .links import Links, grouped
from .snapshot import Snapshot

ClassKey = tuple[str, tuple[int, int, int] | None]
"""The name of a class, and where its constructor is: script, line and column."""


class HeapAnalysis:
    """A snapshot and the figures that follow from it. Each is computed at its first use."""

    def __init__(self, data: bytes) -> None:
        """Raises `ValueError` for data that are no heap snapshot."""
        snapshot = Snapshot(data)
        self.snapshot: Snapshot = snapshot
        self.strong: bytes = snapshot.edges_without("weak")
        """By edge, 1 unless it is a weak reference."""
        self.pairs: dict[int, tuple[str, int]] = pairs_of_weak_maps(snapshot)
        mark_detached(snapshot)
        give_sizes_to_owners(snapshot, self.strong)

    @cached_property
    def links(self) -> Links:
        """The strong edges."""
        return Links(self.snapshot.first_edges, self.snapshot.targets, self.strong)

    @cached_property
    def distances(self) -> array[int]:
        """By node, its distance from the globals of the page."""
        return distances_of(self.snapshot, self.links, self.pairs)

    @cached_property
    def retainers(self) -> Links:
        """By node, the edges that lead to it."""
        return grouped(self.snapshot.targets, len(self.snapshot.kinds))

    @cached_property
    def classes(self) -> ClassNames:
        """The names of classes."""
        return ClassNames(self.snapshot)

    @cached_property
    def keys(self) -> list[ClassKey]:
        """By node, its class: objects of the same name with constructors in other places are other classes."""
        return self.keys_of(self.classes.of)

    def keys_of(self, names: Iterable[str]) -> list[ClassKey]:
        """The same with other names of classes."""
        known: dict[str, ClassKey] = {}
        keys = [known.setdefault(name, (name, None)) for name in names]
        kind, kinds, table = self.snapshot.kind("object"), self.snapshot.kinds, self.snapshot.locations
        if table:
            places = zip(table["object_index"], table["script_id"], table["line"], table["column"], strict=True)
            for index, script, line, column in places:
                node = index // self.snapshot.node_width
                if kinds[node] == kind:
                    keys[node] = (keys[node][0], (script, line, column))
        return keys

    def source(self, edge: int) -> int:
        """The node that an edge leaves."""
        return bisect_right(self.snapshot.first_edges, edge) - 1
