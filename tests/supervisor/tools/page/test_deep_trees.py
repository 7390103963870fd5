"""A page may nest elements and list them as often as it likes: reading it takes as many steps as it has elements, and
none where it has not changed."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.protocol.accessibility import AXNode, AXNodeId, AXValue
from cdp_typed.protocol.dom import BackendNodeId
from supervisor.tools.page import outline as page_outline
from supervisor.tools.page.document.accessibility_tree import lines
from supervisor.tools.page.document.added_nodes import add_hands, add_hidden
from supervisor.tools.page.document.contents import contents
from supervisor.tools.page.document.hidden_parts import HiddenPart
from supervisor.tools.page.document.reading import Reader
from supervisor.tools.page.document.rendering import Rendering
from supervisor.tools.page.document.tree_nodes import TreeNode
from supervisor.tools.page.refs import all_frames
from tests.support.stages.playground import Playground


class Counting(dict[AXNodeId, list[TreeNode]]):
    """The children of nodes, and how many of them were looked at."""

    looked_at = 0

    def __getitem__(self, key: AXNodeId) -> list[TreeNode]:
        self.looked_at += 1
        return super().__getitem__(key)

    def get(self, key: AXNodeId, default: Any = None) -> Any:
        self.looked_at += 1
        return super().get(key, default)


def tree(depth: int, width: int) -> tuple[dict[AXNodeId, TreeNode], Counting]:
    """Elements in each other, and in the innermost one many beside each other, each with a text."""
    by_id: dict[AXNodeId, TreeNode] = {}
    children = Counting()

    def add(parent: AXNodeId | None, role: str, name: str = "") -> AXNodeId:
        number = AXNodeId(str(len(by_id)))
        by_id[number] = TreeNode(node_id=number, ignored=False, role=role, name=name, parent_id=parent)
        children[number] = []
        if parent is not None:
            children[parent].append(by_id[number])
        return number

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
    by_id = {AXNodeId("0"): TreeNode(node_id=AXNodeId("0"), ignored=False)}
    texts = [
        TreeNode(
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


@pytest.mark.parametrize("width", [1, 50])
def test_however_many_parts_are_hidden_the_children_around_them_are_put_together_once(width: int) -> None:
    """The parts and the texts take turns in the document."""

    def node(number: int, name: str) -> TreeNode:
        return TreeNode(AXNodeId(name), ignored=False, parent_id=AXNodeId("0"), backend_dom_node_id=number)

    texts = [node(2 * number, f"text {number}") for number in range(1, width + 1)]
    roots = [node(2 * number + 1, f"part {number}") for number in range(1, width + 1)]
    by_id = {AXNodeId("0"): TreeNode(AXNodeId("0"), ignored=False, backend_dom_node_id=1)}
    children = Counting({AXNodeId("0"): texts})
    order = {number: number for number in range(2 * width + 2)}
    inside = (frozenset({root.backend_dom_node_id or 0}) for root in roots)
    parts = tuple(HiddenPart((1,), order, within, (root,)) for root, within in zip(roots, inside, strict=True))

    add_hidden(by_id, children, Rendering(hidden=parts))

    assert children.looked_at == 1
    together = [name for number in range(1, width + 1) for name in (f"text {number}", f"part {number}")]
    assert [part.node_id for part in children[AXNodeId("0")]] == together


def calls(rows: int) -> int:
    """How many Python functions are called for the lines of a list with a text, a link and a button in each row."""
    nodes: list[AXNode] = []

    def add(parent: str | None, role: str, name: str = "", *, inner: int = 0) -> str:
        number = AXNodeId(f"{len(nodes)}")
        child_ids = tuple(AXNodeId(f"{len(nodes) + 1 + child}") for child in range(inner))
        nodes.append(
            AXNode(
                node_id=number,
                ignored=False,
                role=AXValue(type="role", value=role),
                name=AXValue(type="computedString", value=name),
                parent_id=None if parent is None else AXNodeId(parent),
                child_ids=child_ids,
                backend_dom_node_id=BackendNodeId(len(nodes) + 1),
            )
        )
        return number

    root = add(None, "RootWebArea")
    items = [add(root, "listitem") for _ in range(rows)]
    nodes[0] = replace(nodes[0], child_ids=tuple(node.node_id for node in nodes[1:]))
    for number, item in enumerate(items, 1):
        first = len(nodes)
        for kind, word in (("StaticText", "Row"), ("link", "Open"), ("button", "Edit")):
            at = add(item, kind, f"{word} {number}", inner=1)
            text = "InlineTextBox" if kind == "StaticText" else "StaticText"
            add(at, text, f"{word} {number}", inner=int(kind != "StaticText"))
            if kind != "StaticText":
                add(f"{int(at) + 1}", "InlineTextBox", f"{word} {number}")
        beginnings = [nodes[at].node_id for at in (first, first + 2, first + 5)]
        nodes[number] = replace(nodes[number], child_ids=tuple(beginnings))
    made = 0

    def see(_: object, event: str, __: object) -> None:
        nonlocal made
        made += event == "call"

    sys.setprofile(see)
    try:
        shown = list(lines(nodes))
    finally:
        sys.setprofile(None)
    assert sum(line.role == "button" for line in shown) == rows
    return made


def test_a_line_costs_the_same_however_many_there_are() -> None:
    few, many = calls(300), calls(3_000)

    assert many <= 10.2 * few
    assert many <= 205 * 3_000


async def test_only_a_changed_document_is_read_again(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str | None]()

    def count(nodes: Sequence[AXNode], drawn: Rendering, url: str | None, *given: Any, **named: Any) -> Any:
        read.append(url)
        return lines(nodes, drawn, url, *given, **named)

    await ground.open_nested()
    first = await ground.text()
    monkeypatch.setattr(page_outline, "lines", count)

    assert await ground.text() == first
    assert not read
    (inmost,) = [frame for frame in all_frames(ground.supervisor.snapshot().frame_tree) if "/inner" in frame.url]
    await ground.value("document.title = 'Other'; document.body.append('More')", inmost.frame_id)
    assert "More" in await ground.text()
    assert read == [inmost.url]


async def test_a_value_that_differs_in_its_sign_alone_or_by_one_is_a_change(ground: Playground) -> None:
    await ground.open("<input type=range min=-5 max=5 value=-1>")
    values = list[list[str]]()
    for value in (-1, -2, 1):
        await ground.value(f"document.querySelector('input').value = {value}")
        values.append(re.findall("value=(.*)", await ground.text()))

    assert values == [['"-1"'], ['"-2"'], ['"1"']]
