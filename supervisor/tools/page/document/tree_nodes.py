"""The nodes of an accessibility tree (`Accessibility.AXNode`), each read once for all that is asked of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from cdp_typed.protocol.accessibility import AXNode, AXNodeId, AXValue


class TreeNode(Struct, frozen=True, gc=False):
    """A node of an accessibility tree."""

    node_id: AXNodeId
    ignored: bool
    parent_id: AXNodeId | None = None
    child_ids: tuple[AXNodeId, ...] = ()
    backend_dom_node_id: int | None = None
    role: str = ""
    name: str = ""
    value: str | None = None
    description: str = ""
    properties: Mapping[str, Any] = {}
    is_aria_hidden: bool = False
    words: str = ""
    """Its name, without what only arranges it."""

    @property
    def is_touchable(self) -> bool:
        """It can have the focus."""
        return self.properties.get("focusable") is True or self.properties.get("editable") == "richtext"


def tree_nodes(nodes: Iterable[AXNode]) -> Iterator[TreeNode]:
    """The same nodes, without the lines in which Chromium draws a text: the text says the same."""
    for node in nodes:
        if (role := text_of(node.role)) != "InlineTextBox":
            name = text_of(node.name)
            yield TreeNode(
                node.node_id,
                node.ignored,
                node.parent_id,
                tuple(node.child_ids or ()),
                node.backend_dom_node_id,
                role,
                name,
                None if node.value is None else text_of(node.value),
                text_of(node.description),
                {entry.name: entry.value.value for entry in node.properties} if node.properties else {},
                is_aria_hidden(node),
                plain(name),
            )


def is_aria_hidden(node: AXNode) -> bool:
    """Whether `aria-hidden` takes it out of the tree."""
    reasons = node.ignored_reasons  # most have none
    return reasons is not None and any(reason.name.startswith("ariaHidden") for reason in reasons)


def text_of(value: AXValue | None) -> str:
    """A role, a name or a value as text."""
    return "" if value is None or value.value is None else str(value.value)


def plain(text: str) -> str:
    """A text without what only arranges it."""
    return " ".join(text.split())
