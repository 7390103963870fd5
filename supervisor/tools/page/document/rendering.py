"""Which elements a script made clickable and which are blocks: what the accessibility tree does not say. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from cdp_typed.protocol.dom_snapshot import DocumentSnapshot

from .icons import hint

STYLES = ["cursor", "display"]
"""The computed styles to ask `DOMSnapshot.captureSnapshot` for."""

_ATTRIBUTES = frozenset({"draggable", "ondblclick", "oncontextmenu", "onpointerdown", "onmouseenter", "onmouseover"})
"""Attributes of elements that a script does something with, which Chromium does not count as clickable."""

_NEVER = frozenset({"HTML", "BODY", "#document"})
_NATIVE = frozenset({"A", "BUTTON", "INPUT", "SELECT", "TEXTAREA", "SUMMARY", "OPTION", "IFRAME", "VIDEO", "AUDIO"})


class Rendering(Struct, frozen=True):
    """The backend ids of a document's elements that look or behave in a way."""

    clickable: frozenset[int] = frozenset()
    """Those that a script listens on, that can be dragged, or over which the mouse becomes a hand; not their parts."""
    blocks: frozenset[int] = frozenset()
    """Those that are not laid out in line with the text around them."""
    icons: Mapping[int, str] = {}
    """By the backend ids of those that can be clicked, a word for the icon in them."""


NOTHING = Rendering()


def rendering(document: DocumentSnapshot, strings: Sequence[str]) -> Rendering:
    """Read the snapshot of one document.

    A container that listens for all that is in it (React's root) is not clickable: it counts only when nothing in it
    can be clicked, or when the mouse becomes a hand over it.
    """
    nodes, layout = document.nodes, document.layout
    ids, parents, names = nodes.backend_node_id or (), nodes.parent_index or (), nodes.node_name or ()
    styles = dict(zip(layout.node_index, layout.styles, strict=False))
    hands = {node for node, style in styles.items() if style and strings[style[0]] == "pointer"}
    listening = set(nodes.is_clickable.index) if nodes.is_clickable is not None else set[int]()
    outermost = {node for node in hands if parents[node] not in hands}
    for node, attributes in enumerate(nodes.attributes or ()):
        if node in styles and not _ATTRIBUTES.isdisjoint(strings[index] for index in attributes[::2]):
            outermost.add(node)
    chosen, busy = set[int](), set[int]()
    for node in range(len(ids) - 1, -1, -1):  # children come after their parents
        name = strings[names[node]]
        is_native = name in _NATIVE
        if name not in _NEVER and (node in outermost or (node in listening and node in styles and node not in busy)):
            chosen.add(node)
        if (is_native or node in chosen or node in busy) and parents[node] >= 0:
            busy.add(parents[node])
    blocks = {node for node, style in styles.items() if len(style) > 1 and not strings[style[1]].startswith("inline")}
    named = chosen.union(node for node, name in enumerate(names) if strings[name] in _NATIVE)
    return Rendering(
        frozenset(ids[node] for node in chosen),
        frozenset(ids[node] for node in blocks),
        {ids[node]: icon for node in named if (icon := hint(_inside(document, strings, node)))},
    )


def _inside(document: DocumentSnapshot, strings: Sequence[str], node: int) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The tag names and attributes of an element and of those in it, which follow it."""
    parents, names = document.nodes.parent_index or (), document.nodes.node_name or ()
    every, first, inside = document.nodes.attributes or (), node, set[int]()
    while node < len(names) and (node == first or parents[node] in inside):
        inside.add(node)
        words = [strings[index] for index in every[node]]
        yield strings[names[node]], dict(zip(words[::2], words[1::2], strict=True))
        node += 1
