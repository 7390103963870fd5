"""A whole page as it was read, and the elements in it that another one has replaced since. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from supervisor.tools.page.document.reading import Read
from supervisor.tools.page.refs import Document, Node, Refs

from .changed_lines import alike
from .line_texts import depth_of, is_row

_Key: TypeAlias = tuple[str, str, str, int, str, str]


class ShownLine(Struct, frozen=True, gc=False):
    """A line that may have a ref in it."""

    head: str
    rest: str = ""
    node: Node | None = None
    has_ref: bool = False
    is_text: bool = False
    """The node is the element around it."""
    read: Read | None = None
    is_usable: bool = False
    """It is an element to use, or a frame."""
    address: str = ""
    """Where a link leads, as it is in `rest`."""

    def text(self, refs: Refs, *, must: bool = False) -> str:
        """The line, with a ref if it is worth one, has one already, or `must` have one."""
        if self.node is None or not (must or self.has_ref or (not self.is_text and refs.has(self.node))):
            return f"{self.head}{self.rest}"
        return f"{self.head} [ref={refs.name(self.node)}]{self.rest}"

    def compared(self, text: str) -> str:
        """The same without the space before it, and without where it leads: a page may make its links anew."""
        rest = self.rest.replace(self.address, "", 1)
        return f"{text.removesuffix(self.rest)}{rest}".strip() if self.address else text.strip()


class WholePage(Struct, frozen=True):
    """All lines of a page, to compare those of a later time with."""

    loader_id: str = ""
    """The page's document."""
    entries: tuple[ShownLine, ...] = ()
    lines: tuple[str, ...] = ()
    """As they are compared."""
    drawn: tuple[object, ...] = ()
    """How the page was drawn; empty where that is not known."""
    unseen: frozenset[Node] = frozenset()
    """The elements that are others than those that were shown last."""

    def without_new_ones(self, earlier: WholePage) -> WholePage:
        """The same without the elements to use that an earlier page has not: they count as new in a later one."""
        known = {entry.node for entry in earlier.entries}
        pairs = zip(self.entries, self.lines, strict=True)
        kept = [(entry, line) for entry, line in pairs if not entry.is_usable or entry.node in known]
        return replace(self, entries=tuple(entry for entry, _ in kept), lines=tuple(line for _, line in kept))


def whole_page(loader_id: str, entries: Sequence[ShownLine], drawn: tuple[object, ...], refs: Refs) -> WholePage:
    """The page that has these lines."""
    lines = tuple(entry.compared(entry.text(refs)) for entry in entries)
    read = ((entry.node, entry.read) for entry in entries)
    unseen = (node for node, read in read if node is not None and read is not None and not refs.is_known(node, read))
    return WholePage(loader_id, tuple(entries), lines, drawn, frozenset(unseen))


def few(shown: Sequence[tuple[ShownLine, str]]) -> list[tuple[ShownLine, str]]:
    """The lines with their texts; of many that name nothing and are alike, the number."""
    kept, left = list[tuple[ShownLine, str]](), 0
    texts = [text for _, text in shown]
    counts = dict(alike(texts))
    for number, line in enumerate(shown):
        if count := counts.get(number):
            said, left = f"{' ' * depth_of(texts[number])}{count} more like this", count
            kept.append((ShownLine(said), said))
        if left:
            left -= 1
        else:
            kept.append(line)
    return kept


def replaced(
    before: Sequence[ShownLine], now: Sequence[ShownLine], alive: Mapping[Document, Container[int]], refs: Refs
) -> Iterator[tuple[Node, Node]]:
    """The elements with refs that a page has made anew without a difference, each with the new one.

    The new one has the same role, name and row. Where that does not tell which one it is, the lines around it are the
    same; or all lines of the page are.
    """

    def is_gone(node: Node) -> bool:
        document = node.frame_id, node.loader_id
        return document in alive and refs.has(node) and node.backend_node_id not in alive[document]

    gone = [number for number, line in enumerate(before) if line.node is not None and is_gone(line.node)]
    if not gone:
        return
    if [_without_ref(line) for line in before] == [_without_ref(line) for line in now]:
        pairs = ((before[number], now[number]) for number in gone)
    else:
        known: dict[tuple[int, str], int] = {}
        then, present = _keys(before, known), _keys(now, known)
        counts, places = Counter(then.values()), {key: number for number, key in present.items()}
        twice = Counter(present.values())
        keys = ((number, then[number]) for number in gone if number in then)
        unique = ((number, key) for number, key in keys if counts[key] == twice[key] == 1)
        pairs = ((before[number], now[places[key]]) for number, key in unique)
    for old, new in pairs:
        if old.node is None or new.node is None or refs.has(new.node) or old.is_text != new.is_text:
            continue
        if (old.node.frame_id, old.node.loader_id) == (new.node.frame_id, new.node.loader_id):
            yield old.node, new.node


def _without_ref(line: ShownLine) -> str:
    return line.compared(f"{line.head}{line.rest}")


def _keys(lines: Sequence[ShownLine], known: dict[tuple[int, str], int]) -> dict[int, _Key]:
    """What tells an element from others: its role, its name, its row or, without one, the lines around it."""
    keys, around = dict[int, _Key](), list[tuple[int, int]]()
    texts = ["", *map(_without_ref, lines), ""]
    for number, line in enumerate(lines):
        depth = depth_of(line.head)
        while around and around[-1][0] >= depth:
            around.pop()
        above = around[-1][1] if around else 0
        if line.read is not None and line.node is not None:
            beside = ("", "") if line.read.row_text else (texts[number], texts[number + 2])
            keys[number] = (line.read.role, line.read.name, line.read.row_text, above, beside[0], beside[1])
        word = "row" if is_row(line.head) else line.head.strip()
        around.append((depth, known.setdefault((above, word), len(known) + 1)))
    return keys
