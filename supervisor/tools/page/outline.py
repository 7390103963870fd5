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
from supervisor.core.vocabulary.values import FrameInfo, FrameTree

from .document.accessibility_tree import aria_hidden, lines, title
from .document.element_line import NAME_LIMIT, OutlineLine, address
from .document.reading import Read
from .document.rendering import NOTHING, STYLES, Rendering, rendering
from .element_errors import REPLACED, UnknownCursor, say
from .outline_parts import NOT_READ, OutlineOptions, PageLines, PlacedLine, TreeLine, depth_of, merged, selected
from .page_frames import owner_of, parent_of, top_frame, top_of_session
from .refs import Element, Node, Refs, all_frames, frame_named, refs_of

FRAME_TIMEOUT_S = 3.0
"""The time that a frame has to answer a trivial script; one that does not is shown as such."""

TREE_TIMEOUT_S = 60.0
"""The time that a frame which answers has for its accessibility tree. Chromium 156 reads 10,000 nodes a second."""

ATTEMPTS = 3
"""The number of times that the page is read when a document of it was replaced meanwhile."""

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


Drawing: TypeAlias = tuple[Mapping[str, Rendering], tuple[object, ...]]
"""The renderings of one process' part of the page by frame, and how it is drawn: another value after each change, also
of what has no text; empty where a script may have drawn a picture."""

_PICTURES = {"CANVAS", "VIDEO"}
NOTHING_CHANGED = "nothing changed"
NO_TEXT_CHANGED = "nothing that this page's text shows"


class _ShownLine(Struct, frozen=True):
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

    def text(self, refs: Refs, *, must: bool = False) -> str:
        """The line, with a ref if it is worth one, has one already, or `must` have one."""
        if self.node is None or not (must or self.has_ref or (not self.is_text and refs.has(self.node))):
            return f"{self.head}{self.rest}"
        return f"{self.head} [ref={refs.name(self.node)}]{self.rest}"


class _Held(Struct, frozen=True):
    number: int
    lines: tuple[str, ...]
    """The lines that are shown, a part at a time."""
    entries: tuple[_ShownLine, ...]
    """The lines of elements among these, one for each from the first on."""
    whole: tuple[str, ...]
    """All that the page had, to compare the next snapshot with."""
    loader_id: str
    """The page's document then."""
    drawn: tuple[object, ...]
    """How the page was drawn; empty where that is not known."""


_HELD: WeakKeyDictionary[AsyncSupervisor, _Held] = WeakKeyDictionary()
_numbers = itertools.count(1)


class _Read(Struct, frozen=True, kw_only=True):
    """The lines of one frame, or the reason why there are none."""

    frame: FrameInfo
    title: str = ""
    lines: tuple[OutlineLine, ...] = ()
    aria_hidden: frozenset[int] = frozenset()
    """The backend node ids of the elements that `aria-hidden` hides."""
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
    document = await _read_whole(supervisor, options, frame_timeout_s)
    refs, before, loader_id = refs_of(supervisor), _HELD.get(supervisor), document.reads[0].frame.loader_id
    base = before.whole if before is not None and before.loader_id == loader_id else ()  # another page has no changes
    before_drawn, drawn = before.drawn if base and before is not None else (), document.drawn
    entries = list(itertools.islice(document.lines(), MAX_LINES))
    if options.changed_only:  # the caller may use a ref that it read before, and see these changes later
        for entry in entries:
            if entry.node is not None and entry.read is not None:
                refs.renew(entry.node, entry.read)
    whole = tuple(entry.text(refs) for entry in entries)
    hidden = frozenset(refs.name(node) for node in document.aria_hidden() if refs.has(node))
    usable = [number for number, entry in enumerate(entries) if entry.is_usable]
    selection = selected(whole, options, base, hidden, usable)
    chosen = tuple(entries[number] for number in selection.numbers)
    shown = tuple(entry.text(refs, must=options.find is not None) for entry in chosen)
    if options.changed_only:  # who asks for the changes has read the rest
        _take_down(refs, entries)
    is_part = options.find is not None or options.interactive_only or options.ref is not None
    if is_part or document.reads[0].problem:  # neither a part is a base nor a page that a dialog kept from being read
        whole, drawn = base, before_drawn
    if options.changed_only and not (shown or selection.gone):
        shown = (NOTHING_CHANGED if drawn and drawn == before_drawn else NO_TEXT_CHANGED,)
    held = _HELD[supervisor] = _Held(next(_numbers), (*shown, *selection.gone), chosen, whole, loader_id, drawn)
    return replace(_cut(refs, held, 0, options.max_chars), title=document.reads[0].title)


