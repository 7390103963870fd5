"""Which elements a script made clickable and which are blocks: what the accessibility tree does not say. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from cdp_typed.printable import visible
from cdp_typed.protocol.dom_snapshot import DocumentSnapshot

from .element_line import says
from .hidden_parts import HiddenPart, hidden_parts
from .icons import hint, said

STYLES = ["cursor", "display", "user-select", "direction", "visibility"]
"""The computed styles to ask `DOMSnapshot.captureSnapshot` for."""

SIBLINGS = 8
"""Siblings before an icon that may tell its place."""

ABOVE, PARTS = 4, 100
"""How far above a field, and in how many nodes, the text is looked for that is drawn over it."""

EDGE = 8
"""The width, in pixels, of what is drawn as an edge."""

NEAR = 4
"""Two middles that are closer, in pixels, are taken for the same."""

_ATTRIBUTES = frozenset({"draggable", "ondblclick", "oncontextmenu", "onpointerdown", "onmouseenter", "onmouseover"})
"""Attributes of elements that a script does something with, which Chromium does not count as clickable."""

_NEVER = frozenset({"HTML", "BODY", "#document"})
_NATIVE = frozenset({"A", "BUTTON", "INPUT", "SELECT", "TEXTAREA", "SUMMARY", "OPTION", "IFRAME", "VIDEO", "AUDIO"})

_FIELDS = frozenset({"INPUT", "SELECT", "TEXTAREA"})

_CONTROLS = frozenset(
    {"button", "link", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "checkbox", "radio", "switch", "option"}
)
"""Roles of what can be clicked, and is no container of such."""

_SHAPES = frozenset(
    {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "image", "use"}
)
_CELLS = frozenset({"TD", "TH"})
_ROWS = _CELLS | {"TR"}
_CELL_ROLES = frozenset({"row", "cell", "gridcell", "columnheader", "rowheader"})
_UNDRAWN = {"checkbox": "checkbox", "radio": "radio", "file": "button"}
"""Types of fields that pages hide behind their labels, and their roles."""
_STATES = {"aria-checked": "checked", "aria-sort": "sort", "aria-current": "current", "aria-rowcount": "rows"}
"""Attributes of ARIA, and the words that are shown."""
_ITEMS = _CELLS | {"LI", "TR"}
_SINGLE = _NATIVE | _CELLS | {"TR", "LI", "LABEL", "g"}
"""Tags of elements that are one thing, too."""
_ACTIVE = re.compile(r"^(?:(?:is|ql)-)?(?:active|pressed)$")


class Rendering(Struct, frozen=True):
    """The backend ids of a document's elements that look or behave in a way."""

    clickable: frozenset[int] = frozenset()
    """Those that a script listens on, that can be dragged, or over which the mouse becomes a hand; not their parts."""
    containers: frozenset[int] = frozenset()
    """Those that listen for what is in them, as a diagram does: nothing else in them can be clicked."""
    wholes: frozenset[int] = frozenset()
    """Those over which the mouse becomes a hand, or that can be dragged: they are one thing, whatever is in them."""
    blocks: frozenset[int] = frozenset()
    """Those that are not laid out in line with the text around them, and the texts that an SVG puts at a new place."""
    icons: Mapping[int, str] = {}
    """By the backend ids of those that can be clicked, and of empty ones, a word for the icon in them."""
    placed: Mapping[int, Sequence[int]] = {}
    """By the backend ids of empty ones with an icon: the parent's, and those of siblings before it, nearest first."""
    hands: Mapping[int, Sequence[int]] = {}
    """By the backend ids of those over which the mouse becomes a hand, but nothing listens, those of their texts."""
    active: frozenset[int] = frozenset()
    """Those that can be clicked, and that a class shows as pressed or chosen."""
    states: Mapping[int, str] = {}
    """By backend id, what ARIA says of an element and Chromium's tree does not: ` [sort=ascending]`."""
    undrawn: Mapping[int, tuple[str, bool]] = {}
    """By the backend ids of labels whose control has no box: the control's role, and whether it is checked."""
    hidden: tuple[HiddenPart, ...] = ()
    """What is drawn, and that `aria-hidden` hides."""
    corners: Mapping[int, tuple[float, float]] = {}
    """Where items begin: of lists, of rows and cells. From right to left, the first number falls."""
    values: Mapping[int, str] = {}
    """By the backend ids of empty text fields with a list, the text that is drawn over them."""
    drawn_over: frozenset[int] = frozenset()
    """Those texts."""
    nodes: frozenset[int] = frozenset()
    """All nodes of the document, also those that are not shown."""


