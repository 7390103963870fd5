"""Hypothesis strategies for all values that the protocol allows, and for invalid ones.

    @given(samples(page.JavascriptDialogOpening))
    def test_any_dialog_is_shown(event): ...

They are generated from the schema alone, within the limits of JSON and Chrome: integers of 32 bits, finite numbers.
Values nest as deep as the schema demands, and optional fields come two levels deep. Needs `hypothesis`
(`pip install 'cdp-typed[test]'`).
"""

from __future__ import annotations

import base64
from functools import cache, partial
from typing import Any, Final, Literal, TypeVar, overload

from msgspec import Struct

from cdp_typed.conversions import convert
from cdp_typed.mock.schema.typed_samples import SchemaPart, part_of
from cdp_typed.schema import Property, TypeDef, load_schema

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as _missing:
    _words = f"{__name__} needs hypothesis: pip install 'cdp-typed[test]'"
    raise ModuleNotFoundError(_words, name=_missing.name) from _missing

__all__ = ["samples"]

S = TypeVar("S", bound=Struct)
Wire = dict[str, Any]

_DEPTH: Final = 2
_LONGEST: Final = 2
_KEYS: Final = st.text(max_size=5)
_SCALARS: Final = st.none() | st.booleans() | st.integers(-(2**31), 2**31 - 1) | st.text(max_size=10)
_NUMBERS: Final = st.floats(allow_nan=False, allow_infinity=False)
_PLAIN: Final[dict[str, SearchStrategy[Any]]] = {
    "string": st.text(max_size=20),
    "binary": st.binary(max_size=20).map(lambda data: base64.b64encode(data).decode()),
    "integer": st.integers(-(2**31), 2**31 - 1),
    "number": _NUMBERS,
    "boolean": st.booleans(),
    "object": st.dictionaries(_KEYS, _SCALARS, max_size=_LONGEST),
    "any": _SCALARS | st.lists(_SCALARS, max_size=_LONGEST) | st.dictionaries(_KEYS, _SCALARS, max_size=_LONGEST),
}
_EMPTY: Final[list[Any]] = [[], {}]
_MISFITS: Final[dict[str, SearchStrategy[Any]]] = {
    "string": st.none() | st.booleans() | st.integers() | st.sampled_from(_EMPTY),
    "integer": st.none() | st.booleans() | st.text(max_size=5) | st.sampled_from([0.5, 2**31, -(2**31) - 1]),
    "number": st.none() | st.booleans() | st.text(max_size=5) | st.just([]),
    "boolean": st.none() | st.sampled_from([0, 1]) | st.text(max_size=5),
    "object": st.none() | st.integers() | st.text(max_size=5) | st.just([]),
    "array": st.none() | st.integers() | st.text(max_size=5) | st.just(_EMPTY[1]),
}


@overload
def samples(of: type[S], *, valid: Literal[True] = True) -> SearchStrategy[S]: ...
@overload
def samples(of: str, *, valid: bool = True) -> SearchStrategy[Any]: ...
@overload
def samples(of: type[Struct], *, valid: Literal[False]) -> SearchStrategy[Wire]: ...
def samples(of: type[Struct] | str, *, valid: bool = True) -> SearchStrategy[Any]:
    """Return values of a command, event, result or type: of a class of the bindings, or wire values for a name.

    With `valid=False` they have one mistake each, as wire values: a required field is missing, or a value is of a
    wrong type or outside its enum, at any depth. The mock refuses each of them, as Chrome does.

    Raises `NoSuchThing` for what is not in the schema, and `ValueError` for invalid samples where nothing can be wrong:
    Chrome ignores parameters that it does not know.
    """
    part = part_of(of)
    if not valid:
        if (broken := _broken_part(part)) is None:
            raise ValueError(f"no {part.kind} of {part.name} are wrong: nothing is required, and nothing has a type")
        return broken
    wire = _of_part(part)
    return wire if isinstance(of, str) else wire.map(lambda value: convert(value, of))


def _fields_of(part: SchemaPart) -> tuple[Property, ...] | None:
    schema = load_schema()
    if part.kind == "type":
        return None
    if part.kind == "event":
        return schema.events[part.name].parameters
    command = schema.commands[part.name]
    return command.parameters if part.kind == "params" else command.returns


