"""The text and the controls in each element of an accessibility tree, found once for all of them. Pure.

A page may nest as deep as it likes: whoever looked into each element anew would need the square of the depth.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from cdp_typed.protocol.accessibility import AXNode, AXNodeId

from .element_line import INTERACTIVE, role_of, text_of

TEXT = frozenset({"StaticText", "LineBreak"})
INLINE = frozenset(
    {"none", "presentation", "InlineTextBox", "ListMarker", "Abbr", "emphasis", "strong", "code", "mark"}
)
"""Roles that neither add words nor begin a new line."""

LONGEST = 2_000
"""Characters of a text that are kept: names of controls, with which it is compared, are shorter."""


class Content(Struct, frozen=True):
    """The content of an element."""

    text: str = ""
    """Without the text of controls in it; white space is one blank."""
    shown: str = ""
    """The text of a control, which is no text of what it is in."""
    controls: tuple[AXNode, ...] = ()
    """The first two controls in it, without those inside of these."""
    texts: int = 0
    """The elements in it that have a text of their own: 2 for more."""


def contents(
    root: AXNode, children: Mapping[AXNodeId, Sequence[AXNode]], blocks: Container[int | None]
) -> dict[AXNodeId, Content]:
    """Return the content of each node below `root`. `blocks` are the elements that begin a new line by their style."""
    order, stack = list[AXNode](), [root]
    while stack:
        order.append(stack.pop())
        stack += children[order[-1].node_id]
    found: dict[AXNodeId, Content] = {}
    for node in reversed(order):  # parts before what they are in
        inner = children[node.node_id]
        if role_of(node) in INTERACTIVE:
            shown = re.sub(r"\s+", " ", "".join(_pieces("", inner, found)))
            found[node.node_id] = Content("", shown, _controls(inner, found), texts=1)
            continue
        is_block = node.backend_dom_node_id in blocks
        if role_of(node) in TEXT and not node.ignored:
            text = f" {text_of(node.name)}" if is_block else text_of(node.name)
        else:
            begins = role_of(node) not in INLINE or is_block
            text = "".join(_pieces(" " if begins else "", inner, found))
        has_text = any(role_of(part) in TEXT for part in inner)
        texts = min(2, has_text + sum(found[part.node_id].texts for part in inner))
        found[node.node_id] = Content(re.sub(r"\s+", " ", text)[:LONGEST], "", _controls(inner, found), texts)
    return found


def _pieces(start: str, inner: Sequence[AXNode], found: Mapping[AXNodeId, Content]) -> Iterator[str]:
    yield start
    length = 0
    for part in inner:
        text = found[part.node_id].text
        yield text
        length += len(text)
        if length > LONGEST:
            return


def _controls(inner: Sequence[AXNode], found: Mapping[AXNodeId, Content]) -> tuple[AXNode, ...]:
    controls: tuple[AXNode, ...] = ()
    for part in inner:
        controls += (part,) if role_of(part) in INTERACTIVE else found[part.node_id].controls
        if len(controls) >= 2:
            break
    return controls[:2]


def labels(nodes: Iterable[AXNode]) -> dict[int, str]:
    """Return the elements that name a control, its `label` and those of `aria-labelledby`, each with the name."""
    return {
        related.backend_dom_node_id: " ".join(text_of(node.name).split())
        for node in nodes
        if role_of(node) in INTERACTIVE and node.name is not None
        for source in node.name.sources or ()
        for value in (source.native_source_value, source.attribute_value)
        for related in (value.related_nodes if value is not None else None) or ()
    }