NOTHING = Rendering()


def rendering(document: DocumentSnapshot, strings: Sequence[str]) -> Rendering:
    """Read the snapshot of one document.

    A container that listens for all that is in it (React's root) is not clickable: it counts only when nothing in it
    can be clicked, or when the mouse becomes a hand over it. The cells of a table count in place of what is around it.
    """
    nodes, layout = document.nodes, document.layout
    ids, parents, names = nodes.backend_node_id or (), nodes.parent_index or (), nodes.node_name or ()
    styles = dict(zip(layout.node_index, layout.styles, strict=False))
    hands = {node for node, style in styles.items() if style and strings[style[0]] == "pointer"}
    marked = set(_marked(document, strings, styles))
    listening = set(nodes.is_clickable.index) if nodes.is_clickable is not None else set[int]()
    chosen = _clickable(document, strings, styles, listening, hands, marked)
    words = [strings[name] for name in names]
    boxes = {node: strings[style[1]] for node, style in styles.items() if len(style) > 1 and words[node] != "#text"}
    blocks = {node for node, display in boxes.items() if not display.startswith("inline")}
    blocks.update(_on_lines(document, strings, words))
    visible_ones = {node for node, style in styles.items() if len(style) < 5 or strings[style[4]] == "visible"}
    containers = {node for node in listening if words[node] not in _SINGLE and (node in chosen or words[node] == "svg")}
    named = chosen.union(_controls(document, strings), (node for node, word in enumerate(words) if word in _NATIVE))
    values = nodes.node_value or ()
    blank = {node for node, word in enumerate(words) if word == "#text" and not says(strings[values[node]])}
    empty = dict(_empty(words, parents, styles, listening, blank))
    icons = {node: icon for node in named.union(empty) if (icon := hint(_inside(document, strings, node)))}
    every = nodes.attributes or ()
    icons |= {node: icon for node in named - icons.keys() if (icon := said(_attributes(strings, every[node])))}
    cells = [node for node in styles if words[node] in _CELLS]
    unselectable = {node for node, style in styles.items() if len(style) > 2 and strings[style[2]] == "none"}
    chosen = _with_cells(chosen, cells, parents, words).union(_selecting(cells, unselectable, parents))
    chosen -= set(_needless(document, strings, words))
    over = dict(_drawn_over(document, strings, words, visible_ones))
    hidden = hidden_parts(document, strings, visible_ones, lambda node: bool(hint(_inside(document, strings, node))))
    return Rendering(
        frozenset(ids[node] for node in chosen - hidden.behind),
        frozenset(ids[node] for node in containers - hands - marked),
        frozenset(ids[node] for node in hands | marked),
        frozenset(ids[node] for node in blocks),
        {ids[node]: icon for node, icon in icons.items() if node not in hidden.behind},
        {ids[node]: [ids[part] for part in places] for node, places in empty.items() if node in icons},
        {
            ids[node]: [ids[text] for text in texts]
            for node, texts in _texts(chosen & hands - listening, words, parents)
        },
        frozenset(ids[node] for node in named if _is_active(strings, (nodes.attributes or ())[node])),
        {ids[node]: states for node, states in _states(document, strings)},
        {ids[label]: control for label, control in _undrawn(document, strings, words, visible_ones)},
        hidden.parts,
        {ids[node]: corner for node, corner in _items(document, strings, words)},
        {
            ids[node]: " ".join(" ".join(strings[values[text]] for text in texts).split())
            for node, texts in over.items()
        },
        frozenset(ids[text] for texts in over.values() for text in texts),
        frozenset(ids),
    )