def _of_part(part: SchemaPart) -> SearchStrategy[Any]:
    fields = _fields_of(part)
    return _named(part.name, _DEPTH) if fields is None else _object(fields, _DEPTH)


def _broken_part(part: SchemaPart) -> SearchStrategy[Any] | None:
    fields = _fields_of(part)
    return _broken_named(part.name, _DEPTH) if fields is None else _broken_object(fields, _DEPTH)


# -- valid values --------------------------------------------------------------------------------------------------


@cache
def _named(name: str, depth: int) -> SearchStrategy[Any]:
    return _shaped(load_schema().types[name], depth)


def _value(field: Property, depth: int) -> SearchStrategy[Any]:
    return _shaped(field, depth) if field.ref is None else _named(field.ref, depth)


def _shaped(shape: Property | TypeDef, depth: int) -> SearchStrategy[Any]:
    if shape.enum is not None:
        return st.sampled_from(shape.enum)
    if isinstance(shape, TypeDef) and shape.properties is not None:
        return _object(shape.properties, depth - 1)
    if shape.type == "array":
        # Below the last level lists are empty, which ends recursive types.
        return st.lists(_item(shape, depth - 1), max_size=_LONGEST) if depth > 0 else st.just([])
    return _PLAIN[shape.type or "any"]


def _item(shape: Property | TypeDef, depth: int) -> SearchStrategy[Any]:
    item = shape.items
    return _PLAIN["any"] if item is None else _value(Property(name="", type=item.type, ref=item.ref), depth)


def _object(fields: tuple[Property, ...], depth: int) -> SearchStrategy[Wire]:
    required = {field.name: _value(field, depth) for field in fields if not field.optional}
    optional = {field.name: _value(field, depth) for field in fields if field.optional} if depth > 0 else {}
    return st.fixed_dictionaries(required, optional=optional)


# -- invalid values ------------------------------------------------------------------------------------------------


@cache
def _broken_named(name: str, depth: int) -> SearchStrategy[Any] | None:
    return _broken_shape(load_schema().types[name], depth)


def _broken_value(field: Property, depth: int) -> SearchStrategy[Any] | None:
    return _broken_shape(field, depth) if field.ref is None else _broken_named(field.ref, depth)


def _broken_shape(shape: Property | TypeDef, depth: int) -> SearchStrategy[Any] | None:
    kind = "string" if shape.type == "binary" else shape.type or "any"
    if kind == "any":
        return None
    wrong = [_MISFITS[kind]]
    if shape.enum is not None:
        wrong.append(_PLAIN["string"].filter(partial(_is_outside, shape.enum)))
    if depth > 0 and isinstance(shape, TypeDef) and shape.properties is not None:
        wrong += _if_any(_broken_object(shape.properties, depth - 1))
    if depth > 0 and kind == "array" and shape.items is not None:
        item = Property(name="", type=shape.items.type, ref=shape.items.ref)
        wrong += [st.tuples(bad).map(list) for bad in _if_any(_broken_value(item, depth - 1))]
    return st.one_of(wrong)


def _broken_object(fields: tuple[Property, ...], depth: int) -> SearchStrategy[Wire] | None:
    whole = _object(fields, 0)
    wrong: list[SearchStrategy[Wire]] = []
    for field in fields:
        if not field.optional:
            wrong.append(whole.map(partial(_without, field.name)))
        bad = _if_any(_broken_value(field, depth))
        wrong += [st.builds(_with, whole, st.just(field.name), value) for value in bad]
    return st.one_of(wrong) if wrong else None


def _if_any(strategy: SearchStrategy[Any] | None) -> list[SearchStrategy[Any]]:
    return [] if strategy is None else [strategy]


def _with(value: Wire, name: str, bad: object) -> Wire:
    return {**value, name: bad}


def _is_outside(enum: tuple[str, ...], text: str) -> bool:
    return text not in enum


def _without(name: str, value: Wire) -> Wire:
    return {key: item for key, item in value.items() if key != name}
