"""A document's accessibility tree (`Accessibility.getFullAXTree`) as lines of text. Pure.

One line for each element that says something: its role, its name in quotes, its ref, its states, its value; a text is
only its quotes. What only arranges others is left out, and so is text that the name of the element around it says
already. A page can put anything into a name; it cannot get out of the quotes or begin a line with anything else.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.printable import visible
from cdp_typed.protocol.accessibility import AXNode, AXNodeId

from .added_nodes import add_hands, add_hidden, add_icons
from .contents import INLINE, TEXT, Content, contents, labels
from .element_line import (
    FRAMES,
    INTERACTIVE,
    NAME_LIMIT,
    TEXT_LIMIT,
    OutlineLine,
    joined,
    line_of,
    quoted,
    says,
    worded,
)
from .reading import Reader
from .rendering import NOTHING, Rendering
from .tree_nodes import TreeNode, is_aria_hidden, plain, text_of, tree_nodes
from .visual_order import SINGLE, as_drawn

_ARRANGING = frozenset({"generic", "paragraph", "LabelText", "MenuListPopup"})
"""Roles that add no words, and begin a new line."""

_LIVE = frozenset({"alert", "log", "marquee", "status", "timer"})
"""Roles of places for messages, which say nothing while they are empty."""

_WHOLE = INTERACTIVE | SINGLE

_ROWS = frozenset({"row", "LayoutTableRow"})

_BULLETS = frozenset("•◦▪")
"""What Chromium draws before the items of a list, which no page says."""

_CHOSEN = ("pressed", "selected", "checked")
"""States beside which `[active]` says nothing new."""


class _Place(Struct, frozen=True, gc=False):
    """A place in the tree that lines come from."""

    depth: int = 0
    around: str = ""
    """The name of the element around it."""
    inside: str | None = None
    """The name of the interactive element that it is inside of."""
    control: TreeNode | None = None
    """The control that it is inside of."""
    is_in_container: bool = False
    """An element around it listens for the texts in it."""


def lines(
    nodes: Sequence[AXNode],
    drawn: Rendering = NOTHING,
    url: str | None = "",
    value_limit: int = NAME_LIMIT,
    *,
    shows_options: bool = False,
) -> Iterator[OutlineLine]:
    """The lines of the document at `url`, in the order of the tree; the document itself is not one of them.

    Without `url`, addresses of links are whole. At most `value_limit` characters of a field's value are shown, and the
    options of a closed select where asked for.
    """
    by_id = {node.node_id: node for node in tree_nodes(nodes)}
    children = {node.node_id: [by_id[key] for key in node.child_ids if key in by_id] for node in by_id.values()}
    add_hands(by_id, children, drawn)
    add_icons(by_id, children, drawn)
    add_hidden(by_id, children, drawn)
    children = {node_id: as_drawn(inner, drawn) for node_id, inner in children.items()}
    root = next((node for node in by_id.values() if node.parent_id is None), None)
    fields = [node for node in by_id.values() if node.role in INTERACTIVE]
    controls = frozenset(node.words for node in fields)
    helps = {plain(node.description) for node in fields}
    descriptions = frozenset(text for text in helps if len(text) <= NAME_LIMIT)
    tree = _Lines(
        by_id,
        children,
        drawn,
        controls,
        labels(nodes),
        descriptions,
        url,
        Reader(by_id, children),
        value_limit,
        shows_options,
        contents(root, children, drawn.blocks) if root is not None else {},
    )
    return joined(tree.walk(root))


class _Lines(Struct, frozen=True):
    by_id: Mapping[AXNodeId, TreeNode]
    children: Mapping[AXNodeId, list[TreeNode]]
    drawn: Rendering
    controls: frozenset[str]
    """The names of all controls."""
    labels: Mapping[int, str]
    """The elements that name a control, and its name: the outline need not repeat it."""
    descriptions: Container[str]
    """The help texts that the lines of controls have: they need no lines."""
    url: str | None
    reader: Reader
    value_limit: int
    shows_options: bool
    contents: Mapping[AXNodeId, Content]

    def walk(self, root: TreeNode | None) -> Iterator[OutlineLine]:
        text = _Text(self.descriptions, self.reader)
        stack: list[tuple[TreeNode | None, _Place, TreeNode | None]] = [(root, _Place(), None)] if root else []
        while stack:  # no recursion: a page may nest as deep as it likes
            node, place, parent = stack.pop()
            if node is None:  # the end of a block
                yield from text.flush()
            elif node.backend_dom_node_id in self.drawn.drawn_over:  # it is the value of a field
                continue
            elif node.role in TEXT and not node.ignored:
                if node.backend_dom_node_id in self.drawn.blocks:
                    text.space()
                text.add(node, place, parent)
            elif (icon := self._icon(node, place)) is not None:
                yield from text.flush()
                yield icon
            elif self._has_own_line(node, place):
                yield from text.flush()
                stack.append((None, place, None))
                line = self._line_of(node, place)
                if line is not None:
                    read = None if node.is_aria_hidden else self.reader.read(node)
                    yield replace(line, read=read, tail=self._tail(line))
                    place = self._inside(node, line, place)
                elif node.role in ("LabelText", "generic") and self._names_a_control(node):
                    place = replace(place, around=self._content(node))
                if not (_is_closed(node) or self._options(node)):
                    stack += [(child, place, node) for child in reversed(self.children[node.node_id])]
            else:
                if node.backend_dom_node_id in self.drawn.blocks:
                    text.space()
                    if place.is_in_container:
                        yield from text.flush()
                        stack.append((None, place, None))
                stack += [(child, place, node) for child in reversed(self.children[node.node_id])]

    def _has_own_line(self, node: TreeNode, place: _Place) -> bool:
        if not node.ignored and node.role not in INLINE:  # most
            return True
        return node.backend_dom_node_id in self.drawn.undrawn or self._is_clickable(node, place)

    def _line_of(self, node: TreeNode, place: _Place) -> OutlineLine | None:
        if (control := self.drawn.undrawn.get(node.backend_dom_node_id or 0)) is not None:
            role, is_checked = control
            state = "" if role == "button" else " [checked]" if is_checked else " [checked=false]"
            line, name = self._plain_line(node, place.depth), quoted(self._content(node))
            return replace(line, role=role, name=name, has_ref=True, is_interactive=True, is_field=True, tail=state)
        if self._is_clickable(node, place):
            line, content = self._plain_line(node, place.depth), self._content(node)
            role = "generic" if node.ignored or not node.role or node.role in INLINE else line.role
            is_named = says(content) and len(content) <= NAME_LIMIT and not self._has_lines(node)
            is_named &= not self._is_row_of_cells(node)
            name = line.name or (quoted(worded(content)) if is_named else "")
            return replace(line, role=role, name=name, has_ref=True, is_interactive=True)
        if _is_arranging(node):
            return None
        line, name = self._plain_line(node, place.depth), node.name.strip()
        if node.role in _LIVE and not name and self._is_empty(node):
            return None
        if node.role == "image" and not line.name and place.inside is not None:
            return None
        if place.is_in_container and line.name:
            line = replace(line, has_ref=True)
        is_reported = bool(name and place.inside is not None and name in place.inside) and not line.is_interactive
        return None if is_reported and node.role not in FRAMES else line

    def _icon(self, node: TreeNode, place: _Place) -> OutlineLine | None:
        """The line of an icon in a text, unless the name of an element around it already says so."""
        number = node.backend_dom_node_id or 0
        if number not in self.drawn.placed or place.inside is not None or says(place.around):
            return None
        has_line = not (node.ignored or node.role in INLINE or _is_arranging(node))
        if has_line or node.is_aria_hidden or self._is_clickable(node, place):
            return None
        tail = f" icon={quoted(self.drawn.icons[number])}"
        return OutlineLine(depth=place.depth, role="image", backend_node_id=number, tail=tail)

    def _tail(self, line: OutlineLine) -> str:
        """Its states and its value, with what is drawn of them."""
        node = line.backend_node_id or 0
        icon = "" if line.name else self.drawn.icons.get(node, "")
        states = self.drawn.states.get(node, "")
        tail = line.tail + (states if " [checked" not in line.tail else states.replace(" [checked]", ""))
        tail = f"{tail} icon={quoted(icon)}" if icon else tail
        value = self.drawn.values.get(node, "")
        if value and quoted(value) != line.name and " value=" not in tail:
            tail += f" value={quoted(value, self.value_limit)}"
        is_active = node in self.drawn.active and not any(f" [{state}" in line.tail for state in _CHOSEN)
        return f"{tail} [active]" if is_active else tail

    def _plain_line(self, node: TreeNode, depth: int) -> OutlineLine:
        line, options = line_of(node, depth, self.url, self.value_limit), self._options(node)
        if line.name and self._has_lines(node) and node.is_touchable and node.words == self._content(node):
            line = replace(line, name="")
        if line.name and self._is_row_of_cells(node):
            line = replace(line, name="")
        return replace(line, tail=f"{line.tail} ({options} options)") if options else line

    def _options(self, node: TreeNode) -> int:
        """The number of options of a closed select, where they are not shown."""
        if self.shows_options or node.role != "combobox" or node.properties.get("expanded") is not False:
            return 0
        stack = [part for part in self.children[node.node_id] if part.role == "MenuListPopup"]
        count = 0
        while stack:
            part = stack.pop()
            count += part.role == "option"
            stack += self.children[part.node_id]
        return count

    def _inside(self, node: TreeNode, line: OutlineLine, place: _Place) -> _Place:
        name = node.name or (self._content(node) if line.name else "")
        if not line.name and (self._has_lines(node) or node.role in _ROWS):
            name = ""
        inside = name if line.is_interactive else place.inside
        control = place.control or (node if node.role in INTERACTIVE else None)
        number = node.backend_dom_node_id
        is_in_container = number in self.drawn.containers if line.is_interactive else place.is_in_container
        around = name or (place.around if place.inside else "")
        return _Place(place.depth + 1, around, inside, control, is_in_container)

    def _is_empty(self, node: TreeNode) -> bool:
        stack = [*self.children[node.node_id]]
        while stack:
            part = stack.pop()
            if not (part.ignored or part.role in _ARRANGING):
                return False
            stack += self.children[part.node_id]
        return True

    def _has_lines(self, node: TreeNode) -> bool:
        """Return True for what can be clicked or focused and holds several texts, which have lines in place of it."""
        if self.contents[node.node_id].texts < 2 or node.role in _WHOLE:
            return False
        return node.backend_dom_node_id not in self.drawn.wholes

    def _is_clickable(self, node: TreeNode, place: _Place) -> bool:
        is_known = node.role in INTERACTIVE or node.role in TEXT or node.parent_id is None
        if is_known or node.backend_dom_node_id not in self.drawn.clickable:
            return False
        if place.control is not None and not self._is_part(node, place.control):
            return False
        if self._control_in(node) is not None:
            return False
        return node.role != "LabelText" or not self._names_a_control(node)

    def _is_part(self, node: TreeNode, control: TreeNode) -> bool:
        """Return True for what is clicked by itself in a control and is less than all of it, as the cross of a tab."""
        content, whole = self._content(node), self.contents[control.node_id].shown.strip()
        is_icon = not content and node.backend_dom_node_id in self.drawn.icons
        return (says(content) or is_icon) and content != whole

    def _names_a_control(self, node: TreeNode) -> bool:
        """Return True for the label of a control, and for a text beside a lone control that says only its name."""
        text = self._content(node)
        if not text or text not in self.controls:  # most texts: no page makes this climb for each of them
            return False
        if self.labels.get(node.backend_dom_node_id or 0) == text:
            return True
        around: TreeNode | None = node
        while around is not None and not self.contents[around.node_id].controls:
            around = self.by_id.get(around.parent_id) if around.parent_id is not None else None
        beside = self.contents[around.node_id].controls if around is not None else ()
        return len(beside) == 1 and beside[0].words == text

    def _control_in(self, node: TreeNode) -> TreeNode | None:
        """The only control in a plain element that says no more than its name: the element is clicked by it."""
        controls = self.contents[node.node_id].controls
        if len(controls) != 1 or node.role not in ("generic", "none", ""):
            return None
        name = controls[0].words
        value = self.drawn.values.get(controls[0].backend_dom_node_id or 0, "")
        return controls[0] if self._content(node) in ("", name, value) else None

    def _is_row_of_cells(self, node: TreeNode) -> bool:
        """Return True for a row whose name only tells the names of its cells, which have lines. The cells of a row with
        a ref have lines where one can have the focus."""
        if node.role not in _ROWS:
            return False
        name, stack = node.name.strip(), list(self.children[node.node_id])
        has_lines = not (node.is_touchable or node.backend_dom_node_id in self.drawn.clickable)
        while stack:
            part = stack.pop(0)
            piece = part.words
            has_lines |= part.is_touchable
            if piece and not part.ignored:
                name = name.replace(piece, "", 1)
            else:
                stack = self.children[part.node_id] + stack
        return has_lines and not name.strip()

    def _content(self, node: TreeNode) -> str:
        """The text of an element, without the text of controls in it."""
        return self.contents[node.node_id].text.strip()


def shown_around(nodes: Sequence[AXNode], backend_node_id: int) -> tuple[int, str] | None:
    """The backend id and the role of the innermost element, from this one outwards, that has its own line.

    None when there is none but the document.
    """
    by_id = {node.node_id: node for node in tree_nodes(nodes)}
    node = next((node for node in by_id.values() if node.backend_dom_node_id == backend_node_id), None)
    while node is not None and node.parent_id is not None:
        has_line = not (node.ignored or node.role in INLINE | TEXT or _is_arranging(node))
        if has_line and node.backend_dom_node_id is not None:
            return node.backend_dom_node_id, visible(node.role, 40)
        node = by_id.get(node.parent_id)
    return None


def title(nodes: Iterable[AXNode]) -> str:
    """The name of the document."""
    return next((text_of(node.name) for node in nodes if node.parent_id is None), "")


def aria_hidden(nodes: Iterable[AXNode]) -> frozenset[int]:
    """The backend node ids of the elements that `aria-hidden` takes out of the tree."""
    return frozenset(
        node.backend_dom_node_id for node in nodes if node.backend_dom_node_id is not None and is_aria_hidden(node)
    )


class _Text:
    """A run of text that becomes one line."""

    def __init__(self, known: Container[str], reader: Reader) -> None:
        self._known = known
        self._reader = reader
        self._pieces: list[str] = []
        self._depth = 0
        self._element: TreeNode | None = None
        self._has_ref = False

    def add(self, node: TreeNode, place: _Place, element: TreeNode | None) -> None:
        """Take a piece of an element's text in, unless the name of the element around it says it already."""
        piece = node.name
        if self._element is None:
            self._element, self._has_ref = element, place.is_in_container
        if node.role == "LineBreak" or not piece.strip() or piece.strip() not in place.around:
            self._pieces.append(piece or "\n")
            self._depth = place.depth

    def space(self) -> None:
        """Keep what comes apart from what came."""
        self._pieces.append(" ")

    def flush(self) -> Iterable[OutlineLine]:
        """The line, if there is anything to say."""
        element, self._element = self._element, None
        if not self._pieces:  # most often
            return ()
        run = worded("".join(self._pieces))
        self._pieces.clear()
        if not says(run) or run.strip() in _BULLETS or plain(run) in self._known:
            return ()
        line = OutlineLine(
            depth=self._depth,
            role="text",
            name=quoted(run, TEXT_LIMIT),
            backend_node_id=None if element is None else element.backend_dom_node_id,
            has_ref=self._has_ref,
            read=self._reader.read(element) if self._has_ref and element is not None else None,
        )
        return (line,)


def _is_arranging(node: TreeNode) -> bool:
    return node.parent_id is None or (node.role in _ARRANGING and not node.is_touchable)


def _is_closed(node: TreeNode) -> bool:
    """A plain text field says what is in it by its value."""
    return node.properties.get("editable") == "plaintext" and node.value is not None
