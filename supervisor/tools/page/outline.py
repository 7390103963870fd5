"""The current page as text for a model: the accessibility trees of all its frames, each in its place in the others."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from cdp_typed.protocol.accessibility import GetFullAXTree
from cdp_typed.protocol.dom_snapshot import CaptureSnapshot
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo

from .accessibility_tree import OutlineLine, address, lines, title
from .element_errors import REPLACED, UnknownCursor, say
from .outline_parts import OutlineOptions, merged, selected
from .page_frames import owner_of, parent_of, top_frame, top_of_session
from .refs import Node, Refs, all_frames, refs_of
from .rendering import NOTHING, STYLES, Rendering, rendering

FRAME_TIMEOUT_S = 10.0
"""The time that a frame has to answer; one that does not is shown as such."""

MAX_LINES = 50_000
"""Lines of one snapshot that are held for its continuations."""


class Outline(Struct, frozen=True, kw_only=True):
    """The page as text."""

    title: str = ""
    """The top document's; empty in the continuation of a snapshot."""
    page: str
    """One line per element: role, name in quotes, ref, states. `[ref=e12]` names an element for other tools."""
    cursor: str | None = None
    """The cursor of the next part; None when this is the last one."""
    lines_left: int = 0
    """The number of lines after these."""


Renderings: TypeAlias = Mapping[str, Rendering]
"""Renderings by the ids of their frames."""


class _Held(Struct, frozen=True):
    number: int
    lines: tuple[str, ...]
    """What is shown, a part at a time."""
    whole: tuple[str, ...]
    """All that the page had, to compare the next snapshot with."""


_HELD: WeakKeyDictionary[AsyncSupervisor, _Held] = WeakKeyDictionary()
_numbers = itertools.count(1)


class _Read(Struct, frozen=True, kw_only=True):
    """The lines of one frame, or the reason why there are none."""

    frame: FrameInfo
    title: str = ""
    lines: tuple[OutlineLine, ...] = ()
    owner: int | None = None
    """Its iframe element in the parent's document; None for the top one, and when the parent did not answer."""
    problem: str = ""
    """The reason why there are no lines."""


async def outline(
    supervisor: AsyncSupervisor, options: OutlineOptions, *, frame_timeout_s: float = FRAME_TIMEOUT_S
) -> Outline:
    """The current page as text, in every frame and process (`Accessibility.getFullAXTree`).

    A frame that is blocked by a dialog, has crashed or does not answer in time is shown as such, with the others around
    it. Raises `NoPage`, and `UnknownCursor` for a cursor of a snapshot that is not the last one.
    """
    if options.cursor is not None:
        return _continue(supervisor, options.cursor, options.max_chars)
    top_frame(supervisor)
    tree = supervisor.snapshot().frame_tree
    frames = all_frames(tree)
    drawings = {
        top.frame_id: asyncio.ensure_future(_renderings(supervisor, top, frame_timeout_s))
        for top in frames
        if top_of_session(top, tree) == top
    }
    reads = await asyncio.gather(
        *(
            _read(
                supervisor,
                frame,
                parent_of(frame, tree),
                drawings[top_of_session(frame, tree).frame_id],
                frame_timeout_s,
            )
            for frame in frames
        )
    )
    now = {frame.frame_id: frame.loader_id for frame in all_frames(supervisor.snapshot().frame_tree)}
    document = _Document(tuple(_still(read, now) for read in reads), refs_of(supervisor), options.interactive_only)
    whole = tuple(itertools.islice(document.lines(), MAX_LINES))
    if tree.truncated:
        whole = (*whole, f"{tree.total - len(frames)} more frames are not shown")
    before = _HELD.get(supervisor)
    shown = selected(whole, options, before.whole if before is not None else ())
    held = _HELD[supervisor] = _Held(next(_numbers), shown, whole)
    return replace(_cut(held, 0, options.max_chars), title=document.reads[0].title)


def _continue(supervisor: AsyncSupervisor, cursor: str, max_chars: int) -> Outline:
    held = _HELD.get(supervisor)
    number, _, line = cursor.partition(".")
    if held is None or number != str(held.number) or not line.isdecimal():
        raise UnknownCursor(cursor)
    return _cut(held, int(line), max_chars)


def _cut(held: _Held, start: int, max_chars: int) -> Outline:
    end, size = start, 0
    while end < len(held.lines) and (size := size + len(held.lines[end]) + 1) <= max_chars + 1:
        end += 1
    end = min(max(end, start + 1), len(held.lines))  # a single line that is longer than all is shown, too
    left = len(held.lines) - end
    return Outline(
        page="\n".join(held.lines[start:end]), cursor=f"{held.number}.{end}" if left else None, lines_left=left
    )


