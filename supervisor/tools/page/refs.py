"""Short names for elements (`e12`), good as long as the element's document lives."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from typing import TypeAlias
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo, FrameTree

from .document.reading import Read
from .element_errors import StaleRef, UnknownRef

Document: TypeAlias = tuple[str, str]
"""A frame's id, and the loader id of its document."""

MAX_REFS = 50_000
MAX_LENGTH = 20
"""Longer texts are no refs."""
MAX_GONE_DOCUMENTS = 24
"""Documents whose refs are kept after they are gone: one that comes back from the browser's back/forward cache has its
loader id and its nodes again (measured on Chromium 150 and 156), and Chromium caches six pages with their frames."""


class Node(Struct, frozen=True, gc=False):
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
    read: Read | None = None
    """The properties that were read from it last."""
    is_disabled: bool | None = None
    """Whether it, or something around it, was disabled when the action began; None if nobody asked."""

    def at(self, backend_node_id: int) -> Element:
        """The same for another node of its document, which stands for it."""
        return replace(self, backend_node_id=backend_node_id, is_disabled=None)


class Refs:
    """The refs that one supervisor has handed out. An element keeps its ref; no ref is used twice."""

    def __init__(self, limit: int = MAX_REFS) -> None:
        self._limit = limit
        self._count = 0
        self._nodes: OrderedDict[int, Node] = OrderedDict()
        self._numbers: OrderedDict[Document, dict[int, int]] = OrderedDict()
        """By document, the one that was named last at the end: the numbers of refs by backend node id."""
        self._reads: dict[int, Read] = {}
        self._successors: dict[int, int] = {}
        """The refs of elements that became others: see `renew`."""
        self._lock = threading.Lock()  # tools run in any thread
        self.has_new_documents: bool = False
        """Whether a document got its first ref since `forget_gone` was called."""

    def name(self, node: Node) -> str:
        """The ref of an element. The ones that were not shown for longest are forgotten when there are too many."""
        document = (node.frame_id, node.loader_id)
        with self._lock:
            numbers = self._numbers.get(document)
            if numbers is None:
                numbers = self._numbers[document] = {}
                self.has_new_documents = True
            self._numbers.move_to_end(document)
            number = numbers.get(node.backend_node_id)
            if number is None:
                self._count += 1
                number = numbers[node.backend_node_id] = self._count
                self._nodes[number] = node
            self._nodes.move_to_end(number)
            while len(self._nodes) > self._limit:
                _, forgotten = self._nodes.popitem(last=False)
                numbers = self._numbers[forgotten.frame_id, forgotten.loader_id]
                self._reads.pop(numbers.pop(forgotten.backend_node_id), None)
            return f"e{number}"

    def has(self, node: Node) -> bool:
        """Return True when the element was given a ref, which is then shown wherever the element is."""
        with self._lock:
            return node.backend_node_id in self._numbers.get((node.frame_id, node.loader_id), ())

    def saw(self, node: Node, read: Read | None) -> None:
        """Take down what was shown of an element that has a ref."""
        with self._lock:
            number = self._numbers.get((node.frame_id, node.loader_id), {}).get(node.backend_node_id)
            if number is not None and read is not None:
                self._reads[number] = read

    def is_known(self, node: Node, read: Read) -> bool:
        """Return False when something else was taken down of the element than this."""
        with self._lock:
            number = self._numbers.get((node.frame_id, node.loader_id), {}).get(node.backend_node_id)
            return number is None or self._reads.get(number, read) == read

    def replace(self, node: Node, new: Node) -> None:
        """Give the ref of an element that is gone to the one that its document made in place of it."""
        with self._lock:
            numbers = self._numbers.get((node.frame_id, node.loader_id), {})
            number = numbers.pop(node.backend_node_id, None)
            if number is not None:
                numbers[new.backend_node_id] = number
                self._nodes[number] = new

    def renew(self, node: Node, read: Read) -> None:
        """Give an element another ref when it has become another one (`Read.is_another`), as in a list that recycles
        its rows: whoever uses the ref from before means what it was, and is refused."""
        with self._lock:
            numbers = self._numbers.get((node.frame_id, node.loader_id), {})
            number = numbers.get(node.backend_node_id)
            before = self._reads.pop(number, None) if number is not None else None
            if number is None or before is None:
                return
            if not before.is_another(read):
                self._reads[number] = before
                return
            del self._nodes[number]
            self._count += 1
            self._successors[number] = numbers[node.backend_node_id] = self._count
            self._nodes[self._count] = node

    def find(self, ref: str, tree: FrameTree) -> Element:
        """The element in the current page. Raises `UnknownRef`, or `StaleRef` when its document is not there."""
        number = int(ref[1:]) if ref[1:].isdecimal() and len(ref) < MAX_LENGTH else 0
        with self._lock:
            if ref != f"e{number}" or not 1 <= number <= self._count:
                raise UnknownRef(ref)
            node, read = self._nodes.get(number), self._reads.get(number)
            successor = self._successors.get(number)
        if successor is not None:
            raise StaleRef(ref, f"its row shows something else since it was read; the element is e{successor} now")
        if node is None:
            raise StaleRef(ref, "its document is gone, or it was not shown for long")
        frame = frame_named(tree, node.frame_id)
        if frame is None:
            raise StaleRef(ref, "its frame is gone, or not in the current page")
        if frame.loader_id != node.loader_id:
            raise StaleRef(ref, "its document was replaced")
        return Element(ref=ref, frame=frame, backend_node_id=node.backend_node_id, tree=tree, read=read)

    def forget_gone(self, present: Collection[Document]) -> None:
        """Forget the refs of documents that are not present, but for the last few."""
        with self._lock:
            self.has_new_documents = False
            self._successors = {old: new for old, new in self._successors.items() if new in self._nodes}
            gone = [document for document in self._numbers if document not in present]
            for document in gone[:-MAX_GONE_DOCUMENTS]:
                for number in self._numbers.pop(document).values():
                    del self._nodes[number]
                    self._reads.pop(number, None)


_REFS: WeakKeyDictionary[AsyncSupervisor, Refs] = WeakKeyDictionary()


def is_ref(text: str) -> bool:
    """True for a text that could be a ref."""
    return text[:1] == "e" and text[1:].isdecimal()


def refs_of(supervisor: AsyncSupervisor) -> Refs:
    """The refs of this supervisor; those of documents that are gone from all its pages are forgotten."""
    refs = _REFS.setdefault(supervisor, Refs())
    if refs.has_new_documents:
        refs.forget_gone({(frame.frame_id, frame.loader_id) for frame in supervisor.frames()})
    return refs


def all_frames(tree: FrameTree) -> tuple[FrameInfo, ...]:
    """The top frame and all others that are shown."""
    return () if tree.top is None else (tree.top, *tree.children)


def frame_named(tree: FrameTree, frame_id: str | None) -> FrameInfo | None:
    """The frame with this id, if it is shown."""
    return next((frame for frame in all_frames(tree) if frame.frame_id == frame_id), None)
