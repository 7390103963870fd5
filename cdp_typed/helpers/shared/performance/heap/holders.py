"""Which objects only detached elements, the console, event handlers or closures hold, and the document of each."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from itertools import compress

from .analysis import HeapAnalysis
from .counting import is_synthetic
from .distances import NOWHERE
from .links import Links
from .snapshot import DETACHED, Snapshot

NO_DOCUMENT, SEVERAL_DOCUMENTS = -1, -2
"""An object that belongs to no global scope, or to more than one."""
_SCOPES = ("system / NativeContext", "Detached system / NativeContext")


def is_closure_context(snapshot: Snapshot, node: int) -> bool:
    """It has the variables of a function that its closures share."""
    name = snapshot.name_of(node)
    return name == "system / Context" or name.startswith("system / Context / ")


def held_by(analysis: HeapAnalysis, holder: str) -> bytearray:
    """By node, 1 if it can be reached, but only by way of one of the `HOLDERS`."""
    reached = HOLDERS[holder](analysis)
    return bytearray(
        not is_reached and distance != NOWHERE for is_reached, distance in zip(reached, analysis.distances, strict=True)
    )


def _around(find: Callable[[Snapshot], Iterator[int]]) -> Callable[[HeapAnalysis], bytearray]:
    """The nodes that are reached without those that `find` finds."""

    def reached(analysis: HeapAnalysis) -> bytearray:
        avoided = [*find(analysis.snapshot)]
        return analysis.links.reached([0], avoided)

    return reached


def _detached(snapshot: Snapshot) -> Iterator[int]:
    return (node for node, state in enumerate(snapshot.states) if state == DETACHED)


def _contexts(snapshot: Snapshot) -> Iterator[int]:
    return (node for node in range(len(snapshot.kinds)) if is_closure_context(snapshot, node))


def _handlers(snapshot: Snapshot) -> Iterator[int]:
    """The functions of event listeners, or the objects that have them (`handleEvent`)."""
    for node in range(len(snapshot.kinds)):
        if snapshot.name_of(node) == "V8EventListener":
            callback = _target(snapshot, node, "1")
            if callback is not None:
                yield callback if _is_code(snapshot, callback) else _function_of(snapshot, callback)


def _function_of(snapshot: Snapshot, node: int) -> int:
    held = (snapshot.targets[edge] for edge in snapshot.edges_of(node))
    return next((each for each in held if _is_code(snapshot, each)), node)


def _is_code(snapshot: Snapshot, node: int) -> bool:
    return _target(snapshot, node, "code") is not None


def _target(snapshot: Snapshot, node: int, name: str) -> int | None:
    named = (edge for edge in snapshot.edges_of(node) if snapshot.edge_name(edge) == name)
    edge = next(named, None)
    return None if edge is None else snapshot.targets[edge]


def _without_console(analysis: HeapAnalysis) -> bytearray:
    snapshot, chosen = analysis.snapshot, bytearray(analysis.strong)
    for node in range(len(snapshot.kinds)):
        if is_synthetic(snapshot, node):
            for edge in snapshot.edges_of(node):
                if snapshot.edge_name(edge).endswith(" / DevTools console"):
                    chosen[edge] = 0
    return Links(snapshot.first_edges, snapshot.targets, bytes(chosen)).reached([0])


HOLDERS: Mapping[str, Callable[[HeapAnalysis], bytearray]] = {
    "detached": _around(_detached),
    "console": _without_console,
    "handlers": _around(_handlers),
    "closures": _around(_contexts),
}
"""The things that may hold objects: elements in no document, the console, event handlers, variables of closures."""


def global_scopes(snapshot: Snapshot) -> Iterator[int]:
    """The nodes of the global scopes: one for each document and each isolated world."""
    for node in range(len(snapshot.kinds)):
        name = snapshot.name_of(node)
        if name in _SCOPES or name.startswith(tuple(f"{scope} / " for scope in _SCOPES)):
            yield node


def scopes_of(analysis: HeapAnalysis) -> array[int]:
    """By node, the global scope to which it belongs: that of its hidden class, or else of what refers to it."""
    snapshot = analysis.snapshot
    owners = array("q", [NO_DOCUMENT]) * len(snapshot.kinds)
    scopes = {*global_scopes(snapshot)}
    maps, natives = _maps_and_scopes(snapshot, scopes)
    for node in range(len(owners)):
        kind = maps[node]
        if node in scopes:
            owners[node] = node
        elif kind >= 0 and maps[kind] >= 0:
            owners[node] = natives[maps[kind]]
    _pass_on(analysis, owners)
    return owners


def _maps_and_scopes(snapshot: Snapshot, scopes: set[int]) -> tuple[array[int], array[int]]:
    """By node, its hidden class and the scope that it names; -1 for none."""
    maps = array("q", [-1]) * len(snapshot.kinds)
    natives = array("q", [NO_DOCUMENT]) * len(snapshot.kinds)
    internal = snapshot.edges_where("internal")
    wanted = {number: text for number, text in enumerate(snapshot.strings) if text in ("map", "native_context")}
    for node in range(len(maps)):
        first, last = snapshot.first_edges[node], snapshot.first_edges[node + 1]
        for edge in compress(range(first, last), internal[first:last]):
            name, target = wanted.get(snapshot.edge_names[edge]), snapshot.targets[edge]
            if name == "map" and maps[node] < 0:
                maps[node] = target
            elif name == "native_context" and natives[node] < 0 and target in scopes:
                natives[node] = target
    return maps, natives


def _pass_on(analysis: HeapAnalysis, owners: array[int]) -> None:
    snapshot = analysis.snapshot
    links = Links(snapshot.first_edges, snapshot.targets, snapshot.edges_where("weak", "shortcut", leave_out=True))
    fixed = bytearray(owner != NO_DOCUMENT for owner in owners)
    queue = [*compress(range(len(owners)), fixed)]
    for node in queue:  # the queue grows
        owner = owners[node]
        for target in links.targets[links.first[node] : links.first[node + 1]]:
            known = owners[target]
            if fixed[target] or known in (owner, SEVERAL_DOCUMENTS):
                continue
            owners[target] = owner if known == NO_DOCUMENT else SEVERAL_DOCUMENTS
            queue.append(target)
