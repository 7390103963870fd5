"""The nodes to which each node leads, in compact arrays."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, compress


class Links:
    """For each node a part of what its edges lead to."""

    def __init__(self, first_edges: Sequence[int], targets: Sequence[int], chosen: bytes) -> None:
        """`chosen` has a byte for each edge, which is 1 if the edge is one of the part."""
        before = array("I", accumulate(chosen, initial=0))
        self.first: array[int] = array("I", [before[edge] for edge in first_edges])
        self.targets: array[int] = array("I", compress(targets, chosen))

    def of(self, node: int) -> array[int]:
        """The targets of the edges of a node."""
        return self.targets[self.first[node] : self.first[node + 1]]


def grouped(keys: Sequence[int], count: int) -> Links:
    """For each of the keys 0 to `count - 1`, the places in `keys` that have it."""
    made = Links((), (), b"")
    first = array("I", [0]) * (count + 1)
    for key in keys:
        first[key + 1] += 1
    made.first = array("I", accumulate(first))
    place, made.targets = array("I", made.first), array("I", [0]) * len(keys)
    for at, key in enumerate(keys):
        made.targets[place[key]] = at
        place[key] += 1
    return made
