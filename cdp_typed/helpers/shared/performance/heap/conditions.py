"""Conditions for objects of a heap, as text: `type=closure retained>10k name=cache`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .analysis import HeapAnalysis
from .class_names import object_name
from .snapshot import DETACHED

_CONDITION = re.compile(r"([a-z]+)(!?=|[<>])(.+)")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(k|m|)b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
_ID = re.compile(r"@?(\d+)")
_CONDITIONS = (
    "name=", "type=", "type!=", "property=", "size>", "size<", "retained>", "retained<", "detached=",
)  # fmt: skip

Check = Callable[[int], bool]


@dataclass(frozen=True)
class ObjectFilter:
    """One condition: `size`, `>`, `1000`."""

    key: str
    operator: str
    value: str


def read_conditions(text: str) -> list[ObjectFilter]:
    """Read conditions separated by spaces. A value with spaces is in quotes. Raises `ValueError` for any other text."""
    return [_read(word) for word in shlex.split(text)]


def _read(word: str) -> ObjectFilter:
    match = _CONDITION.fullmatch(word)
    if match is None or f"{match[1]}{match[2]}" not in _CONDITIONS:
        raise ValueError(f"{word!r} is no condition; use {', '.join(_CONDITIONS)}")
    key, operator, value = match.groups()
    if key in ("size", "retained"):
        size_of(value)
    elif key == "detached" and value not in ("true", "false"):
        raise ValueError("detached= must be one of true, false")
    return ObjectFilter(key, operator, value)


def size_of(text: str) -> float:
    """A number of bytes: `2000`, `2k`, `1.5MB`. Raises `ValueError`."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no number of bytes, such as 2000, 20k or 1.5M")
    return float(match[1]) * _UNITS[match[2].lower()]


def id_of(text: str) -> int:
    """The id of an object: `@1234`. Raises `ValueError`."""
    match = _ID.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no id of an object, such as @1234")
    return int(match[1])


def fits_all(analysis: HeapAnalysis, conditions: list[ObjectFilter]) -> Check:
    """Return a function that tells whether a node fits all conditions."""
    checks = [*_checks(analysis, conditions)]
    return lambda node: all(check(node) for check in checks)


def _checks(analysis: HeapAnalysis, conditions: list[ObjectFilter]) -> Iterator[Check]:
    for condition in conditions:
        if condition.key in ("size", "retained"):
            yield _compare(analysis, condition)
        else:
            yield _OTHERS[condition.key](analysis, condition)


def _compare(analysis: HeapAnalysis, condition: ObjectFilter) -> Check:
    sizes = analysis.snapshot.sizes if condition.key == "size" else analysis.retained
    bound = size_of(condition.value)
    return (lambda node: sizes[node] >= bound) if condition.operator == ">" else (lambda node: sizes[node] <= bound)


def _name(analysis: HeapAnalysis, condition: ObjectFilter) -> Check:
    wanted, snapshot = condition.value.casefold(), analysis.snapshot
    return lambda node: wanted in object_name(snapshot, node).casefold()


def _type(analysis: HeapAnalysis, condition: ObjectFilter) -> Check:
    snapshot, is_wanted = analysis.snapshot, condition.operator == "="
    kinds = {kind for kind, name in enumerate(snapshot.types) if name.replace(" ", "-") == condition.value}
    if not kinds:
        known = ", ".join(name.replace(" ", "-") for name in snapshot.types)
        raise ValueError(f"type= must be one of {known}")
    return lambda node: (snapshot.kinds[node] in kinds) == is_wanted


def _property(analysis: HeapAnalysis, condition: ObjectFilter) -> Check:
    wanted, snapshot = condition.value.casefold(), analysis.snapshot
    return lambda node: any(wanted in snapshot.edge_name(edge).casefold() for edge in snapshot.edges_of(node))


def _detached(analysis: HeapAnalysis, condition: ObjectFilter) -> Check:
    states, is_wanted = analysis.snapshot.states, condition.value == "true"
    return lambda node: (states[node] == DETACHED) == is_wanted


_OTHERS: dict[str, Callable[[HeapAnalysis, ObjectFilter], Check]] = {
    "name": _name, "type": _type, "property": _property, "detached": _detached,
}  # fmt: skip
