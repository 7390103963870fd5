"""The questions of `browser_heap`, and its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from cdp_typed.helpers.shared.performance.heap.conditions import id_of, read_conditions
from cdp_typed.helpers.shared.performance.heap.heap_graph import HeapGraph, NoSuchObject, Order, TooManyReferences
from cdp_typed.helpers.shared.performance.heap.heap_values import (
    HeapChange,
    HeapClass,
    HeapObject,
    HeapReference,
    RepeatedText,
)  # fmt: skip
from supervisor.tools.framework.tool_errors import InvalidArgument, ToolError
from supervisor.tools.framework.untrusted_text import PageText

ROWS = 20
"""Rows of a list that a result has."""
_PAGED = frozenset({"classes", "changes", "objects", "references", "retainers", "strings"})
_MOST_ABOVE = 50


class HeapArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_heap`."""

    file: str | None = None
    """Ask this earlier snapshot."""
    since: str | None = None
    """file of an earlier one: show changes."""
    show: Literal["objects", "strings"] | None = None
    """strings: copies."""
    of: str | None = None
    """A class: its objects. @id: one object, its references, what retains it."""
    where: str | None = None
    """Filters: name= type= property= size>2k retained<1M detached=true"""
    sort: Order | None = None
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
    """Those that retain most."""
    changes: list[HeapChange] = []
    """The classes that grew most since the earlier snapshot."""
    objects: list[HeapObject] = []
    """Of a class, or those that fit; the one that was asked for."""
    references: list[HeapReference] = []
    """From the object."""
    retainers: list[HeapReference] = []
    """To the object."""
    dominators: list[HeapObject] = []
    """The objects without which it would be free, the nearest first."""
    retaining_path: list[PageText] = []
    """From the object up to the root."""
    strings: list[RepeatedText] = []
    """Those that the heap has several copies of."""
    not_found: bool = False
    """No object of the class can be reached, except by weak references."""
    left_out: str = ""
    """Figures that were not computed, with the reason."""


class HeapTooComplex(ToolError):
    """The heap has too many references for single objects."""


def check(arguments: HeapArguments) -> None:
    """Raise `InvalidArgument` for arguments that ask nothing, before a snapshot stops the page."""
    show, of = arguments.show, arguments.of
    if arguments.page is not None and arguments.page < 1:
        raise InvalidArgument("page", "pages begin with 1")
    if of is not None and show is not None:
        raise InvalidArgument("of", "shows a class or an object by itself; leave show out")
    if arguments.where and show == "strings":
        raise InvalidArgument("where", "strings have no filters")
    if arguments.since is not None and (show is not None or arguments.where or _is_object(of)):
        raise InvalidArgument("since", "compares all classes, or the class in `of`; leave out where and show")
    try:
        read_conditions(arguments.where or "")
    except ValueError as error:
        raise InvalidArgument("where", str(error)) from None
    try:
        if of is not None and _is_object(of):
            id_of(of)
    except ValueError as error:
        raise InvalidArgument("of", str(error)) from None


def answer(path: Path, graph: HeapGraph, before: HeapGraph | None, arguments: HeapArguments) -> Heap:
    """Answer from a snapshot. Raises `InvalidArgument` and `HeapTooComplex`."""
    try:
        fields = dict(_fields(graph, before, arguments))
    except TooManyReferences as error:
        raise HeapTooComplex(str(error)) from None
    except NoSuchObject as error:
        raise InvalidArgument("of" if _is_object(arguments.of) else "where", str(error)) from None
    except ValueError as error:
        raise InvalidArgument("where", str(error)) from None
    start = ((arguments.page or 1) - 1) * ROWS
    longest = max((len(rows) for name, rows in fields.items() if name in _PAGED), default=0)
    shown = {
        name: rows[start : start + ROWS] if name in _PAGED else rows[:_MOST_ABOVE] if name == "dominators" else rows
        for name, rows in fields.items()
    }
    return Heap(file=path.name, folder=str(path.parent), used=graph.used, pages=-(-longest // ROWS) or 1, **shown)


def _fields(graph: HeapGraph, before: HeapGraph | None, arguments: HeapArguments) -> Iterator[tuple[str, Any]]:
    """The fields of the result, with all rows."""
    of, where, order = arguments.of, arguments.where or "", arguments.sort or "retained"
    if of is not None and _is_object(of):
        yield from _object(graph, of, where, order)
    elif of is not None:
        yield "objects", graph.objects(of, where, order) if before is None else graph.changed_objects(before, of)
        way = graph.retaining_path(of)
        yield from (("retaining_path", way or []), ("not_found", way is None))
    elif arguments.show == "objects":
        yield "objects", graph.objects(None, where, order)
    elif arguments.show == "strings":
        yield "strings", graph.repeated_texts()
    else:
        if before is None:
            yield "classes", graph.classes(where, order)
        else:
            yield "changes", graph.changes_since(before)
        if before is None and graph.is_too_large:
            yield "left_out", "retained sizes: the heap has too many references"


def _object(graph: HeapGraph, number: str, where: str, order: Order) -> Iterator[tuple[str, Any]]:
    found = graph.details(number, where, order)
    yield "objects", [found.object]
    yield "references", found.references
    yield "retainers", found.retainers
    yield "dominators", found.dominators
    yield "retaining_path", found.retaining_path or []
    yield "not_found", found.retaining_path is None


def _is_object(of: str | None) -> bool:
    return of is not None and of.startswith("@")
