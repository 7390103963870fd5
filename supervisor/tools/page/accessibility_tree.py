"""A document's accessibility tree (`Accessibility.getFullAXTree`) as lines of text. Pure.

One line for each element that says something: its role, its name in quotes, its ref, its states, its value. What only
arranges others is left out, and so is text that the name of the element around it says already. A page can put
anything into a name; it cannot get out of the quotes or make a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from cdp_typed.printable import visible
from cdp_typed.protocol.accessibility import AXNode, AXValue

NAME_LIMIT = 200
TEXT_LIMIT = 1_000
"""Characters of a name or a value, and of a run of text, that are shown."""

_TEXT = frozenset({"StaticText", "LineBreak"})

_INLINE = frozenset(
    {"none", "presentation", "InlineTextBox", "ListMarker", "Abbr", "emphasis", "strong", "code", "mark"}
)
"""Roles that neither say anything of their own nor begin a new line."""

_ARRANGING = frozenset({"generic", "paragraph", "LabelText", "MenuListPopup"})
"""Roles that say nothing of their own, and begin a new line."""

_INTERACTIVE = frozenset(
    {
        "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton",
        "option", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem", "scrollbar",
        "DisclosureTriangle", "ColorWell", "Date", "DateTime", "InputTime", "PopUpButton",
        "ToggleButton", "Canvas",
    }
)  # fmt: skip
"""Roles that can be clicked, typed into, or drawn upon."""

_WITH_REF = frozenset({"image", "Iframe", "IframePresentational", "Video", "Audio"})
"""Roles that are not interactive, and are worth pointing at all the same."""

_FRAMES = frozenset({"Iframe", "IframePresentational"})

_WITH_LEVEL = frozenset({"heading", "treeitem"})

_STATES = {"checked": "checked", "pressed": "pressed", "expanded": "expanded", "selected": "selected",
           "disabled": "disabled", "required": "required", "readonly": "readonly", "invalid": "invalid",
           "focused": "focused", "modal": "modal", "busy": "busy", "level": "level",
           "hasPopup": "popup", "multiselectable": "multiselectable"}  # fmt: skip
"""CDP property -> the word that is shown."""


class OutlineLine(Struct, frozen=True, kw_only=True):
    """One line of a document."""

    depth: int
    text: str
    backend_node_id: int | None = None
    """The element's."""
    has_ref: bool = False
    """It is worth pointing at."""
    is_interactive: bool = False
    tail: str = ""
    """The text after the ref."""


def lines(nodes: Iterable[AXNode]) -> Iterator[OutlineLine]:
    """The document's own lines, in the order of the tree; the document itself is not one of them."""
    by_id = {node.node_id: node for node in nodes}
    children = {node.node_id: [by_id[key] for key in node.child_ids or () if key in by_id] for node in by_id.values()}
    root = next((node for node in by_id.values() if node.parent_id is None), None)
    text = _Text()
    stack: list[tuple[AXNode | None, int, str]] = [(root, 0, "")] if root else []
    while stack:  # no recursion: a page may nest as deep as it likes
        node, depth, around = stack.pop()
        if node is None:  # the end of a block
            yield from text.flush()
        elif _role(node) in _TEXT and not node.ignored:
            text.add(node, depth, around)
        elif not node.ignored and _role(node) not in _INLINE:
            yield from text.flush()
            stack.append((None, 0, ""))
            if not _is_arranging(node):
                yield _line(node, depth)
                depth, around = depth + 1, _text(node.name)
            if not _is_closed(node):
                stack += [(child, depth, around) for child in reversed(children[node.node_id])]
        else:
            stack += [(child, depth, around) for child in reversed(children[node.node_id])]


def shown_around(nodes: Sequence[AXNode], backend_node_id: int) -> tuple[int, str] | None:
    """The backend id and the role of the innermost element, from this one outwards, that has a line of its own.

    None when there is none but the document.
    """
    by_id = {node.node_id: node for node in nodes}
    node = next((node for node in nodes if node.backend_dom_node_id == backend_node_id), None)
    while node is not None and node.parent_id is not None:
        has_line = not (node.ignored or _role(node) in _INLINE | _TEXT or _is_arranging(node))
        if has_line and node.backend_dom_node_id is not None:
            return node.backend_dom_node_id, visible(_role(node), 40)
        node = by_id.get(node.parent_id)
    return None


def title(nodes: Iterable[AXNode]) -> str:
    """The name of the document."""
    return next((_text(node.name) for node in nodes if node.parent_id is None), "")


def quoted(text: str, limit: int = NAME_LIMIT) -> str:
    """Page text on one line and in quotes that it cannot leave."""
    safe = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{visible(safe, limit)}"'


class _Text:
    """A run of text that becomes one line."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._depth = 0

    def add(self, node: AXNode, depth: int, around: str) -> None:
        """Take a piece in, unless the name of the element around it says it already."""
        piece = _text(node.name)
        if _role(node) == "LineBreak" or not piece.strip() or piece.strip() not in around:
            self._pieces.append(piece or "\n")
            self._depth = depth

    def flush(self) -> Iterator[OutlineLine]:
        """The line, if there is anything to say."""
        run = "".join(self._pieces)
        if run.strip():
            yield OutlineLine(depth=self._depth, text="text " + quoted(run, TEXT_LIMIT))
        self._pieces.clear()


def _is_arranging(node: AXNode) -> bool:
    return node.parent_id is None or (_role(node) in _ARRANGING and not _is_touchable(node))


def _is_closed(node: AXNode) -> bool:
    """A plain text field says what is in it by its value."""
    return _property(node, "editable") == "plaintext" and node.value is not None


def _is_touchable(node: AXNode) -> bool:
    return _property(node, "focusable") is True or _property(node, "editable") == "richtext"


def _line(node: AXNode, depth: int) -> OutlineLine:
    role, name = _role(node), _text(node.name)
    is_frame = role in _FRAMES
    is_interactive = role in _INTERACTIVE or (_is_touchable(node) and not is_frame)
    word = "iframe" if is_frame else visible(role, 40)
    value = _text(node.value)
    tail = "".join(_states(node))
    if value and value != name and _property(node, "editable") != "richtext":
        tail += f" value={quoted(value)}"
    description = _text(node.description)
    if description and description != name:
        tail += f" description={quoted(description)}"
    return OutlineLine(
        depth=depth,
        text=f"{word} {quoted(name)}" if name.strip() else word,
        backend_node_id=node.backend_dom_node_id,
        has_ref=is_interactive or role in _WITH_REF,
        is_interactive=is_interactive,
        tail=tail,
    )


def _states(node: AXNode) -> Iterator[str]:
    for entry in node.properties or ():
        word, value = _STATES.get(entry.name), entry.value.value
        if word is None or (word == "level" and _role(node) not in _WITH_LEVEL):
            continue
        if entry.name in ("checked", "expanded"):  # to be unchecked, or folded, is worth saying
            yield f" [{word}]" if _is_true(value) else f" [{word}={visible(str(value), 20).lower()}]"
        elif _is_true(value):
            yield f" [{word}]"
        elif value not in (False, "false", None, "", 0):
            yield f" [{word}={visible(str(value), 20)}]"


def _is_true(value: Any) -> bool:
    return value is True or value == "true"


def _property(node: AXNode, name: str) -> Any:
    return next((entry.value.value for entry in node.properties or () if entry.name == name), None)


def _role(node: AXNode) -> str:
    return _text(node.role)


def _text(value: AXValue | None) -> str:
    return "" if value is None or value.value is None else str(value.value)
