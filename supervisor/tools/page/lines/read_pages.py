"""The frames of a page as they were read, put together: the lines of each in the place of its iframe. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from cdp_typed.printable import visible
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.page.document.element_line import OutlineLine, address
from supervisor.tools.page.document.rendering import Rendering
from supervisor.tools.page.outline_parts import NOT_READ, OutlineOptions, merged
from supervisor.tools.page.refs import Document, Node, Refs

from .whole_pages import ShownLine

Drawing: TypeAlias = tuple[Mapping[str, Rendering], tuple[object, ...]]
"""The renderings of one process' part of the page by frame, and how it is drawn: another value after each change, also
of what has no text; empty where a script may have drawn a picture."""


class ReadFrame(Struct, frozen=True, kw_only=True):
    """The lines of one frame, or the reason why there are none."""

    frame: FrameInfo
    title: str = ""
    lines: tuple[OutlineLine, ...] = ()
    aria_hidden: frozenset[int] = frozenset()
    """The backend node ids of the elements that `aria-hidden` hides."""
    alive: frozenset[int] = frozenset()
    """The backend node ids of all nodes of the document."""
    owner: int | None = None
    """Its iframe element in the parent's document; None for the top one, and when the parent did not answer."""
    problem: str = ""
    """The reason why there are no lines."""


class ReadPage(Struct, frozen=True):
    """The frames that were read, put together."""

    reads: tuple[ReadFrame, ...]
    refs: Refs
    options: OutlineOptions
    left_out: int
    """The number of frames that the supervisor does not list."""
    drawn: tuple[object, ...]
    """See `Drawing`."""

    @property
    def loader_id(self) -> str:
        """The top document's."""
        return self.reads[0].frame.loader_id

    def lines(self) -> Iterator[ShownLine]:
        """All lines; the first one says so if the top frame could not be read."""
        top = self.reads[0]
        if top.problem:
            yield ShownLine(problem_of(top).strip())
        yield from self._inside(top, 0)
        if self.left_out:
            yield ShownLine(f"{self.left_out} more frames are not shown")

    def aria_hidden(self) -> Iterator[Node]:
        """The elements that `aria-hidden` hides."""
        for read in self.reads:
            for number in read.aria_hidden:
                yield Node(read.frame.frame_id, read.frame.loader_id, number)

    def alive(self) -> dict[Document, frozenset[int]]:
        """The backend node ids of all nodes of each document that was read."""
        return {(read.frame.frame_id, read.frame.loader_id): read.alive for read in self.reads if read.alive}

    def _inside(self, read: ReadFrame, depth: int) -> Iterator[ShownLine]:
        """A frame's own lines, with each frame in it where its iframe element is."""
        below = {
            child.owner: child
            for child in self.reads
            if child.frame.parent_id == read.frame.frame_id and child.owner is not None
        }
        is_flat = self.options.interactive_only and self.options.ref is None
        is_single = self.options.interactive_only or self.options.find is not None
        shown = read.lines if is_single else merged(read.lines, partial(self._has_ref, read.frame))
        for line in shown:
            inner = below.pop(line.backend_node_id or 0, None)
            if is_flat and not (line.is_interactive or inner):
                continue
            indent = depth if is_flat else depth + line.depth
            about = "" if inner is None else f" {address(inner.frame.url)}{problem_of(inner)}"
            node, is_text = node_of(read.frame, line), line.role == "text"
            head, is_usable = f"{' ' * indent}{line.head}", line.is_interactive or inner is not None
            rest = line.rest + about
            yield ShownLine(head, rest, node, line.has_ref, is_text, line.read, is_usable, line.address)
            if inner is not None:
                yield from self._inside(inner, indent + 1)
        yield from self._without_place(read, depth, below.values())

    def _without_place(self, read: ReadFrame, depth: int, hidden: Iterable[ReadFrame]) -> Iterator[ShownLine]:
        """The frames that the parent does not show, or did not tell the place of."""
        unplaced = [
            child for child in self.reads[1:] if child.frame.parent_id == read.frame.frame_id and child.owner is None
        ]
        for child in (*hidden, *unplaced):
            is_hidden = child.owner is not None and not read.problem
            if is_hidden and self.options.interactive_only:
                continue
            about = f" [frame={visible(child.frame.frame_id, 64)}] {address(child.frame.url)}{problem_of(child)}"
            yield ShownLine(f"{' ' * depth}iframe{about}{' [hidden]' if is_hidden else ''}")
            if not is_hidden:
                yield from self._inside(child, depth + 1)

    def _has_ref(self, frame: FrameInfo, line: OutlineLine) -> bool:
        if line.has_ref or line.role == "text":
            return line.has_ref and line.backend_node_id is not None
        node = node_of(frame, line)
        return node is not None and self.refs.has(node)


def node_of(frame: FrameInfo, line: OutlineLine) -> Node | None:
    return None if line.backend_node_id is None else Node(frame.frame_id, frame.loader_id, line.backend_node_id)


def problem_of(read: ReadFrame) -> str:
    return f"{NOT_READ}{read.problem})" if read.problem else ""