def _marked(document: DocumentSnapshot, strings: Sequence[str], shown: Container[int]) -> Iterator[int]:
    known = {number for number, text in enumerate(strings) if text in _ATTRIBUTES}
    for node, attributes in enumerate(document.nodes.attributes or ()):
        if node in shown and not known.isdisjoint(attributes[::2]):
            yield node


def _clickable(
    document: DocumentSnapshot,
    strings: Sequence[str],
    shown: Container[int],
    listening: set[int],
    hands: set[int],
    marked: set[int],
) -> set[int]:
    parents, names = document.nodes.parent_index or (), document.nodes.node_name or ()
    outermost = {node for node in hands if parents[node] not in hands}
    chosen, busy, has_parts = set[int](), set[int](), set[int]()
    for node in range(len(names) - 1, -1, -1):  # children come after their parents
        name, parent = strings[names[node]], parents[node]
        listens = node in listening and (node in shown or name == "g")
        is_own = listens and node not in (has_parts if name == "g" else busy)
        is_hand = node in outermost and (listens or node not in has_parts)
        if name not in _NEVER and (is_own or is_hand or node in marked):
            chosen.add(node)
        if parent >= 0 and (name in _NATIVE or node in chosen or node in busy):
            busy.add(parent)
        if parent >= 0 and (node in has_parts or (is_own and name not in _NATIVE | _SHAPES)):
            has_parts.add(parent)
    return chosen


def _controls(document: DocumentSnapshot, strings: Sequence[str]) -> Iterator[int]:
    roles = {number for number, text in enumerate(strings) if text in _CONTROLS}
    for node, attributes in enumerate(document.nodes.attributes or ()):
        if not roles.isdisjoint(attributes[1::2]) and _attributes(strings, attributes).get("role") in _CONTROLS:
            yield node


def _with_cells(chosen: set[int], cells: Iterable[int], parents: Sequence[int], names: Sequence[str]) -> set[int]:
    """The clickable elements, with the cells of a table that is clickable as a whole in place of it."""
    wholes, parts = set[int](), set[int]()
    for cell in cells:
        above = cell
        while above >= 0 and above not in chosen:
            above = parents[above]
        if above >= 0 and names[above] not in _ROWS:
            wholes.add(above)
            parts.add(cell)
    return (chosen - wholes) | parts


def _selecting(cells: Iterable[int], unselectable: set[int], parents: Sequence[int]) -> Iterator[int]:
    """The cells whose text the mouse does not select, because the page selects cells by itself, as spreadsheets do."""
    root = next((node for node, parent in enumerate(parents) if parent == -1), 0)
    for cell in cells:
        above = cell
        while above in unselectable and parents[above] != root:
            above = parents[above]
        if above != cell and above not in unselectable:
            yield cell


def _empty(
    words: Sequence[str],
    parents: Sequence[int],
    shown: Container[int],
    listening: Container[int],
    blank: Container[int],
) -> Iterator[tuple[int, Sequence[int]]]:
    """The shown elements of HTML that hold nothing but what a style draws, and the drawings that a script listens on,
    with their parents and siblings before."""
    full = {parents[node] for node, word in enumerate(words) if not word.startswith("::") and node not in blank}
    before = defaultdict[int, list[int]](list)
    for node, (word, parent) in enumerate(zip(words, parents, strict=True)):
        is_empty = node not in full and word.isupper() and word not in _NATIVE and word != "IMG"
        if (is_empty or (word == "svg" and node in listening)) and node in shown and parent >= 0:
            yield node, (parent, *before[parent][: -SIBLINGS - 1 : -1])
        before[parent].append(node)


