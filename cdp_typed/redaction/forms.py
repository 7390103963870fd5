"""The forms in which a value comes, JSON and typed values, seen as one: items, and members by their names on the wire.

Rules of redaction see a value only through these functions, so that none can know one form and miss another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeGuard, cast

import msgspec
from msgspec import UNSET, Struct


def is_items(value: Any) -> TypeGuard[Any]:
    """Whether it is a list, a tuple or a set."""
    return isinstance(value, list | tuple | set | frozenset)


def in_form_of(value: Any, items: Iterable[Any]) -> Any:
    """These items as a list, a tuple or a set, as `value` is one."""
    for form in (tuple, set, frozenset):
        if isinstance(value, form):
            made: Any = cast("Any", form)(items)
            return made
    return list(items)


def members_in(value: Any) -> Mapping[str, Any] | None:
    """The members that an object has, by their names on the wire; None for what is no object."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value)
    if not isinstance(value, Struct):
        return None
    given = ((wire, getattr(value, name)) for name, wire in _wire_names(type(value)).items())
    return {wire: item for wire, item in given if item is not None and item is not UNSET}


def changed(value: Any, members: Mapping[str, Any], key: Callable[[str], str] = str) -> Any:
    """The object with these members, in the same form; `key` changes the names of plain JSON."""
    if not isinstance(value, Struct):
        return {key(str(name)): item for name, item in members.items()}
    names = {wire: name for name, wire in _wire_names(type(value)).items()}
    return msgspec.structs.replace(value, **{names[wire]: item for wire, item in members.items()})


def plain(value: Any) -> Any:
    """The same as plain JSON."""
    if is_items(value):
        return [plain(item) for item in value]
    members = members_in(value)
    return value if members is None else {name: plain(item) for name, item in members.items()}


@cache
def _wire_names(cls: type[Struct]) -> Mapping[str, str]:
    return {field.name: field.encode_name for field in msgspec.structs.fields(cls)}
