"""The frames of all pages, and the script context of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sized
from typing import TypeAlias, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.protocol import page
from supervisor.core.vocabulary.chromium import NO_ORIGIN
from supervisor.core.vocabulary.inputs import EventReceived, Input


class Frame(Struct, frozen=True, kw_only=True):
    """A frame: its parent, and the session of its document."""

    frame_id: str
    parent_id: str | None
    page_id: str
    session_id: str
    named_parent: str | None = None
    """The parent that the browser named; `parent_id` is another one while that frame is not known."""
    is_oopif: bool = False
    loader_id: str = ""
    url: str = ""
    origin: str = ""
    name: str = ""
    is_loading: bool = False
    is_loading_assumed: bool = False
    """No event has told that it loads, only how it was announced."""
    is_network_idle: bool = False
    """The browser has told that half a second went by without a request of its document."""
    is_moving: bool = False
    """It is between two processes: the session of the old one has ended, the new document is not announced yet."""
    stale: bool = False
    """It existed when the connection was lost, and has not been announced since."""

    @property
    def is_unloaded(self) -> bool:
        """It was attached in its parent's process, and no document of it is known."""
        return not (self.is_top_of_session or self.loader_id or self.is_moving or self.stale)

    @property
    def is_top_of_session(self) -> bool:
        """Its document is the top one of its session: commands without a frame id apply to it."""
        return self.parent_id is None or self.is_oopif


class Context(Struct, frozen=True, kw_only=True):
    """The default (page) world of a frame's document; `unique_id` is never reused, unlike the numeric id."""

    unique_id: str | None
    """None if the browser gives none (Chrome 83 and 87)."""
    session_id: str
    number: int
    """The `ExecutionContextId`, unique only within its process."""
    origin: str = ""
    """The origin of its scripts: for `about:blank`, the origin that its document inherited."""
    order: int = 0
    """The position among all contexts seen, unique."""


class FrameTreeLimits(Struct, frozen=True, kw_only=True):
    """The frames that `SupervisorSnapshot.frame_tree` shows of a page."""

    count: int = 30
    """The number of frames below the top one."""
    oopif_depth: int = 2
    """The number of out-of-process iframes inside one another."""