def _texts(nodes: Container[int], words: Sequence[str], parents: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The elements with the texts that are their own children."""
    found = dict[int, list[int]]()
    for node, (word, parent) in enumerate(zip(words, parents, strict=True)):
        if word == "#text" and parent in nodes:
            found.setdefault(parent, []).append(node)
    yield from found.items()


def _needless(document: DocumentSnapshot, strings: Sequence[str], words: Sequence[str]) -> Iterator[int]:
    """The elements that nobody clicks for themselves: what has no size and shows nothing, the thin edges of cells by
    which a column is made wider, and the box that a page draws in the place of a field."""
    every, parents = document.nodes.attributes or (), document.nodes.parent_index or ()
    full = {parent for word, parent in zip(words, parents, strict=True) if not word.startswith("::")}
    bounds = dict(zip(document.layout.node_index, document.layout.bounds, strict=True))
    shown, fields = set[int](), set[tuple[int, int]]()
    for node, (left, top, width, height) in bounds.items():
        above = node if width and height else -1
        while above >= 0 and above not in shown:
            shown.add(above)
            above = parents[above]
        if words[node] in _FIELDS:
            fields.update((_near(left + width / 2) + x, _near(top + height / 2) + y) for x in (0, 1) for y in (0, 1))
    for node, (left, top, width, height) in bounds.items():
        if node not in shown:
            yield node
        if node in full or words[node] in _NATIVE or words[node].startswith(("#", "::")):
            continue
        around = parents[node]
        middles = ((_near(left + width / 2) + x, _near(top + height / 2) + y) for x in (0, 1) for y in (0, 1))
        if fields and any(middle in fields for middle in middles):
            yield node
        elif min(width, height) <= EDGE:
            is_cell = words[around] in _ROWS or _attributes(strings, every[around]).get("role") in _CELL_ROLES
            if is_cell:
                yield node


def _near(number: float) -> int:
    return int(number // NEAR)


def _on_lines(document: DocumentSnapshot, strings: Sequence[str], words: Sequence[str]) -> Iterator[int]:
    for node, parent in enumerate(document.nodes.parent_index or ()):
        if words[node] == "#text" and words[parent] == "tspan":
            attributes = {strings[name] for name in (document.nodes.attributes or ())[parent][::2]}
            if not attributes.isdisjoint({"x", "y", "dy"}):
                yield node


def _states(document: DocumentSnapshot, strings: Sequence[str]) -> Iterator[tuple[int, str]]:
    known = {number for number, text in enumerate(strings) if text in _STATES}
    for node, attributes in enumerate(document.nodes.attributes or ()):
        if known.isdisjoint(attributes[::2]):
            continue
        said = _attributes(strings, attributes)
        words = {_STATES[name]: value for name, value in said.items() if name in _STATES}
        shown = {word: visible(value, 20) for word, value in words.items() if value not in ("", "none", "false", "-1")}
        yield node, "".join(f" [{word}]" if value == "true" else f" [{word}={value}]" for word, value in shown.items())


def _undrawn(
    document: DocumentSnapshot, strings: Sequence[str], words: Sequence[str], shown: Container[int]
) -> Iterator[tuple[int, tuple[str, bool]]]:
    nodes = document.nodes
    every, parents = nodes.attributes or (), nodes.parent_index or ()
    checked = set(nodes.input_checked.index) if nodes.input_checked is not None else set[int]()
    hidden = [node for node, word in enumerate(words) if word == "INPUT" and node not in shown]
    labels = [node for node, word in enumerate(words) if word == "LABEL" and node in shown] if hidden else []
    named = {_attributes(strings, every[label]).get("for", ""): label for label in labels}
    for node in hidden:
        said, above = _attributes(strings, every[node]), parents[node]
        while above >= 0 and words[above] != "LABEL":
            above = parents[above]
        label = named.get(said.get("id") or " ", above)
        role = _UNDRAWN.get(said.get("type", "").lower())
        if role is not None and label in labels:
            yield label, (role, node in checked)


def _drawn_over(
    document: DocumentSnapshot, strings: Sequence[str], words: Sequence[str], shown: Container[int]
) -> Iterator[tuple[int, list[int]]]:
    """The empty text fields with a list, each with the texts over it, in what is around no other field."""
    parents, every = document.nodes.parent_index or (), document.nodes.attributes or ()
    boxes = [node for node, word in enumerate(words) if word == "INPUT"]
    boxes = [node for node in boxes if _attributes(strings, every[node]).get("role") == "combobox"]
    typed = document.nodes.input_value
    values = dict(zip(typed.index, typed.value, strict=True)) if typed is not None and boxes else {}
    bounds = dict(zip(document.layout.node_index, document.layout.bounds, strict=True)) if boxes else {}
    for box in boxes:
        around, texts = box, list[int]()
        for _ in range(0 if strings[values.get(box, -1)] else ABOVE):
            around = parents[around]
            inside = list(_below(parents, around)) if around >= 0 else []
            if not inside or sum(words[node] in _FIELDS for node in inside) > 1:
                break
            labels = {node for label in inside if words[label] == "LABEL" for node in _below(parents, label)}
            texts = [node for node in inside if words[node] == "#text" and node in shown and node not in labels]
            texts = [node for node in texts if box in bounds and _meet(bounds[box], bounds[node])]
        if texts and not any(_is_placeholder(strings, every[parents[node]]) for node in texts):
            yield box, texts


def _is_placeholder(strings: Sequence[str], attributes: Sequence[int]) -> bool:
    said = _attributes(strings, attributes)
    return any("placeholder" in said.get(name, "").lower() for name in ("id", "class"))


def _below(parents: Sequence[int], node: int) -> Iterator[int]:
    """The first nodes below one: they follow it."""
    inside = {node}
    for below in range(node + 1, min(node + PARTS, len(parents))):
        if parents[below] not in inside:
            return
        inside.add(below)
        yield below


def _meet(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(one[at] < other[at] + other[at + 2] and other[at] < one[at] + one[at + 2] for at in (0, 1))


def _attributes(strings: Sequence[str], attributes: Sequence[int]) -> dict[str, str]:
    words = [strings[index] for index in attributes]
    return dict(zip(words[::2], words[1::2], strict=True))


def _items(
    document: DocumentSnapshot, strings: Sequence[str], words: Sequence[str]
) -> Iterator[tuple[int, tuple[float, float]]]:
    role = next((number for number, text in enumerate(strings) if text == "role"), -1)
    attributes, layout = document.nodes.attributes or (), document.layout
    for node, (x, y, width, _), style in zip(layout.node_index, layout.bounds, layout.styles, strict=True):
        if words[node] in _ITEMS or role in attributes[node][::2]:
            is_from_right = len(style) > 3 and strings[style[3]] == "rtl"
            yield node, (-x - width if is_from_right else x, y)


def _is_active(strings: Sequence[str], attributes: Sequence[int]) -> bool:
    classes = _attributes(strings, attributes).get("class", "").split()
    return any(_ACTIVE.search(name) for name in classes)


def _inside(document: DocumentSnapshot, strings: Sequence[str], node: int) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The tag names and attributes of an element and of those in it, which follow it; a text has it as its `value`."""
    parents, names = document.nodes.parent_index or (), document.nodes.node_name or ()
    values = document.nodes.node_value or ()
    every, first, inside = document.nodes.attributes or (), node, set[int]()
    while node < len(names) and (node == first or parents[node] in inside):
        inside.add(node)
        words = [strings[index] for index in every[node]]
        if strings[names[node]] == "#text":
            words = ["value", strings[values[node]]]
        yield strings[names[node]], dict(zip(words[::2], words[1::2], strict=True))
        node += 1
