"""A document's accessibility tree (`Accessibility.getFullAXTree`) as lines of text. Pure.

One line for each element that says something: its role, its name in quotes, its ref, its states, its value; a text is
only its quotes. What only arranges others is left out, and so is text that the name of the element around it says
already. A page can put anything into a name; it cannot get out of the quotes or begin a line with anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import category

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.printable import in_quotes, visible
from cdp_typed.protocol.accessibility import AXNode, AXNodeId, AXValue
from supervisor.tools.framework.untrusted_text import is_plain_address

from .reading import Read, Reader
from .rendering import NOTHING, Rendering

NAME_LIMIT = 200
TEXT_LIMIT = 1_000
URL_LIMIT = 80
"""Characters of a name or a value, of a run of text, and of a link's address, that are shown."""

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

_WORDS = {
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "LabelText": "label",
    "LayoutTable": "table",
    "LayoutTableRow": "row",
    "LayoutTableCell": "cell",
}
"""Chromium's own roles -> the words that are shown."""

_NAMELESS = frozenset({"Co", "Zs", "Cc"})
"""Categories of characters that name nothing: private ones, which fonts draw icons for, and white space."""

_WITH_LEVEL = frozenset({"heading", "treeitem"})

_STATES = {"checked": "checked", "pressed": "pressed", "expanded": "expanded", "selected": "selected",
           "disabled": "disabled", "required": "required", "readonly": "readonly", "invalid": "invalid",
           "focused": "focused", "modal": "modal", "busy": "busy", "level": "level",
           "hasPopup": "popup", "multiselectable": "multiselectable"}  # fmt: skip
"""CDP property -> the word that is shown."""


class OutlineLine(Struct, frozen=True, kw_only=True):
    """One line of a document."""

    depth: int
    before: str = ""
    """What is on the line before this element: lines around it and beside it that were merged with its own."""
    role: str
    name: str = ""
    """What it is called, in quotes."""
    content: str = ""
    """The text in it, in quotes, when that is all that is in it."""
    backend_node_id: int | None = None
    """The element's."""
    has_ref: bool = False
    """It is worth pointing at."""
    is_interactive: bool = False
    tail: str = ""
    """Its states and its value."""
    read: Read | None = None
    """What was read of the element; None for a text."""

    @property
    def head(self) -> str:
        """The text before the ref."""
        if self.role == "text":
            return f"{self.before}{self.name}"
        return f"{self.before}{self.role} {self.name}" if self.name else f"{self.before}{self.role}"

    @property
    def rest(self) -> str:
        """The text after the ref."""
        return f"{self.tail}: {self.content}" if self.content else self.tail


class _Place(Struct, frozen=True):
    """A place in the tree that lines come from."""

    depth: int = 0
    around: str = ""
    """The name of the element around it."""
    inside: str | None = None
    """The name of the interactive element that it is inside of."""


def lines(
    nodes: Sequence[AXNode],
    drawn: Rendering = NOTHING,
    url: str = "",
    value_limit: int = NAME_LIMIT,
    *,
    shows_options: bool = False,
) -> Iterator[OutlineLine]:
    """The lines of the document at `url`, in the order of the tree; the document itself is not one of them.

    At most `value_limit` characters of a field's value are shown, and the options of a closed select where asked for.
    """
    by_id = {node.node_id: node for node in nodes}
    children = {node.node_id: [by_id[key] for key in node.child_ids or () if key in by_id] for node in by_id.values()}
    root = next((node for node in by_id.values() if node.parent_id is None), None)
    controls = frozenset(" ".join(text_of(node.name).split()) for node in nodes if _role(node) in _INTERACTIVE)
    return _joined(
        _Lines(by_id, children, drawn, controls, url, Reader(by_id, children), value_limit, shows_options).walk(root)
    )


