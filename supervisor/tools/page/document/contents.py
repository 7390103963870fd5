"""The text and the controls in each element of an accessibility tree, found once for all of them. Pure.

A page may nest as deep as it likes: whoever looked into each element anew would need the square of the depth.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import Struct

from cdp_typed.protocol.accessibility import AXNode, AXNodeId

from .element_line import INTERACTIVE
from .tree_nodes import TreeNode, plain, text_of

TEXT = frozenset({"StaticText", "LineBreak"})
INLINE = frozenset({"none", "presentation", "ListMarker", "Abbr", "emphasis", "strong", "code", "mark"})
"""Roles that neither add words nor begin a new line."""

LONGEST = 2_000
"""Characters of a text that are kept: names of controls, with which it is compared, are shorter."""

_BLANKS = re.compile(r"\s+")


class Content(Struct, frozen=True, gc=False):
    """The content of an element."""

    text: str = ""
    """Without the text of controls in it; white space is one blank."""
    shown: str = ""
    """The text of a control, which is no text of what it is in."""
    controls: tuple[TreeNode, ...] = ()
    """The first two controls in it, without those inside of these."""
    texts: int = 0
    """The elements in it that have a text of their own: 2 for more."""


def contents(
    root: TreeNode, children: Mapping[AXNodeId, Sequence[TreeNode]], blocks: Container[int | None]
) -> dict[AXNodeId, Content]:
    """Return the content of each node below `root`. `blocks` are the elements that begin a new line by their style."""
    order, stack = list[TreeNode](), [root]
    while stack:
        order.append(stack.pop())
        stack += children[order[-1].node_id]
    found: dict[AXNodeId, Content] = {}
    for node in reversed(order):  # parts before what they are in
        inner = children[node.node_id]
        parts = [found[part.node_id] for part in inner]
        controls = _controls(inner, parts) if inner else ()
        if node.role in INTERACTIVE:
            found[node.node_id] = Content("", _text("", parts), controls, texts=1)
            continue
        is_block = node.backend_dom_node_id in blocks
        if node.role in TEXT and not node.ignored:
            text = _BLANKS.sub(" ", f" {node.name}" if is_block else node.name)
        else:
            begins = node.role not in INLINE or is_block
            text = _text(" " if begins else "", parts)
        texts = any(part.role in TEXT for part in inner) + sum(part.texts for part in parts) if inner else 0
        found[node.node_id] = Content(text[:LONGEST], "", controls, min(2, texts))
    return found


def _text(text: str, parts: Iterable[Content]) -> str:
    """The texts of these elements after another one, as many as are kept. White space in each is one blank."""
    for part in parts:
        text += part.text
        if len(text) > LONGEST:
            break
    return _BLANKS.sub(" ", text) if "  " in text else text


def _controls(inner: Iterable[TreeNode], parts: Iterable[Content]) -> tuple[TreeNode, ...]:
    controls: tuple[TreeNode, ...] = ()
    for node, part in zip(inner, parts, strict=True):
        controls += (node,) if node.role in INTERACTIVE else part.controls
        if len(controls) >= 2:
            break
    return controls[:2]


def labels(nodes: Iterable[AXNode]) -> dict[int, str]:
    """Return the elements that name a control, its `label` and those of `aria-labelledby`, each with the name."""
    return {
        related.backend_dom_node_id: plain(text_of(node.name))
        for node in nodes
        if node.name is not None and node.name.sources and text_of(node.role) in INTERACTIVE
        for source in node.name.sources
        for value in (source.native_source_value, source.attribute_value)
        for related in (value.related_nodes if value is not None else None) or ()
    }
