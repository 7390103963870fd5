"""The order in which the items of a list, a table or a row are seen. Pure."""

from __future__ import annotations

from .rendering import Rendering
from .tree_nodes import TreeNode

SINGLE = frozenset({"row", "LayoutTableRow", "cell", "gridcell", "LayoutTableCell", "listitem", "LabelText", "heading"})
"""Roles of elements that are one thing, whatever texts are in them."""

_ITEMS = SINGLE | {"columnheader", "rowheader", "option", "treeitem"}

ALIKE_PX = 3.0
"""Items whose places differ by less are in one row, or in one column."""


def as_drawn(inner: list[TreeNode], drawn: Rendering) -> list[TreeNode]:
    """Items in the order in which they are seen, where a style puts them into another one in their row or column."""
    if len(inner) < 2 or inner[0].backend_dom_node_id not in drawn.corners:  # nearly all
        return inner
    places = [drawn.corners.get(node.backend_dom_node_id or 0) for node in inner]
    known = [place for place in places if place is not None]
    if len(known) < len(inner):
        return inner
    for along, across in ((1, 0), (0, 1)):
        steps = [place[along] for place in known]
        is_line = max(place[across] for place in known) - min(place[across] for place in known) < ALIKE_PX
        if is_line and steps != sorted(steps) and all(node.role in _ITEMS for node in inner):
            return [node for _, node in sorted(zip(steps, inner, strict=True), key=lambda each: each[0])]
    return inner
