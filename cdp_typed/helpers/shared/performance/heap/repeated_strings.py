"""Strings that a heap has more than once."""

from __future__ import annotations

from collections.abc import Iterator

from .class_names import object_name
from .snapshot import Snapshot


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