class _Lines(Struct, frozen=True):
    by_id: Mapping[AXNodeId, AXNode]
    children: Mapping[AXNodeId, list[AXNode]]
    drawn: Rendering
    controls: frozenset[str]
    """The names of all controls: a label need not be told a second time."""
    url: str
    reader: Reader
    value_limit: int
    shows_options: bool

    def walk(self, root: AXNode | None) -> Iterator[OutlineLine]:
        text = _Text()
        parents = {child.node_id: backend for backend, inner in self._elements() for child in inner}
        stack: list[tuple[AXNode | None, _Place]] = [(root, _Place())] if root else []
        while stack:  # no recursion: a page may nest as deep as it likes
            node, place = stack.pop()
            if node is None:  # the end of a block
                yield from text.flush()
            elif _role(node) in _TEXT and not node.ignored:
                text.add(node, place, parents.get(node.node_id))
            elif self._is_clickable(node, place) or (not node.ignored and _role(node) not in _INLINE):
                yield from text.flush()
                stack.append((None, place))
                line = self._line_of(node, place)
                if line is not None:
                    yield self._with_icon(replace(line, read=self.reader.read(node)))
                    place = self._inside(node, line, place)
                elif _role(node) == "LabelText" and self._content(node) in self.controls:
                    place = replace(place, around=self._content(node))
                if not (_is_closed(node) or self._options(node)):
                    stack += [(child, place) for child in reversed(self.children[node.node_id])]
            else:
                if node.backend_dom_node_id in self.drawn.blocks:
                    text.space()
                stack += [(child, place) for child in reversed(self.children[node.node_id])]

    def _elements(self) -> Iterator[tuple[int | None, list[AXNode]]]:
        """Each node's element, and the node's children."""
        for node_id, inner in self.children.items():
            yield self.by_id[node_id].backend_dom_node_id, inner

    def _line_of(self, node: AXNode, place: _Place) -> OutlineLine | None:
        if self._is_clickable(node, place):
            line, content = self._plain_line(node, place.depth), self._content(node)
            role = "generic" if node.ignored or not _role(node) or _role(node) in _INLINE else line.role
            name = line.name or (quoted(content) if _says(content) and len(content) <= NAME_LIMIT else "")
            return replace(line, role=role, name=name, has_ref=True, is_interactive=True)
        if _is_arranging(node):
            return None
        line, name = self._plain_line(node, place.depth), text_of(node.name).strip()
        if _role(node) == "image" and not line.name and place.inside is not None:
            return None
        is_reported = bool(name and place.inside is not None and name in place.inside) and not line.is_interactive
        return None if is_reported and _role(node) not in _FRAMES else line

    def _with_icon(self, line: OutlineLine) -> OutlineLine:
        icon = "" if line.name else self.drawn.icons.get(line.backend_node_id or 0, "")
        return replace(line, tail=f"{line.tail} icon={quoted(icon)}") if icon else line

    def _plain_line(self, node: AXNode, depth: int) -> OutlineLine:
        line, options = _line(node, depth, self.url, self.value_limit), self._options(node)
        return replace(line, tail=f"{line.tail} ({options} options)") if options else line

    def _options(self, node: AXNode) -> int:
        """The number of options of a closed select, where they are not shown."""
        if self.shows_options or _role(node) != "combobox" or _property(node, "expanded") is not False:
            return 0
        stack = [part for part in self.children[node.node_id] if _role(part) == "MenuListPopup"]
        count = 0
        while stack:
            part = stack.pop()
            count += _role(part) == "option"
            stack += self.children[part.node_id]
        return count

    def _inside(self, node: AXNode, line: OutlineLine, place: _Place) -> _Place:
        name = text_of(node.name) or (self._content(node) if line.name else "")
        return _Place(place.depth + 1, name, name if line.is_interactive else place.inside)

    def _is_clickable(self, node: AXNode, place: _Place) -> bool:
        is_known = _role(node) in _INTERACTIVE or _role(node) in _TEXT or node.parent_id is None
        if is_known or place.inside is not None or node.backend_dom_node_id not in self.drawn.clickable:
            return False
        return _role(node) != "LabelText" or self._content(node) not in self.controls

    def _content(self, node: AXNode) -> str:
        """The text of an element, without what is said by controls in it."""
        pieces: list[str] = []
        stack = [node]
        while stack:
            part = stack.pop()
            if _role(part) in _TEXT and not part.ignored:
                pieces.append(text_of(part.name))
            elif _role(part) not in _INTERACTIVE:
                if _role(part) not in _INLINE or part.backend_dom_node_id in self.drawn.blocks:
                    pieces.append(" ")
                stack += reversed(self.children[part.node_id])
        return " ".join("".join(pieces).split())