class Frames(Struct, frozen=True):
    """All frames by id, and the default script context of each.

    The indexes `tops`, `below` and `numbers` are kept by `with_frames`, `without`, `with_context` and
    `without_contexts`: hundreds of tabs are not searched for one event.
    """

    limits: FrameTreeLimits = FrameTreeLimits()
    nodes: Mapping[str, Frame] = {}
    contexts: Mapping[str, tuple[Context, ...]] = {}
    """By frame id: its context in each session that has announced one. Measured on Chromium 156: when an iframe has
    moved to its own process, its parent's process may still announce the context of the document before."""
    contexts_count: int = 0
    """The number of all contexts so far."""
    left: Mapping[str, str] = {}
    """The loader ids of documents whose contexts were cleared, by frame id: the next context is another document's."""
    gone: tuple[str, ...] = ()
    """The ids of the last frames that went away."""
    tops: Mapping[str, tuple[str, ...]] = {}
    """The ids of a page's frames without a parent: one, or two while a new top frame is swapped in."""
    below: Mapping[str, tuple[str, ...]] = {}
    """The ids of the child frames of each frame."""
    numbers: Mapping[str, Mapping[int, str]] = {}
    """By session id: the frame id of each context number."""
    moving: frozenset[str] = frozenset()
    checked: frozenset[str] = frozenset()
    """The ids of the sessions with an `UnloadedFramesCheck` timer."""
    misplaced: frozenset[str] = frozenset()
    """The ids of frames whose named parent is not known; they have another parent until then."""
    touched: tuple[str, ...] = ()
    """The ids of the frames that the last input changed or removed."""

    def root(self, page_id: str) -> Frame | None:
        """The top frame of a page."""
        for frame_id in self.tops.get(page_id, ()):
            return self.nodes[frame_id]
        return None

    def children(self, frame_id: str) -> Iterator[Frame]:
        """The child frames of a frame."""
        return (self.nodes[child_id] for child_id in self.below.get(frame_id, ()))

    def descendants(self, frame_id: str) -> Iterator[Frame]:
        """The frames below a frame, depth first."""
        for child in self.children(frame_id):
            yield child
            yield from self.descendants(child.frame_id)

    def of_page(self, page_id: str) -> Iterator[Frame]:
        """The frames of a page, depth first."""
        for frame_id in self.tops.get(page_id, ()):
            yield self.nodes[frame_id]
            yield from self.descendants(frame_id)

    def context(self, frame: Frame) -> Context | None:
        """The frame's own page world, if its current session has announced one."""
        return self.context_in(frame.session_id, frame.frame_id)

    def context_in(self, session_id: str, frame_id: str) -> Context | None:
        """The context of a frame that this session has announced."""
        for context in self.contexts.get(frame_id, ()):
            if context.session_id == session_id:
                return context
        return None

    def site(self, frame: Frame) -> str:
        """The host that decides, with Chromium's site isolation, which frames of a browsing group share a process.

        The URL of `about:blank` and of a blob has none: the origin of the document's scripts counts.
        """
        context = self.context(frame)
        return urlsplit(frame.url).hostname or (urlsplit(context.origin).hostname if context else None) or ""

    def origin(self, frame: Frame) -> str:
        """Its origin: that of its scripts, `null` for an opaque one. `Page.Frame.securityOrigin` is that of the
        address, also in a sandbox and for an `about:blank` that inherits an origin (Chromium 156)."""
        context = self.context(frame)
        if context is None or not context.origin:
            return frame.origin
        return "null" if context.origin == NO_ORIGIN else context.origin

    def frame_of_context(self, session_id: str, number: int) -> str | None:
        """The id of the frame whose default context this is."""
        return self.numbers.get(session_id, {}).get(number)

    def with_frames(self, *placed: Frame) -> Frames:
        """Add or replace these frames."""
        nodes, tops, below = dict(self.nodes), self.tops, self.below
        moving, misplaced = self.moving, self.misplaced
        for frame in placed:
            key, old = frame.frame_id, nodes.get(frame.frame_id)
            nodes[key] = frame
            if old is None or (old.parent_id, old.page_id) != (frame.parent_id, frame.page_id):
                if old is not None:
                    tops, below = _taken_out(tops, below, old)
                if frame.parent_id is None:
                    tops = {**tops, frame.page_id: (*tops.get(frame.page_id, ()), key)}
                else:
                    below = {**below, frame.parent_id: (*below.get(frame.parent_id, ()), key)}
            moving = _with_or_without(moving, key, frame.is_moving)
            misplaced = _with_or_without(misplaced, key, frame.named_parent not in (None, frame.parent_id))
        touched = (*self.touched, *(frame.frame_id for frame in placed))
        return replace(self, nodes=nodes, tops=tops, below=below, moving=moving, misplaced=misplaced, touched=touched)

    def without(self, gone: Collection[str]) -> Frames:
        """Remove these frames and their contexts. Their descendants have to be among them."""
        nodes, tops, below, left = dict(self.nodes), self.tops, self.below, dict(self.left)
        for key in gone:
            frame = nodes.pop(key, None)
            left.pop(key, None)
            if frame is not None:
                tops, below = _taken_out(tops, below, frame)
        frames = replace(
            self,
            nodes=nodes,
            tops=tops,
            below=below,
            left=left,
            moving=self.moving.difference(gone),
            misplaced=self.misplaced.difference(gone),
            touched=(*self.touched, *gone),
        )
        return frames.without_contexts(gone)

    def with_context(self, frame_id: str, context: Context) -> Frames:
        """Set the default context of a frame in a session."""
        session_id = context.session_id
        ended = {frame_id, self.frame_of_context(session_id, context.number) or frame_id}
        frames = self.without_contexts(ended, session_id)
        return replace(
            frames,
            contexts={**frames.contexts, frame_id: (*frames.contexts.get(frame_id, ()), context)},
            numbers={**frames.numbers, session_id: {**frames.numbers.get(session_id, {}), context.number: frame_id}},
        )

    def without_contexts(self, frame_ids: Collection[str], session_id: str | None = None) -> Frames:
        """Remove the contexts of these frames, in one session or in all."""
        ended = [
            (frame_id, context)
            for frame_id in frame_ids
            for context in self.contexts.get(frame_id, ())
            if session_id in (None, context.session_id)
        ]
        if not ended:
            return self
        contexts, numbers = dict(self.contexts), dict(self.numbers)
        for frame_id, context in ended:
            _put_or_delete(contexts, frame_id, tuple(one for one in contexts[frame_id] if one is not context))
            names = numbers[context.session_id]
            left = {number: name for number, name in names.items() if number != context.number}
            _put_or_delete(numbers, context.session_id, left)
        return replace(self, contexts=contexts, numbers=numbers)


_Index: TypeAlias = Mapping[str, tuple[str, ...]]
_Sized = TypeVar("_Sized", bound=Sized)


def _taken_out(tops: _Index, below: _Index, frame: Frame) -> tuple[_Index, _Index]:
    """The indexes `tops` and `below` without a frame."""
    if frame.parent_id is None:
        return _shortened(tops, frame.page_id, frame.frame_id), below
    return tops, _shortened(below, frame.parent_id, frame.frame_id)


def _shortened(index: _Index, key: str, frame_id: str) -> _Index:
    left = tuple(name for name in index.get(key, ()) if name != frame_id)
    return {**index, key: left} if left else {name: ids for name, ids in index.items() if name != key}


def _put_or_delete(mapping: dict[str, _Sized], key: str, value: _Sized) -> None:
    if value:
        mapping[key] = value
    else:
        del mapping[key]


def _with_or_without(names: frozenset[str], name: str, belongs: bool) -> frozenset[str]:
    if (name in names) is belongs:
        return names
    return names | {name} if belongs else names - {name}


def origin_of(url: str) -> str:
    """The origin of a document that was not sandboxed; empty for one without a host."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def removed_by(received: Input, frames: Frames) -> frozenset[str]:
    """The frames that an input removes. `frames` are those before it."""
    match received:
        case EventReceived(_, page.FrameDetached(frame_id=frame_id, reason="remove")):
            return frozenset({frame_id, *(frame.frame_id for frame in frames.descendants(frame_id))})
        case _:
            return frozenset()
