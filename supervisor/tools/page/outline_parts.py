"""The parts of an outline that a model asks for (one element, lines with a text, what changed), on few lines. Pure."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from .document.element_line import OutlineLine
from .element_errors import StaleRef
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
    max_chars: Annotated[int, Meta(ge=500, le=90_000)] = 20_000
    """At most."""
    cursor: str | None = None
    """Of a cut snapshot: its next part."""


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


MAX_ROW = 12
"""Lines of a row that is shown whole when one of them has changed: another row may have had the same texts."""

MAX_GONE = 2
"""So many lines that went away are shown; of more, their number."""

_POPUP = re.compile(r'(?:alertdialog|dialog|grid|listbox|menu|tree)\b(?: "(?:\\.|[^"\\])*")?')
"""The role and the name in the line of an element that opens over a page."""

_ROW = re.compile(r" *(?:row|listitem|treeitem)\b")

_REF = re.compile(r" \[ref=(e\d+)\]")


class Selection(Struct, frozen=True):
    """The part of an outline that was asked for."""

    numbers: list[int]
    """The numbers of the lines."""
    gone: tuple[str, ...] = ()
    """Lines that were there before."""


def selected(
    lines: Sequence[str],
    options: OutlineOptions,
    before: Sequence[str],
    hidden: Container[str] = (),
    usable: Container[int] = (),
) -> Selection:
    """The lines that were asked for, and those that say why a frame was not read.

    `before` are the lines of the last snapshot, `hidden` the refs that `aria-hidden` hides now, `usable` the numbers of
    the lines of elements to use, and of frames. Raises `StaleRef` for a ref that has no line.
    """
    if options.ref is None and options.find is None and not options.changed_only:
        return Selection(list(range(len(lines))))
    chosen, gone = list(range(len(lines))), Counter[str]()
    if options.ref is not None:
        first, *inside = _subtree(lines, options.ref)
        chosen = [first, *(number for number in inside if not options.interactive_only or number in usable)]
    if options.find is not None:
        text = options.find.casefold()
        chosen = [number for number in chosen if text in lines[number].casefold() or NOT_READ in _own(lines[number])]
    if options.changed_only:
        gone = Counter(map(str.strip, before))
        moved = _moved(lines, before)
        chosen = [number for number in chosen if not _take(gone, lines[number].strip()) or number in moved]
        chosen = _with_rows(lines, chosen)
    shown = chosen if options.ref is not None and options.find is None else with_surroundings(lines, chosen)
    # Only a page that was read whole tells which lines are gone.
    is_whole = options.ref is None and options.find is None and not any(NOT_READ in _own(line) for line in lines)
    new = [lines[number] for number in chosen] if options.changed_only else []
    return Selection(list(shown), _gone_line(gone, lines, hidden, new) if is_whole else ())


def _moved(lines: Sequence[str], before: Sequence[str]) -> frozenset[int]:
    """The numbers of lines between the first and the last that are in another order than before.

    Lines that occur more than once are not compared.
    """
    now, then = ([line.strip() for line in sequence] for sequence in (lines, before))
    counts_now, counts_then = Counter(now), Counter(then)
    known = {line for line, count in counts_now.items() if count == counts_then[line] == 1}
    numbers = [number for number, line in enumerate(now) if line in known]
    pairs = zip(numbers, (line for line in then if line in known), strict=True)
    wrong = [number for number, line in pairs if now[number] != line]
    return frozenset(number for number in numbers if wrong and wrong[0] <= number <= wrong[-1])


def _gone_line(gone: Counter[str], lines: Sequence[str], hidden: Container[str], new: Sequence[str]) -> tuple[str, ...]:
    """One line for all that went away; none for what only looks different.

    It names the popup among the `new` lines that hides what is still there.
    """
    still = {ref for line in lines for ref in _REF.findall(line)}
    reported = [line for line in gone.elements() if still.isdisjoint(_REF.findall(line))]
    if not reported:
        return ()
    text = "; ".join(reported) if len(reported) <= MAX_GONE else f"{len(reported)} lines"
    behind = sum(any(ref in hidden for ref in _REF.findall(line)) for line in reported)
    if not behind:
        return (f"gone: {text}",)
    popup = next((found[0] for line in new if (found := _POPUP.match(line.strip()))), "aria-hidden")
    return (f"gone: {text} ({behind} of them hidden behind {popup})",)


def _with_rows(lines: Sequence[str], numbers: Iterable[int]) -> list[int]:
    """The numbers of these lines, and of all in the innermost row or item that each of them is in."""
    shown = set(numbers)
    for start, line in enumerate(lines):
        if not _ROW.match(line):
            continue
        inside = list(itertools.islice(_below(lines, start), MAX_ROW))
        if len(inside) < MAX_ROW and not shown.isdisjoint(inside):
            shown.update(inside)
    return sorted(shown)


def _below(lines: Sequence[str], start: int) -> Iterator[int]:
    """The numbers of the lines in a line."""
    for number in range(start + 1, len(lines)):
        if depth_of(lines[number]) <= depth_of(lines[start]):
            return
        yield number


def _take(known: Counter[str], line: str) -> bool:
    """Count a line that was there before as found again; False when it was not."""
    if not known[line]:
        return False
    known[line] -= 1
    return True


def _subtree(lines: Sequence[str], ref: str) -> list[int]:
    start = next((number for number, line in enumerate(lines) if f" [ref={ref}]" in _own(line)), None)
    if start is None:
        raise StaleRef(ref, "the page does not show it")
    return [start, *_below(lines, start)]


_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')


def _own(line: str) -> str:
    """A line without what the page says in it, which may look like a ref."""
    return _QUOTED.sub('""', line)


def with_surroundings(lines: Sequence[str], numbers: Iterable[int]) -> list[int]:
    """The numbers of these lines and of those that they are in."""
    parents: list[int | None] = []
    around: list[int] = []
    for number, line in enumerate(lines):
        while around and depth_of(lines[around[-1]]) >= depth_of(line):
            around.pop()
        parents.append(around[-1] if around else None)
        around.append(number)
    shown = set[int]()
    for number in numbers:
        place: int | None = number
        while place is not None and place not in shown:
            shown.add(place)
            place = parents[place]
    return sorted(shown)


def depth_of(line: str) -> int:
    """The number of lines that a line is inside of."""
    return len(line) - len(line.lstrip(" "))


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
        yield replace(branch.line, depth=depth)
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