async def hold_base(supervisor: AsyncSupervisor) -> None:
    """Have changes compared with the page as it is now, if its document was not shown as a whole before."""
    held = _HELD.get(supervisor)
    if held is not None and held.whole and held.loader_id == top_frame(supervisor).loader_id:
        return
    document = await _read_whole(supervisor, OutlineOptions(), FRAME_TIMEOUT_S)
    whole = tuple(entry.text(refs_of(supervisor)) for entry in itertools.islice(document.lines(), MAX_LINES))
    loader_id, nothing = document.reads[0].frame.loader_id, _Held(next(_numbers), (), (), (), "", ())
    _HELD[supervisor] = replace(held or nothing, whole=whole, loader_id=loader_id, drawn=document.drawn)


class TreeOptions(OutlineOptions, frozen=True, kw_only=True):
    """Options of a tree, whose links have their whole addresses."""


async def read_tree(supervisor: AsyncSupervisor, ref: str | None) -> tuple[TreeLine, ...]:
    """The lines of the current page, or of one element, as `outline` has them. The last snapshot stays the base of
    changes.

    Raises `NoPage`, and `StaleRef` for an element that has no line.
    """
    document = await _read_whole(supervisor, TreeOptions(ref=ref), FRAME_TIMEOUT_S)
    refs, tree = refs_of(supervisor), supervisor.snapshot().frame_tree
    entries = list(itertools.islice(document.lines(), MAX_LINES))
    texts = [entry.text(refs) for entry in entries]
    numbers = selected(texts, OutlineOptions(ref=ref), ()).numbers
    _take_down(refs, [entries[number] for number in numbers])
    top = depth_of(texts[numbers[0]]) if numbers else 0
    return tuple(
        TreeLine(
            text=texts[number][top:],
            depth=depth_of(texts[number]) - top,
            element=_element(entries[number], refs, tree),
            without_ref=f"{entries[number].head}{entries[number].rest}"[top:],
        )
        for number in numbers
    )


def _element(entry: _ShownLine, refs: Refs, tree: FrameTree) -> Element | None:
    frame = None if entry.node is None or entry.is_text else frame_named(tree, entry.node.frame_id)
    if entry.node is None or frame is None:
        return None
    ref = refs.name(entry.node) if refs.has(entry.node) else ""
    return Element(ref=ref, frame=frame, backend_node_id=entry.node.backend_node_id, tree=tree, read=entry.read)


async def read_lines(supervisor: AsyncSupervisor) -> PageLines:
    """The lines of all elements of the current page, options of closed selects included. Raises `NoPage`."""
    document = await _read_whole(supervisor, OutlineOptions(find=""), FRAME_TIMEOUT_S)
    placed = ((_node(read.frame, line), line) for read in document.reads for line in read.lines)
    unread = tuple(f"{address(read.frame.url)}{_problem(read)}" for read in document.reads if read.problem)
    return PageLines(tuple(PlacedLine(node, line) for node, line in placed if node is not None), unread)


async def _read_whole(supervisor: AsyncSupervisor, options: OutlineOptions, timeout_s: float) -> _Document:
    """The page, read again while a document of it is replaced."""
    top_frame(supervisor)
    document = await _read_all(supervisor, options, timeout_s)
    for _ in range(ATTEMPTS - 1):
        if not any(read.problem == REPLACED for read in document.reads):
            break
        document = await _read_all(supervisor, options, timeout_s)
    return document


async def _read_all(supervisor: AsyncSupervisor, options: OutlineOptions, timeout_s: float) -> _Document:
    tree = supervisor.snapshot().frame_tree
    frames = all_frames(tree)
    drawings = {
        top.frame_id: asyncio.ensure_future(_renderings(supervisor, top, timeout_s))
        for top in frames
        if top_of_session(top, tree) == top
    }

    async def read(frame: FrameInfo) -> _Read:
        drawing = drawings[top_of_session(frame, tree).frame_id]
        return await _read(supervisor, frame, parent_of(frame, tree), drawing, timeout_s, options)

    reads = await asyncio.gather(*map(read, frames))
    now = {frame.frame_id: frame.loader_id for frame in all_frames(supervisor.snapshot().frame_tree)}
    still = tuple(_still(read, now) for read in reads)
    left_out = tree.total - len(frames) if tree.truncated else 0
    drawn = [(await drawing)[1] for drawing in drawings.values()]
    return _Document(still, refs_of(supervisor), options, left_out, tuple(drawn) if all(drawn) else ())


def _continue(supervisor: AsyncSupervisor, cursor: str, max_chars: int) -> Outline:
    held = _HELD.get(supervisor)
    number, _, line = cursor.partition(".")
    if held is None or number != str(held.number) or not line.isdecimal():
        raise UnknownCursor(cursor)
    return _cut(refs_of(supervisor), held, int(line), max_chars)


def _take_down(refs: Refs, entries: Iterable[_ShownLine]) -> None:
    for entry in entries:
        if entry.node is not None:
            refs.saw(entry.node, entry.read)


def _cut(refs: Refs, held: _Held, start: int, max_chars: int) -> Outline:
    end, size = start, 0
    while end < len(held.lines) and (size := size + len(held.lines[end]) + 1) <= max_chars + 1:
        end += 1
    end = min(max(end, start + 1), len(held.lines))  # a single line that is longer than all is shown, too
    left = len(held.lines) - end
    _take_down(refs, held.entries[start:end])
    return Outline(
        page="\n".join(held.lines[start:end]), cursor=f"{held.number}.{end}" if left else None, lines_left=left
    )


