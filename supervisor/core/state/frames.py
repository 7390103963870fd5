"""The frames of all pages, and the script context of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from cdp_typed.protocol import page
from supervisor.core.vocabulary.inputs import EventReceived, Input


class Frame(Struct, frozen=True, kw_only=True):
    """One frame: its place in the tree and the session that its document lives in."""

    frame_id: str
    parent_id: str | None
    page_id: str
    session_id: str
    named_parent: str | None = None
    """The parent that the browser named: `parent_id`, unless that one is not known (yet)."""
    is_oopif: bool = False
    loader_id: str = ""
    url: str = ""
    origin: str = ""
    name: str = ""
    is_loading: bool = False
    is_moving: bool = False
    """It is between two processes: the session of the old one has ended, the document in the new one has not come."""
    stale: bool = False
    """It was there when the connection was lost, and has not been seen since."""

    @property
    def is_top_of_session(self) -> bool:
        """Its document is the top one of its session: commands that name no frame mean it."""
        return self.parent_id is None or self.is_oopif


class Context(Struct, frozen=True, kw_only=True):
    """The default (page) world of a frame's document; `unique_id` is never reused, unlike the numeric id."""

    unique_id: str | None
    """None where the browser gives none (Chrome 83 and 87)."""
    session_id: str
    number: int
    """Counted per process: only with the session does it name a context."""
    order: int = 0
    """Ours: another one for each context."""


class Frames(Struct, frozen=True):
    """All frames by id, and the default script context of each."""

    nodes: Mapping[str, Frame] = {}
    contexts: Mapping[str, Context] = {}
    contexts_count: int = 0
    """How many contexts there ever were."""
    left: Mapping[str, str] = {}
    """The documents (loader ids) whose contexts were cleared, by frame: the next context is that of another one."""
    gone: tuple[str, ...] = ()
    """The ids of the last frames that went away."""

    def root(self, page_id: str) -> Frame | None:
        """The top frame of a page."""
        return next((frame for frame in self.nodes.values() if frame.page_id == page_id and not frame.parent_id), None)

    def children(self, frame_id: str) -> Iterator[Frame]:
        """The frames directly below one."""
        return (frame for frame in self.nodes.values() if frame.parent_id == frame_id)

    def descendants(self, frame_id: str) -> Iterator[Frame]:
        """The frames below one, depth first."""
        for child in self.children(frame_id):
            yield child
            yield from self.descendants(child.frame_id)

    def context(self, frame: Frame) -> Context | None:
        """The frame's own page world, if its current session has announced one."""
        context = self.contexts.get(frame.frame_id)
        return context if context and context.session_id == frame.session_id else None

    def frame_of_context(self, session_id: str, number: int) -> str | None:
        """The frame that a context is the default one of."""
        for frame_id, context in self.contexts.items():
            if context.number == number and context.session_id == session_id:
                return frame_id
        return None


def site(frame: Frame) -> str:
    """The host that decides, with Chromium's site isolation, which frames of a browsing group share a process."""
    return urlsplit(frame.url).hostname or ""


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
