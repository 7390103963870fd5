"""Heap snapshots that a test writes down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

TYPES = [
    "hidden",
    "array",
    "string",
    "object",
    "code",
    "closure",
    "native",
    "synthetic",
    "concatenated string",
    "regexp",
]
EDGES = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"]
FIELDS = ["type", "name", "id", "self_size", "edge_count", "detachedness"]

Node = tuple[str, str, int]
"""Type, name and bytes."""
Edge = tuple[str, str, str | int, str]
"""From, type, name or number, to."""


def heap_file(
    nodes: Mapping[str, Node], edges: Sequence[Edge], *, ids: Mapping[str, int] | None = None, detached: str = ""
) -> bytes:
    """Return a snapshot of nodes by a key each. The first one is the root. A node's id is ten times its place."""
    places = {key: place for place, key in enumerate(nodes)}
    strings = [*dict.fromkeys(["", *(name for _, name, _ in nodes.values()), *(str(edge[2]) for edge in edges)])]
    numbers: list[int] = []
    links: list[int] = []
    for key, (kind, name, size) in nodes.items():
        own = [edge for edge in edges if edge[0] == key]
        number = (ids or {}).get(key, places[key] * 10)
        numbers += [TYPES.index(kind), strings.index(name), number, size, len(own), 2 if key == detached else 0]
        for _, link, by, target in own:
            links += [EDGES.index(link), by if isinstance(by, int) else strings.index(by), places[target] * len(FIELDS)]
    meta = {
        "node_fields": FIELDS,
        "node_types": [TYPES, "string", "number", "number", "number", "number"],
        "edge_fields": ["type", "name_or_index", "to_node"],
        "edge_types": [EDGES, "string_or_number", "node"],
    }
    plain = {"snapshot": {"meta": meta}, "nodes": numbers, "edges": links, "strings": strings}
    return json.dumps(plain, separators=(",", ":")).encode()