async def _read(
    supervisor: AsyncSupervisor,
    frame: FrameInfo,
    parent: FrameInfo | None,
    drawing: Awaitable[Renderings],
    timeout_s: float,
) -> _Read:
    place = None if parent is None else asyncio.create_task(_place(supervisor, frame, parent, timeout_s))
    try:
        nodes = (await supervisor.send(GetFullAXTree(), frame.frame_id, timeout_s=timeout_s)).nodes
        drawn = (await drawing).get(frame.frame_id, NOTHING)
        read = _Read(frame=frame, title=title(nodes), lines=tuple(lines(nodes, drawn, frame.url)))
    except CDPError as error:
        read = _Read(frame=frame, problem=say(error))
    return read if place is None else replace(read, owner=await place)


async def _renderings(supervisor: AsyncSupervisor, top: FrameInfo, timeout_s: float) -> Renderings:
    """The documents of one process' part of the page, by frame (`DOMSnapshot.captureSnapshot`); none when refused."""
    try:
        seen = await supervisor.send(CaptureSnapshot(computed_styles=STYLES), top.frame_id, timeout_s=timeout_s)
    except CDPError:
        return {}
    return {seen.strings[document.frame_id]: rendering(document, seen.strings) for document in seen.documents}


async def _place(supervisor: AsyncSupervisor, frame: FrameInfo, parent: FrameInfo, timeout_s: float) -> int | None:
    try:
        return await owner_of(supervisor, frame, parent, timeout_s)
    except CDPError:  # the parent does not answer, or the frame is gone: it is shown at the end of the parent
        return None


def _still(read: _Read, now: Mapping[str, str]) -> _Read:
    """Return the lines if the document is still there: another document may number other elements alike."""
    loader_id = now.get(read.frame.frame_id)
    if loader_id == read.frame.loader_id:
        return read
    return replace(read, lines=(), problem="it went away" if loader_id is None else REPLACED)


class _Document(Struct, frozen=True):
    """The frames that were read, put together."""

    reads: tuple[_Read, ...]
    refs: Refs
    interactive_only: bool

    def lines(self) -> Iterator[str]:
        """All lines; the first one says so if the top frame could not be read."""
        top = self.reads[0]
        if top.problem:
            yield _problem(top).strip()
        yield from self._inside(top, 0)

    def _inside(self, read: _Read, depth: int) -> Iterator[str]:
        """A frame's own lines, with each frame in it where its iframe element is."""
        below = {
            child.owner: child
            for child in self.reads
            if child.frame.parent_id == read.frame.frame_id and child.owner is not None
        }
        shown = read.lines if self.interactive_only else merged(read.lines, partial(self._has_ref, read.frame))
        for line in shown:
            inner = below.pop(line.backend_node_id or 0, None)
            if self.interactive_only and not (line.is_interactive or inner):
                continue
            indent = depth if self.interactive_only else depth + line.depth
            about = "" if inner is None else f" {address(inner.frame.url)}{_problem(inner)}"
            yield f"{' ' * indent}{line.text(self._ref(line, read.frame))}{about}"
            if inner is not None:
                yield from self._inside(inner, indent + 1)
        yield from self._without_place(read, depth, below.values())

    def _without_place(self, read: _Read, depth: int, hidden: Iterable[_Read]) -> Iterator[str]:
        """The frames that the parent does not show, or did not tell the place of."""
        unplaced = [
            child for child in self.reads[1:] if child.frame.parent_id == read.frame.frame_id and child.owner is None
        ]
        for child in (*hidden, *unplaced):
            is_hidden = child.owner is not None and not read.problem
            if is_hidden and self.interactive_only:
                continue
            yield f"{' ' * depth}iframe{_about(child)}{' [hidden]' if is_hidden else ''}"
            if not is_hidden:
                yield from self._inside(child, depth + 1)

    def _has_ref(self, frame: FrameInfo, line: OutlineLine) -> bool:
        node = _node(frame, line)
        return node is not None and (line.has_ref or self.refs.has(node))

    def _ref(self, line: OutlineLine, frame: FrameInfo) -> str:
        node = _node(frame, line)
        return f" [ref={self.refs.name(node)}]" if node is not None and self._has_ref(frame, line) else ""


def _node(frame: FrameInfo, line: OutlineLine) -> Node | None:
    return None if line.backend_node_id is None else Node(frame.frame_id, frame.loader_id, line.backend_node_id)


def _about(read: _Read) -> str:
    """Return a frame's id, its URL, and why it was not read, as shown after its element."""
    return f" [frame={visible(read.frame.frame_id, 64)}] {address(read.frame.url)}{_problem(read)}"


def _problem(read: _Read) -> str:
    return f" (not read: {read.problem})" if read.problem else ""
