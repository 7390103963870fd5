"""The current page as text for a model: the accessibility trees of all its frames, each in its place in the others."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct, msgpack
from msgspec.structs import replace

from cdp_typed.errors import CDPError
from cdp_typed.protocol.accessibility import GetFullAXTree
from cdp_typed.protocol.dom_snapshot import CaptureSnapshot
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo, FrameTree

from .document.accessibility_tree import aria_hidden, lines, title
from .document.element_line import NAME_LIMIT, OutlineLine, address
from .document.rendering import NOTHING, STYLES, Rendering, rendering
from .element_errors import REPLACED, UnknownCursor, say
from .lines.changed_lines import summary
from .lines.line_texts import depth_of
from .lines.read_pages import Drawing, ReadFrame, ReadPage, node_of, problem_of
from .lines.whole_pages import ShownLine, WholePage, few, replaced, whole_page
from .outline_parts import OutlineOptions, PageLines, PlacedLine, TreeLine, selected
from .page_frames import owner_of, parent_of, top_frame, top_of_session
from .refs import Element, Refs, all_frames, frame_named, refs_of

T = TypeVar("T")

FRAME_TIMEOUT_S = 3.0
"""The time that a frame has to answer a trivial script; one that does not is shown as such."""

TREE_TIMEOUT_S = 60.0
"""The time that a frame which answers has for its accessibility tree. Chromium 156 reads 10,000 nodes a second."""

MOST_ELEMENTS = 60_000
"""Elements of a document that is listed: Chromium 156 needs 10 s for so many, and holds the page up meanwhile."""

TOO_LARGE = "it has {} elements, too many to list: name one by css=..., or read its text with a script or browser_read"

_ELEMENTS = """(() => {
    try { return Document.prototype.getElementsByTagName.call(document, '*').length | 0 } catch { return 0 }
})()"""

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


_PICTURES = {"CANVAS", "VIDEO"}
MAX_CHANGES = 2_500
"""Characters of the changes that are told whole after an action."""

NOTHING_CHANGED = "nothing changed"
NO_TEXT_CHANGED = "nothing that this page's text shows"


class _Held(Struct, frozen=True):
    number: int
    shown: tuple[tuple[ShownLine, str], ...]
    """The lines that are shown, a part at a time, each with its text."""
    page: WholePage
    """The whole page that was shown last, to compare the next snapshot with."""


_HELD: WeakKeyDictionary[AsyncSupervisor, _Held] = WeakKeyDictionary()
_READ: WeakKeyDictionary[AsyncSupervisor, WholePage] = WeakKeyDictionary()
"""The whole page as it was read last, shown or not."""
_MADE: WeakKeyDictionary[AsyncSupervisor, dict[tuple[str, str], tuple[object, Any]]] = WeakKeyDictionary()
"""What was made last of each frame, and of what: a frame that has not changed is not read into lines anew."""
_numbers = itertools.count(1)


async def outline(
    supervisor: AsyncSupervisor,
    options: OutlineOptions,
    since: WholePage | None = None,
    *,
    frame_timeout_s: float = FRAME_TIMEOUT_S,
) -> Outline:
    """The current page as text, in every frame and process (`Accessibility.getFullAXTree`).

    Changes are those since the last snapshot, or `since` an earlier page: then many are told by their number, with the
    first of them. A frame that is blocked by a dialog, has crashed or does not answer in time is shown as such, with
    the others around it. Raises `NoPage`, and `UnknownCursor` for a cursor of a snapshot that is not the last one.
    """
    if options.cursor is not None:
        return _continue(supervisor, options.cursor, options.max_chars)
    document = await _read_whole(supervisor, options, frame_timeout_s)
    refs, held, loader_id = refs_of(supervisor), _HELD.get(supervisor), document.loader_id
    known = held.page if held is not None and held.page.loader_id == loader_id else WholePage()
    base = since if since is not None and since.loader_id == loader_id else known  # another page has no changes
    entries, page = _whole(supervisor, document)
    if options.changed_only:  # the caller may use a ref that it read before, and see these changes later
        for entry in entries:
            if entry.node is not None and entry.read is not None:
                refs.renew(entry.node, entry.read)
        page = whole_page(loader_id, entries, document.drawn, refs)
    whole = tuple(entry.text(refs) for entry in entries)
    hidden = frozenset(refs.name(node) for node in document.aria_hidden() if refs.has(node))
    usable = [number for number, entry in enumerate(entries) if entry.is_usable]
    selection = selected(whole, options, base.lines, hidden, usable, page.lines)
    finds = options.find is not None
    shown = [(entries[n], entries[n].text(refs, must=finds and n in selection.hits)) for n in selection.numbers]
    if options.changed_only:  # who asks for the changes has read the rest
        new = set(selection.numbers)
        rest = (entry for number, entry in enumerate(entries) if number not in new)
        _take_down(refs, (entry for entry in rest if entry.node not in base.unseen))
        shown = few(shown)
    shown += [(ShownLine(line), line) for line in selection.gone]
    if options.changed_only and since is not None and sum(len(text) + 1 for _, text in shown) > MAX_CHANGES:
        line = summary(whole, sorted(selection.hits))
        shown, options = [(ShownLine(line), line), *shown], replace(options, max_chars=MAX_CHANGES)
    if options.changed_only and not shown:
        line = NOTHING_CHANGED if page.drawn and page.drawn == base.drawn else NO_TEXT_CHANGED
        shown = [(ShownLine(line), line)]
    # Neither a part is a base nor a page that a dialog kept from being read, nor one whose changes were told in part.
    if options.is_part or document.reads[0].problem or (since is not None and known.lines not in ((), since.lines)):
        page = known
    held = _HELD[supervisor] = _Held(next(_numbers), tuple(shown), page)
    return replace(_cut(refs, held, 0, options.max_chars), title=document.reads[0].title)


async def read_page(supervisor: AsyncSupervisor) -> WholePage:
    """The current page, to have the changes of an action compared with it. Raises `NoPage`."""
    document = await _read_whole(supervisor, OutlineOptions(), FRAME_TIMEOUT_S)
    return _whole(supervisor, document)[1]


def last_page(supervisor: AsyncSupervisor) -> WholePage | None:
    """The whole page as it was read last."""
    return _READ.get(supervisor)


def _whole(supervisor: AsyncSupervisor, document: ReadPage) -> tuple[list[ShownLine], WholePage]:
    """The lines of a page. What it has made anew since it was read before, without a difference, keeps its refs."""
    entries, refs = list(itertools.islice(document.lines(), MAX_LINES)), refs_of(supervisor)
    before = _READ.get(supervisor)
    if before is not None and not document.options.is_part:
        for old, new in list(replaced(before.entries, entries, document.alive(), refs)):
            refs.replace(old, new)
    page = whole_page(document.loader_id, entries, document.drawn, refs)
    if not document.options.is_part:
        _READ[supervisor] = page
    return entries, page


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


def _element(entry: ShownLine, refs: Refs, tree: FrameTree) -> Element | None:
    frame = None if entry.node is None or entry.is_text else frame_named(tree, entry.node.frame_id)
    if entry.node is None or frame is None:
        return None
    ref = refs.name(entry.node) if refs.has(entry.node) else ""
    return Element(ref=ref, frame=frame, backend_node_id=entry.node.backend_node_id, tree=tree, read=entry.read)


async def read_lines(supervisor: AsyncSupervisor) -> PageLines:
    """The lines of all elements of the current page, options of closed selects included. Raises `NoPage`."""
    document = await _read_whole(supervisor, OutlineOptions(find=""), FRAME_TIMEOUT_S)
    placed = ((node_of(read.frame, line), line) for read in document.reads for line in read.lines)
    unread = tuple(f"{address(read.frame.url)}{problem_of(read)}" for read in document.reads if read.problem)
    return PageLines(tuple(PlacedLine(node, line) for node, line in placed if node is not None), unread)


async def _read_whole(supervisor: AsyncSupervisor, options: OutlineOptions, timeout_s: float) -> ReadPage:
    """The page, read again while a document of it is replaced."""
    top_frame(supervisor)
    document = await _read_all(supervisor, options, timeout_s)
    for _ in range(ATTEMPTS - 1):
        if not any(read.problem == REPLACED for read in document.reads):
            break
        document = await _read_all(supervisor, options, timeout_s)
    return document


async def _read_all(supervisor: AsyncSupervisor, options: OutlineOptions, timeout_s: float) -> ReadPage:
    tree = supervisor.snapshot().frame_tree
    frames = all_frames(tree)
    drawings = {
        top.frame_id: asyncio.ensure_future(_renderings(supervisor, top, timeout_s))
        for top in frames
        if top_of_session(top, tree) == top
    }

    async def read(frame: FrameInfo) -> ReadFrame:
        drawing = drawings[top_of_session(frame, tree).frame_id]
        return await _read(supervisor, frame, parent_of(frame, tree), drawing, timeout_s, options)

    reads = await asyncio.gather(*map(read, frames))
    now = {frame.frame_id: frame.loader_id for frame in all_frames(supervisor.snapshot().frame_tree)}
    for what in [what for what in _MADE.get(supervisor, ()) if what[0] not in now]:
        del _MADE[supervisor][what]
    still = tuple(_still(read, now) for read in reads)
    left_out = tree.total - len(frames) if tree.truncated else 0
    drawn = [(await drawing)[1] for drawing in drawings.values()]
    return ReadPage(still, refs_of(supervisor), options, left_out, tuple(drawn) if all(drawn) else ())


def _made(supervisor: AsyncSupervisor, what: tuple[str, str], of: object, make: Callable[[], T]) -> T:
    """What `make` makes of this, or made of the same the last time, of a frame: `what` is its id and a kind."""
    latest = _MADE.setdefault(supervisor, {})
    if what not in latest or latest[what][0] != of:
        latest[what] = of, make()
    made: T = latest[what][1]
    return made


def _digest(*told: object) -> bytes:
    """A number for what a browser told. Not `hash`, to which -1 and -2 are the same."""
    return blake2b(msgpack.encode(told), digest_size=16).digest()


def _continue(supervisor: AsyncSupervisor, cursor: str, max_chars: int) -> Outline:
    held = _HELD.get(supervisor)
    number, _, line = cursor.partition(".")
    if held is None or number != str(held.number) or not line.isdecimal():
        raise UnknownCursor(cursor)
    return _cut(refs_of(supervisor), held, int(line), max_chars)


def _take_down(refs: Refs, entries: Iterable[ShownLine]) -> None:
    for entry in entries:
        if entry.node is not None:
            refs.saw(entry.node, entry.read)


def _cut(refs: Refs, held: _Held, start: int, max_chars: int) -> Outline:
    end, size = start, 0
    while end < len(held.shown) and (size := size + len(held.shown[end][1]) + 1) <= max_chars + 1:
        end += 1
    end = min(max(end, start + 1), len(held.shown))  # a single line that is longer than all is shown, too
    left, part = len(held.shown) - end, held.shown[start:end]
    _take_down(refs, (entry for entry, _ in part))
    page = "\n".join(text for _, text in part)
    return Outline(page=page, cursor=f"{held.number}.{end}" if left else None, lines_left=left)


async def _read(
    supervisor: AsyncSupervisor,
    frame: FrameInfo,
    parent: FrameInfo | None,
    drawing: Awaitable[Drawing],
    timeout_s: float,
    options: OutlineOptions,
) -> ReadFrame:
    place = None if parent is None else asyncio.create_task(_place(supervisor, frame, parent, timeout_s))
    try:
        elements = (await supervisor.evaluate(_ELEMENTS, frame.frame_id, timeout_s=timeout_s)).value
        if isinstance(elements, int) and elements > MOST_ELEMENTS:
            said = await supervisor.evaluate("String(document.title)", frame.frame_id, timeout_s=timeout_s)
            return ReadFrame(frame=frame, title=str(said.value), problem=TOO_LARGE.format(elements))
        nodes = (await supervisor.send(GetFullAXTree(), frame.frame_id, timeout_s=TREE_TIMEOUT_S)).nodes
        drawn = (await drawing)[0].get(frame.frame_id, NOTHING)
        value_limit = NAME_LIMIT if options.ref is None else options.max_chars
        asks = options.ref is not None or options.find is not None
        url = None if isinstance(options, TreeOptions) else frame.url

        def listed() -> tuple[OutlineLine, ...]:
            return tuple(lines(nodes, drawn, url, value_limit, shows_options=asks))

        of = _digest(nodes), drawn, url, value_limit, asks
        shown = _made(supervisor, (frame.frame_id, "lines"), of, listed)
        hidden = aria_hidden(nodes)
        read = ReadFrame(frame=frame, title=title(nodes), lines=shown, aria_hidden=hidden, alive=drawn.nodes)
    except CDPError as error:
        read = ReadFrame(frame=frame, problem=say(error))
    return read if place is None else replace(read, owner=await place)


async def _renderings(supervisor: AsyncSupervisor, top: FrameInfo, timeout_s: float) -> Drawing:
    """The documents of one process' part of the page, by frame (`DOMSnapshot.captureSnapshot`); none when refused."""
    try:
        script = f"`${{{_ELEMENTS}}} ${{getSelection()}}`"  # one text: an array would take two commands more
        seen = await supervisor.evaluate(script, top.frame_id, timeout_s=timeout_s)
        elements, _, text = str(seen.value).partition(" ")
        if int(elements) > MOST_ELEMENTS:
            return {}, ()
        command = CaptureSnapshot(computed_styles=STYLES)
        drawn = await supervisor.send(command, top.frame_id, timeout_s=TREE_TIMEOUT_S)
    except CDPError:
        return {}, ()
    strings = (*drawn.strings, "")  # an empty text has the index -1
    found = dict[str, Rendering]()
    for document in drawn.documents:
        frame_id, rendered = strings[document.frame_id], partial(rendering, document, strings)
        found[frame_id] = _made(supervisor, (frame_id, "drawing"), _digest(document, strings), rendered)
    # A document that was made anew with the same content has other numbers for it.
    alike = [replace(document, nodes=replace(document.nodes, backend_node_id=())) for document in drawn.documents]
    is_known = _PICTURES.isdisjoint(drawn.strings)
    return found, (_digest(drawn.strings, alike), text) if is_known else ()


async def _place(supervisor: AsyncSupervisor, frame: FrameInfo, parent: FrameInfo, timeout_s: float) -> int | None:
    try:
        return await owner_of(supervisor, frame, parent, timeout_s)
    except CDPError:  # the parent does not answer, or the frame is gone: it is shown at the end of the parent
        return None


def _still(read: ReadFrame, now: Mapping[str, str]) -> ReadFrame:
    """Return the lines if the document is still there: another document may number other elements alike."""
    loader_id = now.get(read.frame.frame_id)
    if loader_id == read.frame.loader_id:
        return read
    return replace(read, lines=(), problem="it went away" if loader_id is None else REPLACED)
