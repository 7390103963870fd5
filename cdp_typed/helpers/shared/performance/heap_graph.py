"""A heap snapshot as a graph: classes, what is new since another snapshot, and what keeps an object alive."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from .page_text import PageText

_PIECE = 2**20
_OWN_NAMES = frozenset({"object", "native"})
"""The types of nodes whose name is that of their class. Others are one class for each type."""
_UNNAMED = frozenset({"element", "hidden"})
_MOST_STEPS = 50


class HeapClass(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The objects of one class. Sizes are bytes, without the objects that these refer to."""

    name: PageText
    """In parentheses: strings, functions and the like, each kind as one class."""
    count: int
    size: int


class HeapChange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The objects of one class that came and went between two snapshots."""

    name: PageText
    added: int = 0
    removed: int = 0
    added_size: int = 0
    removed_size: int = 0


class _Meta(Struct, frozen=True):
    node_fields: list[str]
    node_types: list[Any]
    edge_fields: list[str]
    edge_types: list[Any]


class _SnapshotHead(Struct, frozen=True):
    meta: _Meta


class HeapGraph:
    """The nodes and edges of a snapshot (`HeapProfiler.takeHeapSnapshot`), in compact arrays."""

    def __init__(self, data: bytes) -> None:
        """Raises `ValueError` for data that are no heap snapshot."""
        try:
            head = msgspec.json.decode(_object(data, b'"snapshot":'), type=_SnapshotHead).meta
            self._strings = msgspec.json.decode(data[_strings_at(data) : data.rindex(b"}")], type=list[str])
            self._nodes, self._edges = _numbers(data, b'"nodes":['), _numbers(data, b'"edges":[')
        except (msgspec.MsgspecError, ValueError) as error:
            raise ValueError("no heap snapshot") from error
        self._width, self._edge_width = len(head.node_fields), len(head.edge_fields)
        self._types: list[str] = head.node_types[0]
        self._edge_types: list[str] = head.edge_types[0]
        fields = {name: at for at, name in enumerate(head.node_fields)}
        self._type, self._name, self._id = fields["type"], fields["name"], fields["id"]
        self._size, self._count = fields["self_size"], fields["edge_count"]

    def classes(self) -> list[HeapClass]:
        """Return all classes, the largest first."""
        sums: dict[str, tuple[int, int]] = {}
        for node in range(len(self._nodes) // self._width):
            name = self._class_of(node)
            count, size = sums.get(name, (0, 0))
            sums[name] = (count + 1, size + self._field(node, self._size))
        found = (HeapClass(name=name, count=count, size=size) for name, (count, size) in sums.items())
        return sorted(found, key=lambda each: -each.size)

    def changes_since(self, before: HeapGraph) -> list[HeapChange]:
        """Return the classes whose objects came or went since an earlier snapshot of the same page, those that grew
        most first."""
        old, new = before._objects(), self._objects()
        sums: dict[str, list[int]] = {}
        for graph, objects, others, at in ((self, new, old, 0), (before, old, new, 1)):
            for number, node in objects.items():
                if number not in others:
                    sizes = sums.setdefault(graph._class_of(node), [0, 0, 0, 0])
                    sizes[at] += 1
                    sizes[at + 2] += graph._field(node, graph._size)
        changes = (
            HeapChange(name=name, added=added, removed=removed, added_size=added_size, removed_size=removed_size)
            for name, (added, removed, added_size, removed_size) in sums.items()
        )
        return sorted(changes, key=lambda each: each.removed_size - each.added_size)

    def retaining_path(self, name: str) -> list[str] | None:
        """Return a shortest way by which an object of a class is reached, from the object up; None if none is.

        Weak references keep nothing alive. A way through the page's globals is preferred to one through the browser.
        """
        starts = self._first_edges()
        parents = array("q", [-1]) * (len(self._nodes) // self._width)
        """By node, the edge over which it was first reached."""
        owners: dict[int, int] = {}
        for level in self._levels(starts, parents, owners):
            for node in level:
                if self._class_of(node) == name:
                    return list(self._way(node, parents, owners))
        return None

    def _levels(self, starts: array[int], parents: array[int], owners: dict[int, int]) -> Iterator[list[int]]:
        """The nodes by their distance: first those that the page's globals reach, then the rest."""
        roots = [(edge, self._target(edge)) for edge in self._edges_of(0, starts) if not self._is_weak(edge)]
        synthetic = self._types.index("synthetic")
        for is_global in (True, False):
            level: list[int] = []
            for edge, node in roots:
                if (self._field(node, self._type) != synthetic) == is_global and parents[node] < 0:
                    parents[node], owners[edge] = edge, 0
                    level.append(node)
            while level:
                yield level
                further: list[int] = []
                for node in level:
                    for edge in self._edges_of(node, starts):
                        target = self._target(edge)
                        if target and parents[target] < 0 and not self._is_weak(edge):
                            parents[target], owners[edge] = edge, node
                            further.append(target)
                level = further

    def _way(self, node: int, parents: array[int], owners: dict[int, int]) -> Iterator[str]:
        for _ in range(_MOST_STEPS):
            if node == 0:
                return
            edge = parents[node]
            node = owners[edge]
            yield f"{self._edge_name(edge)} of {self._class_of(node) if node else 'the root'}"

    def _objects(self) -> dict[int, int]:
        """By the number that an object keeps, its node."""
        return {self._field(node, self._id): node for node in range(len(self._nodes) // self._width)}

    def _class_of(self, node: int) -> str:
        kind = self._types[self._field(node, self._type)]
        return self._strings[self._field(node, self._name)] if kind in _OWN_NAMES else f"({kind})"

    def _field(self, node: int, at: int) -> int:
        return self._nodes[node * self._width + at]

    def _first_edges(self) -> array[int]:
        starts = array("q", [0])
        total = 0
        for count in self._nodes[self._count :: self._width]:
            total += count
            starts.append(total)
        return starts

    def _edges_of(self, node: int, starts: array[int]) -> range:
        return range(starts[node], starts[node + 1])

    def _target(self, edge: int) -> int:
        return self._edges[edge * self._edge_width + 2] // self._width

    def _is_weak(self, edge: int) -> bool:
        return self._edge_types[self._edges[edge * self._edge_width]] == "weak"

    def _edge_name(self, edge: int) -> str:
        number = self._edges[edge * self._edge_width + 1]
        is_index = self._edge_types[self._edges[edge * self._edge_width]] in _UNNAMED
        return f"[{number}]" if is_index else self._strings[number]


def with_strings(data: bytes, edit: Callable[[str], str]) -> bytes:
    """Return a snapshot with `edit(text)` in place of each text of the page. Raises `ValueError` for no snapshot."""
    at = _strings_at(data)
    strings = msgspec.json.decode(data[at : data.rindex(b"}")], type=list[str])
    return data[:at] + msgspec.json.encode([edit(text) for text in strings]) + b"}"


def _strings_at(data: bytes) -> int:
    return data.rindex(b'"strings":[') + len(b'"strings":')


def _object(data: bytes, key: bytes) -> bytes:
    """The object after a key, whose texts have no braces."""
    start = data.index(key) + len(key)
    depth = 0
    for at in range(start, len(data)):
        depth += {b"{": 1, b"}": -1}.get(data[at : at + 1], 0)
        if depth == 0:
            return data[start : at + 1]
    raise ValueError("the object does not end")


def _numbers(data: bytes, key: bytes) -> array[int]:
    """The numbers of an array, piece by piece: as Python objects all of them would take ten times the memory."""
    numbers = array("q")
    at = data.index(key) + len(key)
    end = data.index(b"]", at)
    while at < end:
        cut = data.find(b",", min(at + _PIECE, end), end)
        piece = data[at : cut if cut >= 0 else end]
        numbers.extend(msgspec.json.decode(b"[" + piece + b"]", type=list[int]))
        at = cut + 1 if cut >= 0 else end
    return numbers
