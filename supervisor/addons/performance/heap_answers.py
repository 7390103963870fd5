"""The questions of `browser_heap`, and its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from cdp_typed.helpers.shared.performance.heap.heap_graph import HeapGraph
from cdp_typed.helpers.shared.performance.heap.heap_values import HeapChange, HeapClass, HeapObject, RepeatedText
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText

ROWS = 20
"""Rows of a list that a result has."""
_PAGED = frozenset({"classes", "changes", "objects", "strings"})


class HeapArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_heap`."""

    file: str | None = None
    """Ask this earlier snapshot."""
    since: str | None = None
    """file of an earlier one: show changes."""
    show: Literal["strings"] | None = None
    """Copies of strings."""
    of: str | None = None
    """A class: its objects, and what keeps one alive."""
    page: int | None = None
    """20 rows each."""
    name: str | None = None
    """Of the new file."""


class Heap(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A heap snapshot. Its lists have 20 rows a page."""

    file: str
    """The name of the snapshot, for `file` and `since`."""
    folder: str
    """Its folder. The Memory panel of the developer tools opens the file."""
    used: int
    """Bytes of all objects."""
    pages: int = 1
    """Of the longest list."""
    classes: list[HeapClass] = []
    """Those that take most."""
    changes: list[HeapChange] = []
    """The classes that grew most since the earlier snapshot."""
    objects: list[HeapObject] = []
    """Of a class."""
    retaining_path: list[PageText] = []
    """From the object up to the root."""
    strings: list[RepeatedText] = []
    """Those that the heap has several copies of."""
    not_found: bool = False
    """No object of the class can be reached, except by weak references."""


def check(arguments: HeapArguments) -> None:
    """Raise `InvalidArgument` for arguments that ask nothing, before a snapshot stops the page."""
    if arguments.page is not None and arguments.page < 1:
        raise InvalidArgument("page", "pages begin with 1")
    if arguments.show is not None and (arguments.of is not None or arguments.since is not None):
        raise InvalidArgument("show", "strings are of one snapshot and of no class; leave out of and since")


def answer(path: Path, graph: HeapGraph, before: HeapGraph | None, arguments: HeapArguments) -> Heap:
    """Answer from a snapshot."""
    fields = dict(_fields(graph, before, arguments))
    start = ((arguments.page or 1) - 1) * ROWS
    longest = max(len(rows) for name, rows in fields.items() if name in _PAGED)
    shown = {name: rows[start : start + ROWS] if name in _PAGED else rows for name, rows in fields.items()}
    return Heap(file=path.name, folder=str(path.parent), used=graph.used, pages=-(-longest // ROWS) or 1, **shown)


def _fields(graph: HeapGraph, before: HeapGraph | None, arguments: HeapArguments) -> Iterator[tuple[str, Any]]:
    """The fields of the result, with all rows."""
    of = arguments.of
    if of is not None:
        yield "objects", graph.objects(of) if before is None else graph.changed_objects(before, of)
        way = graph.retaining_path(of)
        yield from (("retaining_path", way or []), ("not_found", way is None))
    elif arguments.show == "strings":
        yield "strings", graph.repeated_texts()
    elif before is None:
        yield "classes", graph.classes()
    else:
        yield "changes", graph.changes_since(before)
