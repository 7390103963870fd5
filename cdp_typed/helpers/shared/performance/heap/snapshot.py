"""A heap snapshot (`HeapProfiler.takeHeapSnapshot`) as columns of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import Struct

from cdp_typed.conversions import decode

_PIECE = 2**20
_NATIVE = "native"
UNKNOWN, ATTACHED, DETACHED = 0, 1, 2
"""Whether a node of the DOM is in a document."""


class _Meta(Struct, frozen=True):
    node_fields: list[str]
    node_types: list[Any]
    edge_fields: list[str]
    edge_types: list[Any]
    location_fields: list[str] = []


class _SnapshotHead(Struct, frozen=True):
    meta: _Meta


class Snapshot:
    """The nodes and edges of a snapshot. A node and an edge are numbers; node 0 is the root."""

    def __init__(self, data: bytes) -> None:
        """Raises `ValueError` for data that are no heap snapshot."""
        try:
            meta = decode(_object(data, b'"snapshot":'), type=_SnapshotHead).meta
            self.strings: list[str] = decode(data[_strings_at(data) : data.rindex(b"}")], type=list[str])
            self._read_nodes(meta, _numbers(data, b'"nodes":['))
            self._read_edges(meta, _numbers(data, b'"edges":['))
        except (msgspec.MsgspecError, ValueError, OverflowError, IndexError) as error:
            raise ValueError("no heap snapshot") from error
        self.locations: dict[str, array[int]] = _table(data, b'"locations":[', meta.location_fields)
        self.node_width: int = len(meta.node_fields)

    def _read_nodes(self, meta: _Meta, numbers: array[int]) -> None:
        width, at = len(meta.node_fields), meta.node_fields.index
        if not numbers or len(numbers) % width:
            raise ValueError("nodes")
        self.types: list[str] = meta.node_types[0]
        self.kinds: bytes = bytes(iter(numbers[at("type") :: width]))
        """The type of each node."""
        self.names: array[int] = array("I", numbers[at("name") :: width])
        self.ids: array[int] = array("Q", numbers[at("id") :: width])
        self.sizes: array[int] = array("q", numbers[at("self_size") :: width])
        self.first_edges: array[int] = array("I", accumulate(numbers[at("edge_count") :: width], initial=0))
        """By node, its first edge; behind the last node, the number of edges."""
        has_state = "detachedness" in meta.node_fields
        self.has_states = has_state
        self.states: bytearray = (
            bytearray(iter(numbers[at("detachedness") :: width])) if has_state else bytearray(len(self.kinds))
        )
        if max(self.kinds) >= len(self.types) or max(self.names) >= len(self.strings):
            raise ValueError("nodes")

    def _read_edges(self, meta: _Meta, numbers: array[int]) -> None:
        width, at, node_width = len(meta.edge_fields), meta.edge_fields.index, len(meta.node_fields)
        self.edge_types: list[str] = meta.edge_types[0]
        self.edge_kinds: bytes = bytes(iter(numbers[at("type") :: width]))
        self.edge_names: array[int] = array("I", numbers[at("name_or_index") :: width])
        self.targets: array[int] = array("I", [number // node_width for number in numbers[at("to_node") :: width]])
        """By edge, the node to which it leads."""
        if len(self.targets) != self.first_edges[-1] or len(numbers) % width:
            raise ValueError("edges")
        if self.targets and (max(self.targets) >= len(self.kinds) or max(self.edge_kinds) >= len(self.edge_types)):
            raise ValueError("edges")

    def kind(self, name: str) -> int:
        """The number of a type of nodes; -1 if the snapshot has no such type."""
        return self.types.index(name) if name in self.types else -1

    def edge_kind(self, name: str) -> int:
        """The number of a type of edges."""
        return self.edge_types.index(name) if name in self.edge_types else -1

    def edges_of(self, node: int) -> range:
        """The edges that leave a node."""
        return range(self.first_edges[node], self.first_edges[node + 1])

    def name_of(self, node: int) -> str:
        """The name as the snapshot has it."""
        return self.strings[self.names[node]]

    def edge_name(self, edge: int) -> str:
        """The name of a property or variable; the number of an element."""
        number = self.edge_names[edge]
        if self.edge_types[self.edge_kinds[edge]] in ("element", "hidden"):
            return str(number)
        return self.strings[number] if number < len(self.strings) else ""

    def internal(self, node: int, name: str) -> int | None:
        """The node to which an internal edge of this name leads."""
        internal = self.edge_kind("internal")
        for edge in self.edges_of(node):
            if self.edge_kinds[edge] == internal and self.strings[self.edge_names[edge]] == name:
                return self.targets[edge]
        return None

    def edges_without(self, *kinds: str) -> bytes:
        """By edge, 1 if it has none of these types."""
        left_out = {self.edge_kind(kind) for kind in kinds}
        return self.edge_kinds.translate(bytes(number not in left_out for number in range(256)))

    def new_string(self, text: str) -> int:
        """Add a text to the strings, and return its number."""
        self.strings.append(text)
        return len(self.strings) - 1


def with_strings(data: bytes, edit: Callable[[str], str]) -> bytes:
    """Return a snapshot with `edit(text)` in place of each text of the page. Raises `ValueError` for no snapshot."""
    at = _strings_at(data)
    strings = decode(data[at : data.rindex(b"}")], type=list[str])
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


def _table(data: bytes, key: bytes, fields: Sequence[str]) -> dict[str, array[int]]:
    """The columns of a table by name; empty ones if the browser writes no such table."""
    if not fields or data.find(key) < 0:
        return {field: array("q") for field in fields}
    numbers = _numbers(data, key)
    return {field: numbers[at :: len(fields)] for at, field in enumerate(fields)}


def _numbers(data: bytes, key: bytes) -> array[int]:
    """The numbers of an array, piece by piece: as Python objects all of them would take ten times the memory."""
    numbers = array("q")
    for piece in _pieces(data, data.index(key) + len(key)):
        numbers.extend(decode(b"[" + piece + b"]", type=list[int]))
    return numbers


def _pieces(data: bytes, at: int) -> Iterator[bytes]:
    end = data.index(b"]", at)
    while at < end:
        cut = data.find(b",", min(at + _PIECE, end), end)
        yield data[at : cut if cut >= 0 else end]
        at = cut + 1 if cut >= 0 else end
