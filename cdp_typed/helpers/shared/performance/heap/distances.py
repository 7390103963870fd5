"""How far each object is from the globals of the page."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping

from .counting import user_roots
from .links import Links
from .snapshot import Snapshot

FROM_BROWSER = 100_000_000
"""The distance of the root, from which what the page does not reach is counted."""
NOWHERE = -5
"""The distance of what only weak references reach."""


def distances_of(snapshot: Snapshot, links: Links, pairs: Mapping[int, tuple[str, int]]) -> array[int]:
    """By node, the number of steps from the globals of the page, else from the root. `links` are the strong edges."""
    search = _Search(snapshot, links, pairs)
    roots = user_roots(snapshot)
    for node in roots:
        search.distances[node] = 1
    search.run(roots)
    search.distances[0] = FROM_BROWSER if roots else 0
    search.run([0])
    return search.distances


class _Search:
    """A search in breadth, which leaves out the edges that the developer tools leave out."""

    def __init__(self, snapshot: Snapshot, links: Links, pairs: Mapping[int, tuple[str, int]]) -> None:
        self._snapshot, self._links, self._pairs = snapshot, links, pairs
        self.distances = array("q", [NOWHERE]) * len(snapshot.kinds)
        self._half_reached: set[str] = set()
        """Entries of weak maps of which one end was reached: the key or the table."""
        self._array, self._hidden = snapshot.kind("array"), snapshot.kind("hidden")
        self._weak, self._internal = snapshot.edge_kind("weak"), snapshot.edge_kind("internal")
        self._special = self._nodes_with_other_rules()

    def run(self, starts: Iterable[int]) -> None:
        first, targets, distances, special = self._links.first, self._links.targets, self.distances, self._special
        queue = [*starts]
        for node in queue:  # the queue grows
            next_distance = distances[node] + 1
            if special[node]:
                queue += self._reach_by_rules(node, next_distance)
                continue
            for target in targets[first[node] : first[node + 1]]:
                if distances[target] == NOWHERE:
                    distances[target] = next_distance
                    queue.append(target)

    def _nodes_with_other_rules(self) -> bytearray:
        snapshot = self._snapshot
        special = bytearray(len(snapshot.kinds))
        wanted = {number for number, text in enumerate(snapshot.strings) if text == "(map descriptors)"}
        natives = {number for number, text in enumerate(snapshot.strings) if text == "system / NativeContext"}
        for node, name in enumerate(snapshot.names):
            if name in wanted or name in natives:
                special[node] = 1
        if self._pairs:
            has_pair = bytes(map(self._pairs.__contains__, snapshot.edge_names))
            first = snapshot.first_edges
            for node in range(len(special)):
                if has_pair.find(1, first[node], first[node + 1]) >= 0:
                    special[node] = 1
        return special

    def _reach_by_rules(self, node: int, distance: int) -> list[int]:
        snapshot, reached = self._snapshot, list[int]()
        for edge in snapshot.edges_of(node):
            target = snapshot.targets[edge]
            if snapshot.edge_kinds[edge] == self._weak or self.distances[target] != NOWHERE:
                continue
            if self._is_followed(node, edge):
                self.distances[target] = distance
                reached.append(target)
        return reached

    def _is_followed(self, node: int, edge: int) -> bool:
        snapshot = self._snapshot
        kind, name = snapshot.kinds[node], snapshot.name_of(node)
        is_scope = kind == self._hidden and name == "system / NativeContext"
        if is_scope and snapshot.edge_name(edge) == "sloppy_function_map":
            return False
        if kind == self._array and name == "(map descriptors)":
            index = snapshot.edge_name(edge)
            return not index.isdigit() or int(index) < 2 or int(index) % 3 != 1
        if snapshot.edge_kinds[edge] == self._internal and snapshot.edge_names[edge] in self._pairs:
            entry = self._pairs[snapshot.edge_names[edge]][0]
            if entry not in self._half_reached:
                self._half_reached.add(entry)
                return False
            self._half_reached.remove(entry)
        return True
