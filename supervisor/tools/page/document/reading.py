"""An element as it was read: its role, its name, and the row that it is in. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from cdp_typed.protocol.accessibility import AXNodeId

from .tree_nodes import TreeNode, plain

_ROWS = frozenset({"row", "listitem", "option", "treeitem", "article", "LayoutTableRow"})
_BUTTONS = frozenset({"button", "ToggleButton", "PopUpButton", "checkbox", "radio", "switch"})
_PLAIN = frozenset({"generic", "none", ""})
_DIGITS = re.compile(r"\d+")

ALIKE = 3
"""Plain elements beside each other that hold the same kinds of elements are rows, when there are so many."""

_ITEMS = frozenset({"cell", "gridcell", "listitem", "menuitem", "option", "row", "treeitem"})
"""Roles whose names are what the list shows."""
LEVELS = 8
"""How far above an element its row is looked for."""


class Read(Struct, frozen=True, kw_only=True, gc=False):
    """The properties read from an element, without its value and its states."""

    role: str
    name: str
    is_numbered: bool = False
    """Names on the page that differ only in their digits are different elements: `Row 1`, `Row 2`."""
    row: int | None = None
    """The backend node id of its row in a list or a table; None where its own name begins the row."""
    row_text: str = ""
    """The text that begins its row."""
    is_row_numbered: bool = False

    def is_named(self, name: str) -> bool:
        """Return True when this is still its name: a counter in it may have changed (`Cart (3)`)."""
        return _same(self.name, name, is_numbered=self.is_numbered)

    def is_another(self, now: Read) -> bool:
        """Return True when this element of a list or a table is in another row now, or is another item."""
        if self.row is not None and now.row is not None:
            return not self.is_in_row_with([now.row_text])
        return self.role in _ITEMS and not self.is_named(now.name)

    def may_become(self, now: Read) -> bool:
        """Return True when an action on this element may have made that of it, as `Follow` becomes `Following`.

        What is in another row now, and an item of a list or of a numbered set, is another element.
        """
        is_next = self.is_numbered and _same(self.name, now.name, is_numbered=False)
        return not (self.is_another(now) or is_next)

    def is_in_row_with(self, texts: Iterable[str]) -> bool:
        """Return True when one of these texts still begins its row, or when it has no row."""
        return self.row is None or any(_same(self.row_text, text, is_numbered=self.is_row_numbered) for text in texts)


def beginning(texts: Iterable[str]) -> str:
    """The first text that has a letter in it."""
    return next((text for text in texts if any(map(str.isalpha, text))), "")


def _same(before: str, now: str, *, is_numbered: bool) -> bool:
    before, now = plain(before).casefold(), plain(now).casefold()
    return before == now or (not is_numbered and _without_digits(before) == _without_digits(now))


def _without_digits(text: str) -> str:
    return _DIGITS.sub("0", text)


LOOKS = 200
"""Elements of a row in which its first text is looked for: rows may be nested, each in another."""


class Reader:
    """Reads the elements of one document."""

    def __init__(self, by_id: Mapping[AXNodeId, TreeNode], children: Mapping[AXNodeId, Sequence[TreeNode]]) -> None:
        self._by_id = by_id
        self._children = children
        names = {node.words.casefold() for node in by_id.values()}
        self._shapes = {name: _without_digits(name) for name in names}
        self._alike = Counter(self._shapes.values())
        self._rows: dict[AXNodeId, str] = {}
        self._kinds: dict[AXNodeId, Counter[str]] = {}
        """By parent."""
        self._kind_of: dict[AXNodeId, str] = {}

    def read(self, node: TreeNode) -> Read:
        """The element of a node."""
        name = node.words
        row = self._row_of(node) or (None if name else node)
        text = "" if row is None else self._beginning(row)
        if row is None or not text or text in name:
            return Read(role=node.role, name=name, is_numbered=self._is_numbered(name))
        return Read(
            role=node.role,
            name=name,
            is_numbered=self._is_numbered(name),
            row=row.backend_dom_node_id,
            row_text=text,
            is_row_numbered=self._is_numbered(text),
        )

    def _is_numbered(self, name: str) -> bool:
        return self._alike[self._shapes[name.casefold()]] > 1

    def _row_of(self, node: TreeNode) -> TreeNode | None:
        above: TreeNode | None = node
        for _ in range(LEVELS):
            if above is None or above.parent_id is None:
                return None
            if above.role in _ROWS or self._is_one_of_many(above):
                return above
            above = self._by_id.get(above.parent_id)
        return None

    def _is_one_of_many(self, node: TreeNode) -> bool:
        parent = node.parent_id
        if node.role not in _PLAIN or parent is None or not self._children[node.node_id]:
            return False
        if parent not in self._kinds:
            self._kinds[parent] = Counter(map(self._kind, self._children.get(parent, ())))
        return self._kinds[parent][self._kind(node)] >= ALIKE

    def _kind(self, node: TreeNode) -> str:
        if node.node_id not in self._kind_of:  # a list is asked for once by each of its items
            inner = [f"{part.role}{len(self._children[part.node_id])}" for part in self._children[node.node_id]]
            self._kind_of[node.node_id] = " ".join([node.role, *inner])
        return self._kind_of[node.node_id]

    def _beginning(self, row: TreeNode) -> str:
        """The first text of a row that is no button's."""
        if row.node_id not in self._rows:
            self._rows[row.node_id] = beginning(self._texts(row))
        return self._rows[row.node_id]

    def _texts(self, row: TreeNode) -> Iterator[str]:
        stack = [row]
        for _ in range(LOOKS):
            if not stack:
                return
            node = stack.pop()
            if node.role == "StaticText" and not node.ignored:
                yield node.words
            elif node.role not in _BUTTONS:
                stack += reversed(self._children[node.node_id])
