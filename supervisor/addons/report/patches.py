"""The difference between two values as a patch, and a patch applied. `model.Patch` says what a patch is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from msgspec import Struct

from cdp_typed.wire.json_text import is_array

from .model import Patch, Path


def difference(old: Struct, new: Struct) -> Patch:
    """The way from one frozen value to another one of its class. The values in it are still typed."""
    patch: Patch = []
    _compare(old, new, [], patch)
    return patch


def _compare(old: object, new: object, path: Path, patch: Patch) -> None:
    if old is new or old == new:
        return
    if isinstance(old, Struct) and type(old) is type(new):
        for name in old.__struct_fields__:
            before, after = getattr(old, name), getattr(new, name)
            if before is not after:
                _compare(before, after, [*path, name], patch)
    elif _is_mapping(old) and _is_mapping(new):
        _compare_mappings(old, new, path, patch)
    elif _is_sequence(old) and _is_sequence(new):
        _compare_sequences(old, new, path, patch)
    else:
        patch.append(["set", path, new])


def _compare_mappings(old: Mapping[str, object], new: Mapping[str, object], path: Path, patch: Patch) -> None:
    patch.extend(["delete", [*path, name]] for name in old if name not in new)
    for name, value in new.items():
        if name in old:
            _compare(old[name], value, [*path, name], patch)
        else:
            patch.append(["set", [*path, name], value])


def _compare_sequences(old: Sequence[object], new: Sequence[object], path: Path, patch: Patch) -> None:
    """Entries leave at the front of a full list, and come at its end; elsewhere few change at a time."""
    left = next((at for at, entry in enumerate(old) if new and (entry is new[0] or entry == new[0])), 0)
    if left and old[left:] == new[: len(old) - left]:
        patch.append(["splice", path, 0, left, []])
        old = old[left:]
    start, end = 0, 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    if len(old) == len(new) and len(new) - start - end == 1:
        _compare(old[start], new[start], [*path, start], patch)
    elif len(old) - start - end or len(new) - start - end:
        patch.append(["splice", path, start, len(old) - start - end, list(new[start : len(new) - end])])


def applied(state: Any, patch: Patch) -> Any:
    """The state after a patch. The one before is left as it was."""
    for name, path, *operands in patch:
        state = _changed(state, path, name, operands)
    return state


def _changed(value: Any, path: Path, name: str, operands: list[Any]) -> Any:
    if name == "splice" and not path:
        start, count, values = operands
        return [*value[:start], *values, *value[start + count :]]
    if name == "set" and not path:
        return operands[0]
    copy = _copied(value)
    first: Any = path[0]
    if name == "delete" and len(path) == 1:
        del copy[first]
    else:
        inner: Any = None if name == "set" and len(path) == 1 else copy[first]
        copy[first] = _changed(inner, path[1:], name, operands)
    return copy


def _copied(value: Any) -> Any:
    return list(value) if is_array(value) else dict(value)


def _is_mapping(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, tuple | list)
