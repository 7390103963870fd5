"""The parts of an outline that a model asks for (one element, lines with a text, what changed), on few lines. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from .document.element_line import OutlineLine
from .element_errors import StaleRef
from .lines.changed_lines import changes, gone_line
from .lines.line_texts import below, own, with_rows, with_surroundings
from .refs import Element, Node

_UNNAMED = frozenset({"listitem", "row", "cell", "gridcell"})
"""Roles that the line around them makes plain, and whose lines take in what they hold."""

_COLLECTIONS = frozenset({"list", "table", "grid", "treegrid", "rowgroup"})
"""Roles with separate lines, also around a single item: there may be a second one when the page is shown again."""


NOT_READ = " (not read: "
"""In the line of a frame, before the reason."""


class OutlineOptions(Struct, frozen=True, kw_only=True):
    """Options of an outline: the frames and elements to show, and the size of a part."""

    interactive_only: bool = False
    """Only elements to use, and frames."""
    changed_only: bool = False
    """Only changes since your last snapshot."""
    ref: str | None = None
    """Only this element, with its whole value and its options."""
    find: str | None = None
    """Only lines with this text or role."""
    max_chars: Annotated[int, Meta(ge=500, le=90_000)] = 8_000
    """At most."""
    cursor: str | None = None
    """Of a cut snapshot: its next part."""

    @property
    def is_part(self) -> bool:
        """It shows elements as they are in no whole page."""
        return self.interactive_only or self.find is not None or self.ref is not None


class PlacedLine(Struct, frozen=True):
    """The line of an element, and the element; a text's is the one around it."""

    node: Node
    line: OutlineLine


class PageLines(Struct, frozen=True):
    """The lines of all elements of a page."""

    lines: tuple[PlacedLine, ...] = ()
    unread: tuple[str, ...] = ()
    """The addresses of the frames that could not be read, each with the reason."""


class TreeLine(Struct, frozen=True):
    """A line of a tree. Its depth is that below the first line of the tree, or that in the page."""

    text: str
    depth: int
    element: Element | None
    """None for a text."""
    without_ref: str


MAX_ITEM = 60
"""Lines of a row or an item that is shown whole when one of them is found."""


class Selection(Struct, frozen=True):
    """The part of an outline that was asked for."""

    numbers: list[int]
    """The numbers of the lines."""
    gone: tuple[str, ...] = ()
    """Lines that were there before."""
    hits: frozenset[int] = frozenset()
    """Those that have the text and what they are in, or those that have changed."""


def selected(
    lines: Sequence[str],
    options: OutlineOptions,
    before: Sequence[str],
    hidden: Container[str] = (),
    usable: Container[int] = (),
    compared: Sequence[str] | None = None,
) -> Selection:
    """The lines that were asked for, and those that say why a frame was not read.

    `before` are the lines of the last snapshot, `hidden` the refs that `aria-hidden` hides now, `usable` the numbers of
    the lines of elements to use, and of frames, `compared` the lines as those before are. Raises `StaleRef` for a ref
    that has no line.
    """
    if options.ref is None and options.find is None and not options.changed_only:
        return Selection(list(range(len(lines))))
    chosen, gone, hits = list(range(len(lines))), Counter[str](), frozenset[int]()
    if options.ref is not None:
        first, *inside = _subtree(lines, options.ref)
        chosen = [first, *(number for number in inside if not options.interactive_only or number in usable)]
    if options.find is not None:
        text, within = options.find.casefold(), frozenset(chosen)
        chosen = [number for number in chosen if text in lines[number].casefold() or NOT_READ in own(lines[number])]
        hits = frozenset(with_surroundings(lines, chosen))
        chosen = [number for number in with_rows(lines, chosen, MAX_ITEM, opens=True) if number in within]
    if options.changed_only:
        different = changes(lines, compared or [line.strip() for line in lines], map(str.strip, before), chosen)
        chosen, gone = different.numbers, different.gone
        hits = frozenset(chosen)
    shown = chosen if options.ref is not None and options.find is None else with_surroundings(lines, chosen)
    # Only a page that was read whole tells which lines are gone.
    is_whole = options.ref is None and options.find is None and not any(NOT_READ in own(line) for line in lines)
    new = [lines[number] for number in chosen] if options.changed_only else []
    return Selection(list(shown), gone_line(gone, lines, hidden, new) if is_whole else (), hits)


def _subtree(lines: Sequence[str], ref: str) -> list[int]:
    start = next((number for number, line in enumerate(lines) if f" [ref={ref}]" in own(line)), None)
    if start is None:
        raise StaleRef(ref, "the page does not show it")
    return [start, *below(lines, start)]


class _Branch:
    """A line, and the lines right below it."""

    def __init__(self, line: OutlineLine, *, has_ref: bool) -> None:
        self.line = line
        self.below: list[_Branch] = []
        is_icon = line.role == "image" and not has_ref
        self.is_plain = is_icon or not (has_ref or line.tail)


def merged(lines: Iterable[OutlineLine], has_ref: Callable[[OutlineLine], bool]) -> Iterator[OutlineLine]:
    """The lines, with what only arranges on one line with what it holds: `"Tea" "2" button "Buy" [ref=e3]`.

    At most one ref is on a line, at its end. Items and cells are not named where what they hold is.
    """
    branches, roots = list[_Branch](), list[_Branch]()
    above: list[_Branch] = []
    for line in lines:
        branch = _Branch(line, has_ref=has_ref(line))
        del above[line.depth :]
        (above[-1].below if above else roots).append(branch)
        above.append(branch)
        branches.append(branch)
    for branch in reversed(branches):  # what is below comes first
        if branch.is_plain and branch.line.role not in _COLLECTIONS:
            _merge(branch)
    stack = [(branch, 0) for branch in reversed(roots)]
    while stack:
        branch, depth = stack.pop()
        yield branch.line if branch.line.depth == depth else replace(branch.line, depth=depth)
        stack += [(below, depth + 1) for below in reversed(branch.below)]


def _merge(branch: _Branch) -> None:
    line, is_unnamed = branch.line, branch.line.role in _UNNAMED
    if not branch.below:
        text = line.name if line.role == "cell" else line.content
        if is_unnamed and text and not (line.name and line.content):
            branch.line = replace(line, role="text", name=text, content="")
        return
    *before, last = branch.below
    is_row = is_unnamed and not line.name and not last.below and all(e.is_plain and not e.below for e in before)
    if (before and not is_row) or line.name not in ("", last.line.name, last.line.content):
        return
    parts = [f"{part.line.head}{part.line.rest}" for part in before]
    start = "".join(f"{part} " for part in ([] if is_unnamed else [f"{line.role}:"]) + parts)
    branch.line = replace(last.line, before=start + last.line.before)
    branch.is_plain = last.is_plain
    branch.below = last.below
