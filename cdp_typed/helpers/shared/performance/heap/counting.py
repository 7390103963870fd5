"""The parts of a heap that count, and for which object, as the developer tools have it.

A part that only one object holds, such as the elements of an array, belongs to that object. What neither the page nor
one of its objects holds is the browser's. A weak reference holds nothing.
"""

from __future__ import annotations

import re
from array import array
from itertools import compress

from .links import Links
from .snapshot import ATTACHED, DETACHED, UNKNOWN, Snapshot

DOCUMENTS = "(Document DOM trees)"
_PAIR = re.compile(r"\d+( / part of key \(.*? @\d+\) -> value \(.*? @\d+\) pair in WeakMap \(table @(\d+)\))")
_UNOWNED, _SHARED = -1, -2


def is_synthetic(snapshot: Snapshot, node: int) -> bool:
    """It is a group of roots, and no object."""
    return snapshot.kinds[node] == snapshot.kind("synthetic")


def user_roots(snapshot: Snapshot) -> list[int]:
    """The globals of the page and its documents, to which the root leads."""
    targets = [snapshot.targets[edge] for edge in snapshot.edges_of(0)]
    return [node for node in targets if not is_synthetic(snapshot, node) or snapshot.name_of(node) == DOCUMENTS]


def pairs_of_weak_maps(snapshot: Snapshot) -> dict[int, tuple[str, int]]:
    """By the number of a text that names an entry of a WeakMap: the entry, and the id of the map's table."""
    found: dict[int, tuple[str, int]] = {}
    for number, text in enumerate(snapshot.strings):
        if " / part of key (" in text and (match := _PAIR.fullmatch(text)) is not None:
            found[number] = (match[1], int(match[2]))
    return found


def give_sizes_to_owners(snapshot: Snapshot, strong: bytes) -> None:
    """Add the size of each part that one object alone holds to that object."""
    if not user_roots(snapshot):
        return
    parts = _parts(snapshot)
    chosen = bytes(map(int.__and__, strong, map(parts.__getitem__, snapshot.targets)))
    links = Links(snapshot.first_edges, snapshot.targets, chosen)
    owners = _owners(links, parts)
    synthetic, sizes = snapshot.kind("synthetic"), snapshot.sizes
    for part in compress(range(len(parts)), parts):
        owner = owners[part]
        if owner > 0 and snapshot.kinds[owner] != synthetic:
            sizes[owner] += sizes[part]
            sizes[part] = 0


def _parts(snapshot: Snapshot) -> bytearray:
    """By node, 1 if it may belong to another one."""
    kinds = {snapshot.kind("hidden"), snapshot.kind("array")}
    parts = bytearray(snapshot.kinds.translate(bytes(number in kinds for number in range(256))))
    native = snapshot.kind("native")
    if "system / ExternalStringData" in snapshot.strings:
        data = snapshot.strings.index("system / ExternalStringData")
        for node, name in enumerate(snapshot.names):
            if name == data and snapshot.kinds[node] == native:
                parts[node] = 1
    return parts


def _owners(links: Links, parts: bytearray) -> array[int]:
    first, targets = links.first, links.targets
    owners = array("q", [_UNOWNED if is_part else node for node, is_part in enumerate(parts)])
    work = [node for node, is_part in enumerate(parts) if not is_part and first[node] != first[node + 1]]
    while work:
        node = work.pop()
        owner = owners[node]
        for part in targets[first[node] : first[node + 1]]:
            known = owners[part]
            if known == _UNOWNED:
                owners[part] = owner
                work.append(part)
            elif known not in (owner, _SHARED):
                owners[part] = _SHARED
                work.append(part)
    return owners


def mark_detached(snapshot: Snapshot) -> None:
    """Find the nodes of the DOM that are in no document, and put `Detached` before their names."""
    if snapshot.has_states:
        _Marking(snapshot).run()
        return
    native = snapshot.kind("native")
    for node, kind in enumerate(snapshot.kinds):
        if kind == native and snapshot.name_of(node).startswith("Detached "):
            snapshot.states[node] = DETACHED


class _Marking:
    """Passes the state of a node on to those that it leads to."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._native = snapshot.kind("native")
        self._hidden = {snapshot.edge_kind("hidden"), snapshot.edge_kind("weak")}
        self._seen = bytearray(len(snapshot.kinds))
        self._found: dict[int, list[int]] = {ATTACHED: [], DETACHED: []}
        self._names: dict[int, int] = {}

    def run(self) -> None:
        for node in [node for node, state in enumerate(self._snapshot.states) if state != UNKNOWN]:
            self._mark(node, self._snapshot.states[node])
        for state in (ATTACHED, DETACHED):
            found = self._found[state]
            while found:
                node = found.pop()
                if self._snapshot.states[node] == state:
                    self._pass_on(node, state)

    def _pass_on(self, node: int, state: int) -> None:
        for edge in self._snapshot.edges_of(node):
            if self._snapshot.edge_kinds[edge] not in self._hidden:
                self._mark(self._snapshot.targets[edge], state)

    def _mark(self, node: int, state: int) -> None:
        if self._seen[node]:
            return
        self._seen[node] = 1
        snapshot = self._snapshot
        if snapshot.kinds[node] != self._native:
            return
        snapshot.states[node] = state
        if state in self._found:
            self._found[state].append(node)
        if state == DETACHED:
            snapshot.names[node] = self._detached(snapshot.names[node])

    def _detached(self, name: int) -> int:
        if name not in self._names:
            self._names[name] = self._snapshot.new_string(f"Detached {self._snapshot.strings[name]}")
        return self._names[name]