def _joined(lines: Iterable[OutlineLine]) -> Iterator[OutlineLine]:
    """The same, with the text of an element that has no name and holds nothing else on the element's own line."""
    held: list[OutlineLine] = []
    for line in lines:
        if len(held) == 2 and line.depth < held[1].depth:
            yield replace(held[0], content=held[1].name)
            held = []
        if line.role == "text" and len(held) == 1 and not held[0].name and line.depth == held[0].depth + 1:
            held.append(line)
            continue
        yield from held
        held = [line] if line.role != "text" else []
        if line.role == "text":
            yield line
    if len(held) == 2:
        held = [replace(held[0], content=held[1].name)]
    yield from held


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
    return next((text_of(node.name) for node in nodes if node.parent_id is None), "")


def quoted(text: str, limit: int = NAME_LIMIT) -> str:
    """Page text on one line and in quotes that it cannot leave."""
    return in_quotes(" ".join(text.split()), limit)


def exact(text: str, limit: int) -> str:
    """A value in quotes, its white space included, and behind them how much of it this is when it is cut."""
    cut = f" ({limit} of {len(text)} characters)" if len(text) > limit else ""
    return f"{in_quotes(text[:limit], 2 * limit)}{cut}"


def address(url: str, limit: int = NAME_LIMIT) -> str:
    """An address, in quotes where it is more than plain characters."""
    return visible(url, limit) if is_plain_address(url) else quoted(url, limit)


class _Text:
    """A run of text that becomes one line."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._depth = 0
        self._element: int | None = None

    def add(self, node: AXNode, place: _Place, element: int | None) -> None:
        """Take a piece of an element's text in, unless the name of the element around it says it already."""
        piece = text_of(node.name)
        if not self._pieces:
            self._element = element
        if _role(node) == "LineBreak" or not piece.strip() or piece.strip() not in place.around:
            self._pieces.append(piece or "\n")
            self._depth = place.depth

    def space(self) -> None:
        """Keep what comes apart from what came."""
        self._pieces.append(" ")

    def flush(self) -> Iterator[OutlineLine]:
        """The line, if there is anything to say."""
        run = "".join(self._pieces)
        if _says(run):
            yield OutlineLine(
                depth=self._depth, role="text", name=quoted(run, TEXT_LIMIT), backend_node_id=self._element
            )
        self._pieces.clear()


def _is_arranging(node: AXNode) -> bool:
    return node.parent_id is None or (_role(node) in _ARRANGING and not _is_touchable(node))


def _is_closed(node: AXNode) -> bool:
    """A plain text field says what is in it by its value."""
    return _property(node, "editable") == "plaintext" and node.value is not None


def _is_touchable(node: AXNode) -> bool:
    return _property(node, "focusable") is True or _property(node, "editable") == "richtext"


def _line(node: AXNode, depth: int, url: str, value_limit: int) -> OutlineLine:
    role, name = _role(node), text_of(node.name)
    is_frame = role in _FRAMES
    is_interactive = role in _INTERACTIVE or (_is_touchable(node) and not is_frame)
    word = _WORDS.get(role) or visible(role, 40)
    value = text_of(node.value)
    tail = "".join(_states(node))
    if value and value != name and _property(node, "editable") != "richtext":
        tail += f" value={exact(value, value_limit)}"
    description = text_of(node.description)
    if description and description != name:
        tail += f" description={quoted(description)}"
    if role == "link":
        tail += _address(str(_property(node, "url") or ""), url)
    return OutlineLine(
        depth=depth,
        role=word,
        name=quoted(_once(name)) if _says(name) else "",
        backend_node_id=node.backend_dom_node_id,
        has_ref=is_interactive or role in _WITH_REF,
        is_interactive=is_interactive,
        tail=tail,
    )


def _says(name: str) -> bool:
    return any(category(letter) not in _NAMELESS for letter in name)


def _address(target: str, url: str) -> str:
    """Where a link leads: on the same site without that; nothing for a script."""
    if not target or target.startswith("javascript:"):
        return ""
    site = re.match(r"\w+://[^/]*", url)
    short = target.removeprefix(site[0]) if site and target.startswith(f"{site[0]}/") else target
    return f" {address(short, URL_LIMIT)}"


def _once(name: str) -> str:
    """A name that was put together from the same words twice, such as those of a heading and of a picture, once."""
    words = name.split()
    half = len(words) // 2
    return " ".join(words[:half]) if words and words[:half] == words[half:] else name


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
    return text_of(node.role)


def text_of(value: AXValue | None) -> str:
    """A role, a name or a value as text."""
    return "" if value is None or value.value is None else str(value.value)
