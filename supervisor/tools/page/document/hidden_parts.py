"""What is seen of elements that `aria-hidden` takes out of the accessibility tree, as nodes of such a tree. Pure."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cdp_typed.conversions import convert
from cdp_typed.protocol.accessibility import AXNode, AXNodeId
from cdp_typed.protocol.dom_snapshot import DocumentSnapshot, RareStringData

from .tree_nodes import TreeNode, tree_nodes

BORDER = "aria-hidden"
"""The role of the line that such an element has: what is below it is seen, and no screen reader tells it."""

_ROLES = {"A": "link", "BUTTON": "button", "SELECT": "combobox", "TEXTAREA": "textbox", "IMG": "image",
          "LI": "listitem", "TR": "row", "TD": "cell", "TH": "columnheader", "UL": "list", "OL": "list",
          "TABLE": "table", **{f"H{level}": "heading" for level in range(1, 7)}}  # fmt: skip
_INPUTS = {"checkbox": "checkbox", "radio": "radio", "range": "slider", "number": "spinbutton"} | dict.fromkeys(
    ("button", "submit", "reset", "image", "file"), "button"
)
_NAMED = frozenset(
    {"link", "button", "heading", "option", "menuitem", "tab", "treeitem", "checkbox", "radio", "switch"}
)
"""Roles whose names are their texts."""
_WITHOUT = frozenset({"INPUT", "SELECT", "TEXTAREA", "IMG", "svg", "CANVAS", "IFRAME", "VIDEO", "OPTION"})
"""Elements that are hidden themselves: helpers of fields, and pictures."""
_CONTROLS = frozenset({"A", "BUTTON", "LABEL", "SUMMARY", "OPTION", "SELECT"})
_POPUPS = frozenset({"dialog", "alertdialog", "menu", "listbox"})


class HiddenPart(Struct, frozen=True):
    """An element that `aria-hidden` hides, with what is drawn in it."""

    above: tuple[int, ...]
    """The backend ids of the elements that it is in, the nearest first."""
    order: Mapping[int, int]
    """The places in the document of all its backend ids."""
    inside: frozenset[int]
    nodes: tuple[TreeNode, ...]
    """Its own node first."""


class HiddenParts(Struct, frozen=True):
    """What `aria-hidden` hides in a document, and the page draws."""

    parts: tuple[HiddenPart, ...] = ()
    """The outermost elements that say something of their own."""
    behind: frozenset[int] = frozenset()
    """The numbers of the nodes in what a dialog or a menu hides while it is open: nobody can use them now."""


def hidden_parts(
    document: DocumentSnapshot, strings: Sequence[str], drawn: Container[int], is_icon: Callable[[int], bool]
) -> HiddenParts:
    """Read the snapshot of one document. An icon says nothing of its own, nor what is a part of a control, nor what is
    drawn on a single pixel, for screen readers or browsers."""
    nodes = document.nodes
    names, parents, ids = nodes.node_name or (), nodes.parent_index or (), nodes.backend_node_id or ()
    marks = {number for number, text in enumerate(strings) if text in ("aria-hidden", "role")}
    said = {
        node: {strings[name]: strings[value] for name, value in zip(each[::2], each[1::2], strict=True)}
        for node, each in enumerate(nodes.attributes or ())
        if not marks.isdisjoint(each[::2])
    }
    hidden = {node for node, attributes in said.items() if attributes.get("aria-hidden") == "true" and node in drawn}
    if not hidden:
        return HiddenParts()
    inner = set[int]()
    """Nodes in hidden ones."""
    for node, parent in enumerate(parents):  # parents come before their children
        if parent in hidden or parent in inner:
            inner.add(node)
    tree = _Tree(document, strings, drawn)
    seen = said.keys() - hidden - inner
    has_popup = any(said[node].get("role") in _POPUPS and node in drawn for node in seen) or any(
        strings[name] == "DIALOG" and node in drawn for node, name in enumerate(names)
    )
    pixels = {
        node
        for node, (*_, width, height) in zip(document.layout.node_index, document.layout.bounds, strict=True)
        if width == height == 1
    }
    made, behind = list[HiddenPart](), set[int]()
    order: dict[int, int] = {number: node for node, number in enumerate(ids)}
    for root in sorted(hidden):
        if has_popup and parents[root] >= 0 and strings[names[parents[root]]] == "BODY":
            behind.update(tree.inside(root))
            continue
        if root in inner or root in pixels or strings[names[root]] in _WITHOUT or is_icon(root):
            continue
        above = [*tree.above(parents[root])]
        if any(strings[names[node]] in _CONTROLS or said.get(node, {}).get("role") in _NAMED for node in above):
            continue  # a part of a control
        found = tree.nodes_of(root)
        if len(found) > 1:
            inside = frozenset(ids[node] for node in tree.inside(root))
            chain = tuple(ids[node] for node in above)
            made.append(HiddenPart(chain, order, inside, found))
    return HiddenParts(tuple(made), frozenset(behind))


class _Tree:
    def __init__(self, document: DocumentSnapshot, strings: Sequence[str], drawn: Container[int]) -> None:
        nodes = document.nodes
        self._strings, self._drawn = strings, drawn
        self._names, self._parents = nodes.node_name or (), nodes.parent_index or ()
        self._ids, self._texts, self._every = (
            nodes.backend_node_id or (),
            nodes.node_value or (),
            nodes.attributes or (),
        )
        self._checked = set(nodes.input_checked.index) if nodes.input_checked is not None else set[int]()
        self._values = {**self._rare(nodes.input_value), **self._rare(nodes.text_value)}
        self._labels = {
            self._strings[value]: node
            for node, word in enumerate(self._names)
            if strings[word] == "LABEL"
            for name, value in zip(self._every[node][::2], self._every[node][1::2], strict=True)
            if strings[name] == "for"
        }
        self._children: dict[int, list[int]] = {}
        for node, parent in enumerate(self._parents):
            self._children.setdefault(parent, []).append(node)

    def _rare(self, data: RareStringData | None) -> Mapping[int, str]:
        pairs = zip(data.index, data.value, strict=True) if data is not None else ()
        return {node: self._strings[value] for node, value in pairs if value >= 0}

    def above(self, node: int) -> Iterator[int]:
        while node >= 0:
            yield node
            node = self._parents[node]

    def inside(self, root: int) -> Iterator[int]:
        stack = [root]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(self._children.get(node, ()))

    def text(self, node: int) -> str:
        texts = (self._texts[each] for each in self.inside(node) if self._strings[self._names[each]] == "#text")
        return " ".join(" ".join(self._strings[text] for text in texts if text >= 0).split())

    def _label(self, node: int, name: str) -> str:
        """The text of a field's label."""
        if self._strings[self._names[node]] not in ("INPUT", "SELECT", "TEXTAREA"):
            return ""
        around = (each for each in self.above(node) if self._strings[self._names[each]] == "LABEL")
        label = next(around, self._labels.get(name) if name else None)
        return "" if label is None else self.text(label)

    def nodes_of(self, root: int) -> tuple[TreeNode, ...]:
        """The nodes of what is drawn in an element, after its own; its own alone if that has no word."""
        made, order = dict[int, dict[str, Any]](), list[int]()
        for node in self.inside(root):
            word, parent = self._strings[self._names[node]], self._parents[node]
            is_text = word == "#text" and any(map(str.isalnum, self._strings[self._texts[node]]))
            if node != root and (node not in self._drawn or parent not in made or (word == "#text" and not is_text)):
                continue
            made[node] = self._node(node, root) | {"childIds": []}
            order.append(node)
            if node != root:
                made[node]["parentId"] = made[parent]["nodeId"]
                made[parent]["childIds"].append(made[node]["nodeId"])
        says = any("name" in made[node] and made[node]["name"]["value"] for node in order)
        return tuple(tree_nodes(convert(made[node], AXNode) for node in order)) if says else ()

    def _node(self, node: int, root: int) -> dict[str, Any]:
        word = self._strings[self._names[node]]
        pairs = self._every[node]
        said = {self._strings[name]: self._strings[value] for name, value in zip(pairs[::2], pairs[1::2], strict=True)}
        if word == "#text":
            role, name = "StaticText", self._strings[self._texts[node]]
        else:
            role = (
                said.get("role")
                or _ROLES.get(word)
                or ("none" if word in ("SPAN", "B", "I", "EM", "STRONG") else "generic")
            )
            role = _INPUTS.get(said.get("type", ""), "textbox") if word == "INPUT" else role
            role = "generic" if role == "link" and word == "A" and "href" not in said else role
            own = next((said[each] for each in ("aria-label", "alt", "title", "placeholder") if said.get(each)), "")
            name = own or self._label(node, said.get("id", "")) or (self.text(node) if role in _NAMED else "")
        if node == root:
            role, name = BORDER, ""
        properties: list[dict[str, Any]] = []
        if role in ("checkbox", "radio"):
            checked = "true" if node in self._checked else "false"
            properties.append({"name": "checked", "value": {"type": "tristate", "value": checked}})
        made: dict[str, Any] = {
            "nodeId": AXNodeId(f"hidden {self._ids[node]}"),
            "ignored": False,
            "role": {"type": "role", "value": role},
            "name": {"type": "computedString", "value": name},
            "properties": properties,
            "backendDOMNodeId": self._ids[node],
        }
        if self._values.get(node) and role in ("textbox", "spinbutton", "combobox"):
            shown = self._values[node] if said.get("type") != "password" else "•" * len(self._values[node])
            made["value"] = {"type": "string", "value": shown}
        return made
