"""Short names for elements (`e12`), good as long as the element's document lives."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from weakref import WeakKeyDictionary

from msgspec import Struct

from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo, FrameTree

from .element_errors import StaleRef, UnknownRef

MAX_REFS = 50_000


class Node(Struct, frozen=True):
    """An element's identity in Chromium, stable across reconnects: its document and its number in the process."""

    frame_id: str
    loader_id: str
    backend_node_id: int


class Element(Struct, frozen=True, kw_only=True):
    """An element whose document is there, with the frames of the page as they are now."""

    ref: str
    frame: FrameInfo
    backend_node_id: int
    tree: FrameTree


class Refs:
    """The refs that one supervisor has handed out. An element keeps its ref; no ref is used twice."""

    def __init__(self, limit: int = MAX_REFS) -> None:
        self._limit = limit
        self._numbers = itertools.count(1)
        self._nodes: OrderedDict[str, Node] = OrderedDict()
        self._refs: dict[Node, str] = {}
        self._lock = threading.Lock()  # tools run in any thread

    def name(self, node: Node) -> str:
        """The ref of an element. The ones that were not shown for longest are forgotten when there are too many."""
        with self._lock:
            ref = self._refs.get(node)
            if ref is None:
                ref = self._refs[node] = f"e{next(self._numbers)}"
                self._nodes[ref] = node
            self._nodes.move_to_end(ref)
            while len(self._nodes) > self._limit:
                _, forgotten = self._nodes.popitem(last=False)
                del self._refs[forgotten]
            return ref

    def has(self, node: Node) -> bool:
        """Return True when the element was given a ref, which is then shown wherever the element is."""
        with self._lock:
            return node in self._refs

    def find(self, ref: str, tree: FrameTree) -> Element:
        """The element in the current page. Raises `UnknownRef`, or `StaleRef` when its document is not there."""
        with self._lock:
            node = self._nodes.get(ref)
        if node is None:
            raise UnknownRef(ref)
        frame = frame_named(tree, node.frame_id)
        if frame is None:
            raise StaleRef(ref, "its frame is gone, or not in the current page")
        if frame.loader_id != node.loader_id:
            raise StaleRef(ref, "its document was replaced")
        return Element(ref=ref, frame=frame, backend_node_id=node.backend_node_id, tree=tree)


_REFS: WeakKeyDictionary[AsyncSupervisor, Refs] = WeakKeyDictionary()


def is_ref(text: str) -> bool:
    """True for a text that could be a ref."""
    return text[:1] == "e" and text[1:].isdecimal()


def refs_of(supervisor: AsyncSupervisor) -> Refs:
    """The refs of this supervisor."""
    return _REFS.setdefault(supervisor, Refs())


def all_frames(tree: FrameTree) -> tuple[FrameInfo, ...]:
    """The top frame and all others that are shown."""
    return () if tree.top is None else (tree.top, *tree.children)


def frame_named(tree: FrameTree, frame_id: str | None) -> FrameInfo | None:
    """The frame with this id, if it is shown."""
    return next((frame for frame in all_frames(tree) if frame.frame_id == frame_id), None)