async def _read(
    supervisor: AsyncSupervisor,
    frame: FrameInfo,
    parent: FrameInfo | None,
    drawing: Awaitable[Drawing],
    timeout_s: float,
    options: OutlineOptions,
) -> _Read:
    place = None if parent is None else asyncio.create_task(_place(supervisor, frame, parent, timeout_s))
    try:
        await supervisor.evaluate("0", frame.frame_id, timeout_s=timeout_s)
        nodes = (await supervisor.send(GetFullAXTree(), frame.frame_id, timeout_s=TREE_TIMEOUT_S)).nodes
        drawn = (await drawing)[0].get(frame.frame_id, NOTHING)
        value_limit = NAME_LIMIT if options.ref is None else options.max_chars
        asks = options.ref is not None or options.find is not None
        url = None if isinstance(options, TreeOptions) else frame.url
        shown = lines(nodes, drawn, url, value_limit, shows_options=asks)
        read = _Read(frame=frame, title=title(nodes), lines=tuple(shown), aria_hidden=aria_hidden(nodes))
    except CDPError as error:
        read = _Read(frame=frame, problem=say(error))
    return read if place is None else replace(read, owner=await place)


async def _renderings(supervisor: AsyncSupervisor, top: FrameInfo, timeout_s: float) -> Drawing:
    """The documents of one process' part of the page, by frame (`DOMSnapshot.captureSnapshot`); none when refused."""
    try:
        text = await supervisor.evaluate("String(getSelection())", top.frame_id, timeout_s=timeout_s)
        command = CaptureSnapshot(computed_styles=STYLES)
        seen = await supervisor.send(command, top.frame_id, timeout_s=TREE_TIMEOUT_S)
    except CDPError:
        return {}, ()
    strings = (*seen.strings, "")  # an empty text has the index -1
    found = {strings[document.frame_id]: rendering(document, strings) for document in seen.documents}
    # A document that was made anew with the same content has other numbers for it.
    alike = [replace(document, nodes=replace(document.nodes, backend_node_id=())) for document in seen.documents]
    is_known = _PICTURES.isdisjoint(seen.strings)
    return found, (hash((seen.strings, tuple(alike))), text.value) if is_known else ()


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
    options: OutlineOptions
    left_out: int
    """The number of frames that the supervisor does not list."""
    drawn: tuple[object, ...]
    """See `Drawing`."""

    def lines(self) -> Iterator[_ShownLine]:
        """All lines; the first one says so if the top frame could not be read."""
        top = self.reads[0]
        if top.problem:
            yield _ShownLine(_problem(top).strip())
        yield from self._inside(top, 0)
        if self.left_out:
            yield _ShownLine(f"{self.left_out} more frames are not shown")

    def aria_hidden(self) -> Iterator[Node]:
        """The elements that `aria-hidden` hides."""
        for read in self.reads:
            for number in read.aria_hidden:
                yield Node(read.frame.frame_id, read.frame.loader_id, number)

    def _inside(self, read: _Read, depth: int) -> Iterator[_ShownLine]:
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
            about = "" if inner is None else f" {address(inner.frame.url)}{_problem(inner)}"
            node, is_text = _node(read.frame, line), line.role == "text"
            head, is_usable = f"{' ' * indent}{line.head}", line.is_interactive or inner is not None
            yield _ShownLine(head, line.rest + about, node, line.has_ref, is_text, line.read, is_usable)
            if inner is not None:
                yield from self._inside(inner, indent + 1)
        yield from self._without_place(read, depth, below.values())

    def _without_place(self, read: _Read, depth: int, hidden: Iterable[_Read]) -> Iterator[_ShownLine]:
        """The frames that the parent does not show, or did not tell the place of."""
        unplaced = [
            child for child in self.reads[1:] if child.frame.parent_id == read.frame.frame_id and child.owner is None
        ]
        for child in (*hidden, *unplaced):
            is_hidden = child.owner is not None and not read.problem
            if is_hidden and self.options.interactive_only:
                continue
            about = f" [frame={visible(child.frame.frame_id, 64)}] {address(child.frame.url)}{_problem(child)}"
            yield _ShownLine(f"{' ' * depth}iframe{about}{' [hidden]' if is_hidden else ''}")
            if not is_hidden:
                yield from self._inside(child, depth + 1)

    def _has_ref(self, frame: FrameInfo, line: OutlineLine) -> bool:
        node = _node(frame, line)
        return node is not None and (line.has_ref or (line.role != "text" and self.refs.has(node)))


def _node(frame: FrameInfo, line: OutlineLine) -> Node | None:
    return None if line.backend_node_id is None else Node(frame.frame_id, frame.loader_id, line.backend_node_id)


def _problem(read: _Read) -> str:
    return f"{NOT_READ}{read.problem})" if read.problem else ""
