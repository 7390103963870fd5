"""Adds to an accessibility tree what is drawn, and Chromium leaves out."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from msgspec.structs import replace

from cdp_typed.protocol.accessibility import AXNodeId
from cdp_typed.protocol.dom import BackendNodeId

from .hidden_parts import HiddenPart
from .rendering import Rendering
from .tree_nodes import TreeNode


def add_icons(by_id: dict[AXNodeId, TreeNode], children: dict[AXNodeId, list[TreeNode]], drawn: Rendering) -> None:
    """Put in the empty elements with icons that Chromium leaves out."""
    listed: dict[int, TreeNode] = {node.backend_dom_node_id or 0: node for node in by_id.values()}
    added = defaultdict[AXNodeId, defaultdict[AXNodeId | None, list[TreeNode]]](lambda: defaultdict(list))
    for number, (parent, *before) in drawn.placed.items():
        around = listed.get(parent)
        if around is None or number in listed:
            continue
        icon_id, backend_id = AXNodeId(f"icon {number}"), BackendNodeId(number)
        icon = TreeNode(node_id=icon_id, ignored=True, parent_id=around.node_id, backend_dom_node_id=backend_id)
        listed[number] = by_id[icon.node_id] = icon
        children[icon.node_id] = []
        beside = (node for sibling in before if (node := listed.get(sibling)) is not None)
        last = next((node.node_id for node in beside if node.parent_id == around.node_id), None)
        added[around.node_id][last].append(icon)
    for parent_id, behind in added.items():
        inner = children[parent_id]
        stack, placed = [*reversed(inner), *reversed(behind[None])], list[TreeNode]()
        while stack:
            placed.append(stack.pop())
            stack += reversed(behind[placed[-1].node_id])
        children[parent_id] = placed


def add_hands(by_id: dict[AXNodeId, TreeNode], children: dict[AXNodeId, list[TreeNode]], drawn: Rendering) -> None:
    """Put in the elements over which the mouse becomes a hand, and that Chromium leaves out, around their texts."""
    listed = {node.backend_dom_node_id or 0: node for node in by_id.values()}
    hands, inside, around = dict[AXNodeId, TreeNode](), set[AXNodeId](), set[AXNodeId]()
    for number, numbers in drawn.hands.items():
        texts = [listed[text] for text in numbers if text in listed]
        parent = texts[0].parent_id if texts and number not in listed else None
        if parent is None or parent not in children or any(text.parent_id != parent for text in texts):
            continue
        hand_id, backend_id = AXNodeId(f"hand {number}"), BackendNodeId(number)
        hand = TreeNode(node_id=hand_id, ignored=True, parent_id=parent, backend_dom_node_id=backend_id)
        by_id[hand_id], children[hand_id], hands[texts[0].node_id] = hand, texts, hand
        inside.update(text.node_id for text in texts[1:])
        around.add(parent)
    for parent in around:  # each once, however many are in it
        children[parent] = [hands.get(node.node_id, node) for node in children[parent] if node.node_id not in inside]


def add_hidden(by_id: dict[AXNodeId, TreeNode], children: dict[AXNodeId, list[TreeNode]], drawn: Rendering) -> None:
    """Put in what is drawn and hidden by `aria-hidden`, in place of the few nodes that Chromium has of it."""
    listed = {node.backend_dom_node_id or 0: node for node in by_id.values()}
    added = defaultdict[AXNodeId, list[HiddenPart]](list)
    for part in drawn.hidden:
        around = next((listed[number] for number in part.above if number in listed), None)
        if around is not None:
            added[around.node_id].append(part)
    for parent_id, parts in added.items():  # each once, however many are in it
        gone, order = set[int | None]().union(*(part.inside for part in parts)), parts[0].order
        beside = [node for node in children[parent_id] if node.backend_dom_node_id not in gone]
        places = sorted(order[node.backend_dom_node_id or 0] for node in beside if node.backend_dom_node_id in order)
        for part in reversed(parts):
            by_id |= {node.node_id: node for node in part.nodes}
            children |= {node.node_id: [by_id[key] for key in node.child_ids] for node in part.nodes}
            root = by_id[part.nodes[0].node_id] = replace(part.nodes[0], parent_id=parent_id)
            beside.insert(bisect_left(places, order[root.backend_dom_node_id or 0]), root)
        children[parent_id] = beside
