"""A page may nest elements and list them as often as it likes: reading it takes as many steps as it has elements."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.protocol.accessibility import AXNode, AXNodeId, AXValue
from cdp_typed.protocol.dom import BackendNodeId
from supervisor.tools.page.document.added_nodes import add_hands
from supervisor.tools.page.document.contents import contents
from supervisor.tools.page.document.reading import Reader
from supervisor.tools.page.document.rendering import Rendering


class Counting(dict[AXNodeId, list[AXNode]]):
    """The children of nodes, and how many of them were looked at."""

    looked_at = 0

    def __getitem__(self, key: AXNodeId) -> list[AXNode]:
        self.looked_at += 1
        return super().__getitem__(key)

    def get(self, key: AXNodeId, default: Any = None) -> Any:
        self.looked_at += 1
        return super().get(key, default)


def tree(depth: int, width: int) -> tuple[dict[AXNodeId, AXNode], Counting]:
    """Elements in each other, and in the innermost one many beside each other, each with a text."""
    by_id: dict[AXNodeId, AXNode] = {}
    children = Counting()

    def add(parent: AXNode | None, role: str, name: str = "") -> AXNode:
        number = AXNodeId(str(len(by_id)))
        node = AXNode(
            node_id=number,
            ignored=False,
            role=AXValue(type="role", value=role),
            name=AXValue(type="computedString", value=name),
            parent_id=parent.node_id if parent else None,
        )
        by_id[number] = node
        children[number] = []
        if parent is not None:
            children[parent.node_id].append(node)
        return node

    inner = add(None, "RootWebArea")
    for _ in range(depth):
        inner = add(inner, "generic")
    for number in range(width):
        add(add(inner, "generic"), "StaticText", f"item {number}")
    return by_id, children


def steps(depth: int, width: int) -> int:
    """How many children are looked at when every element is read."""
    by_id, children = tree(depth, width)
    found = contents(by_id[AXNodeId("0")], children, frozenset[int | None]())
    assert found[AXNodeId("1")].text.strip().startswith("item 0")
    reader = Reader(by_id, children)
    for node in by_id.values():
        reader.read(node)
    return children.looked_at


@pytest.mark.parametrize(("depth", "width"), [(1, 1), (1, 0), (0, 1)])
def test_twice_the_elements_take_twice_the_steps(depth: int, width: int) -> None:
    once, twice = (steps(1 + depth * size, 1 + width * size) for size in (1_000, 2_000))

    assert twice <= 2.2 * once


@pytest.mark.parametrize("width", [1, 50])
def test_however_many_texts_have_a_hand_the_children_around_them_are_put_together_once(width: int) -> None:
    by_id = {AXNodeId("0"): AXNode(node_id=AXNodeId("0"), ignored=False)}
    texts = [
        AXNode(
            node_id=AXNodeId(f"{number}"),
            ignored=False,
            parent_id=AXNodeId("0" if number <= width else "left out"),
            backend_dom_node_id=BackendNodeId(number),
        )
        for number in range(1, width + 2)
    ]
    by_id |= {text.node_id: text for text in texts}
    children = Counting({AXNodeId("0"): texts[:-1]} | {text.node_id: [] for text in texts})

    add_hands(by_id, children, Rendering(hands={1000 + number: [number] for number in range(1, width + 2)}))

    assert children.looked_at == 1
    assert [node.node_id for node in children[AXNodeId("0")]] == [f"hand {1000 + n}" for n in range(1, width + 1)]
    assert children[AXNodeId("hand 1001")] == texts[:1]
