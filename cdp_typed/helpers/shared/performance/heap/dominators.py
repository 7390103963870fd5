"""The dominators of a graph, by the algorithm of Lengauer and Tarjan with path compression.

A node dominates another one if every way from the root to it leads through the node. So all that it dominates is freed
with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import compress
from operator import not_

from .links import Links


class DominatorTree:
    """For each node its nearest dominator."""

    def __init__(self, links: Links) -> None:
        """Node 0 is the root. It counts as the parent of each part of the graph that no path from it reaches."""
        self._links = links
        self.order: list[int] = [-1]
        """The nodes in the order of a search in depth. Its numbers begin with 1."""
        self._parents = [0]
        self._number = array("I", [0]) * (len(links.first) - 1)
        self._loose: list[int] = []
        """The numbers of those that have the root as their parent by this rule."""
        self._search()
        self._sources = self._sources_of()
        nearest = self._nearest()
        order = self.order
        self.dominators: array[int] = array("I", [0]) * (len(links.first) - 1)
        """By node, its nearest dominator; the root is its own."""
        for number in range(2, len(order)):
            self.dominators[order[number]] = order[nearest[number]]
        del self._sources, self._number, self._parents, self._loose

    def retained(self, sizes: Sequence[int]) -> array[int]:
        """By node, the bytes of all that it dominates, and its own."""
        retained = array("q", sizes)
        dominators = self.dominators
        for node in reversed(self.order[2:]):
            retained[dominators[node]] += retained[node]
        return retained

    def _search(self) -> None:
        number = self._number
        self._visit(0, 0)
        if len(self.order) > len(number):
            return
        led_to = bytearray(len(number))
        for target in self._links.targets:
            led_to[target] = 1
        for starts in (compress(range(len(number)), map(not_, led_to)), range(len(number))):
            for node in starts:
                if not number[node]:
                    self._loose.append(len(self.order))
                    self._visit(node, 1)

    def _visit(self, start: int, parent: int) -> None:
        """Number what can be reached from a node, and was not yet."""
        first, targets, number, order, parents = (
            self._links.first, self._links.targets, self._number, self.order, self._parents
        )  # fmt: skip
        number[start] = len(order)
        order.append(start)
        parents.append(parent)
        way = [number[start]]
        rests = [iter(targets[first[start] : first[start + 1]])]
        while rests:
            for node in rests[-1]:
                if not number[node]:
                    number[node] = len(order)
                    parents.append(way[-1])
                    way.append(len(order))
                    order.append(node)
                    rests.append(iter(targets[first[node] : first[node + 1]]))
                    break
            else:
                rests.pop()
                way.pop()

    def _sources_of(self) -> list[list[int]]:
        """By number, the numbers of the nodes that lead there."""
        first, targets, number = self._links.first, self._links.targets, self._number
        sources: list[list[int]] = [[] for _ in self.order]
        for source, node in enumerate(self.order):
            if source:
                for target in targets[first[node] : first[node + 1]]:
                    sources[number[target]].append(source)
        for loose in self._loose:
            sources[loose].append(1)
        return sources

    def _nearest(self) -> list[int]:
        """By number, the number of the nearest dominator."""
        sources, parents, count = self._sources, self._parents, len(self.order)
        semi, label = [*range(count)], [*range(count)]
        ancestor, nearest = [0] * count, [0] * count
        waiting, after = [0] * count, [0] * count
        """By number, the first one that waits for it, and by that the next."""
        for node in range(count - 1, 1, -1):
            best = node
            for source in sources[node]:
                if source < node:
                    found = source
                else:
                    if ancestor[ancestor[source]]:
                        _compress(source, ancestor, label, semi)
                    found = semi[label[source]]
                if found < best:
                    best = found
            semi[node] = best
            after[node], waiting[best] = waiting[best], node
            parent = ancestor[node] = parents[node]
            ready, waiting[parent] = waiting[parent], 0
            while ready:
                if ancestor[ancestor[ready]]:
                    _compress(ready, ancestor, label, semi)
                lowest = label[ready]
                nearest[ready] = lowest if semi[lowest] < semi[ready] else parent
                ready = after[ready]
        nearest[1] = 1
        for node in range(2, count):
            if nearest[node] != semi[node]:
                nearest[node] = nearest[nearest[node]]
        return nearest


def _compress(node: int, ancestor: list[int], label: list[int], semi: list[int]) -> None:
    way: list[int] = []
    while ancestor[ancestor[node]]:
        way.append(node)
        node = ancestor[node]
    for each in reversed(way):
        above = ancestor[each]
        if semi[label[above]] < semi[label[each]]:
            label[each] = label[above]
        ancestor[each] = ancestor[above]
