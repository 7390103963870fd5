"""Checks messages against the schema itself, so that a mistake in the generated classes shows.

An invalid parameter is the client's mistake and gets Chrome's error. An invalid result or event is the test author's,
and raises `NonConforming` before it leaves the mock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from cdp_typed.mock.errors import NonConforming, NoSuchThing
from cdp_typed.mock.state.error_texts import Refusal, missing_field, none_of, wrong_type
from cdp_typed.schema import Property, Schema, TypeDef, load_schema

__all__ = ["check_event", "check_params", "check_result", "check_type"]

_WORDS: Final = {
    "string": "BINDINGS: string value expected",
    "binary": "BINDINGS: string value expected",
    "integer": "BINDINGS: int32 value expected",
    "number": "BINDINGS: double value expected",
    "boolean": "BINDINGS: bool value expected",
    "array": "CBOR: array start expected",
    "object": "CBOR: map start expected",
}


class _Shape(Struct, frozen=True):
    """The shape of a value in the schema, with references resolved."""

    kind: str
    enum: tuple[str, ...] | None = None
    properties: tuple[Property, ...] | None = None
    item: Property | None = None


class _Problem(Struct, frozen=True):
    path: str
    kind: str
    expected: str


def check_params(method: str, params: Mapping[str, Any]) -> Refusal | None:
    """Return Chrome's error for invalid parameters, or None. Unknown parameters are ignored, as by Chrome."""
    schema = load_schema()
    command = schema.commands.get(method)
    if command is None:
        raise NoSuchThing(f"the schema has no command {method}")
    problem = _check_object(schema, command.parameters, params, "")
    if problem is None:
        return None
    if problem.kind == "missing":
        return missing_field(problem.path)
    if problem.kind == "enum":
        return none_of(problem.path, problem.expected)
    return wrong_type(problem.path, problem.expected)


def check_result(method: str, result: Mapping[str, Any]) -> None:
    """Raise `NonConforming` for an invalid result of `method`."""
    command = load_schema().commands.get(method)
    if command is None:
        raise NoSuchThing(f"the schema has no command {method}")
    _conform(method, command.returns, result, "result")


def check_event(method: str, params: Mapping[str, Any]) -> None:
    """Raise `NonConforming` for invalid parameters of an event."""
    event = load_schema().events.get(method)
    if event is None:
        raise NoSuchThing(f"the schema has no event {method}")
    _conform(method, event.parameters, params, "params")


def check_type(name: str, value: Any) -> None:
    """Raise `NonConforming` for an invalid value of a named type, for example `Page.Frame`."""
    if name not in load_schema().types:
        raise NoSuchThing(f"the schema has no type {name}")
    _conform(name, (Property(name="value", ref=name),), {"value": value}, "type")


def _conform(method: str, fields: tuple[Property, ...], value: Mapping[str, Any], root: str) -> None:
    schema = load_schema()
    problem = _check_object(schema, fields, value, "")
    if problem is not None:
        words = {"missing": "required, and missing", "enum": f"not one of {problem.expected}"}
        said = words.get(problem.kind, problem.expected.partition(": ")[2])
        raise NonConforming(method, f"{root}.{problem.path}", said)
    stranger = _stranger(schema, fields, value, root)
    if stranger is not None:
        raise NonConforming(method, stranger, "the schema has no such field")


def _shape(schema: Schema, item: Property | TypeDef) -> _Shape:
    if isinstance(item, Property) and item.ref is not None:
        return _shape(schema, schema.types[item.ref])
    inside = None
    if item.items is not None:
        inside = Property(name="", type=item.items.type, ref=item.items.ref)
    properties = item.properties if isinstance(item, TypeDef) else None
    return _Shape(item.type or "any", item.enum, properties, inside)


def _check_object(schema: Schema, fields: tuple[Property, ...], value: Mapping[str, Any], path: str) -> _Problem | None:
    """Return the first problem in Chrome's order: present fields as written, then missing ones by name."""
    known = {field.name: field for field in fields}
    for key, item in value.items():
        if key in known:
            problem = _check(schema, known[key], item, f"{path}{key}")
            if problem is not None:
                return problem
    for name in sorted(field.name for field in fields if not field.optional):
        if name not in value:
            return _Problem(f"{path}{name}", "missing", "")
    return None


def _check(schema: Schema, field: Property, value: Any, path: str) -> _Problem | None:
    shape = _shape(schema, field)
    if not _fits(shape.kind, value):
        return _Problem(path, "type", _WORDS[shape.kind])
    if shape.enum is not None and value not in shape.enum:
        return _Problem(path, "enum", ", ".join(shape.enum))
    if shape.item is not None:
        for item in value:
            # Chrome's path has no index.
            problem = _check(schema, shape.item, item, path)
            if problem is not None:
                return problem
    if shape.properties is not None:
        return _check_object(schema, shape.properties, value, f"{path}.")
    return None


def _fits(kind: str, value: Any) -> bool:
    match kind:
        case "string" | "binary":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            # 7.0 is an integer to Chrome, and 2**31 is not.
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return number and value == value // 1 and -(2**31) <= value < 2**31
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "array":
            return isinstance(value, (list, tuple))
        case "object":
            return isinstance(value, Mapping)
        case _:
            return True


def _stranger(schema: Schema, fields: tuple[Property, ...], value: Mapping[str, Any], path: str) -> str | None:
    known = {field.name: field for field in fields}
    for key, item in value.items():
        if key not in known:
            return f"{path}.{key}"
        stranger = _stranger_inside(schema, known[key], item, f"{path}.{key}")
        if stranger is not None:
            return stranger
    return None


def _stranger_inside(schema: Schema, field: Property, value: Any, path: str) -> str | None:
    shape = _shape(schema, field)
    if shape.item is not None:
        for item in value:
            stranger = _stranger_inside(schema, shape.item, item, path)
            if stranger is not None:
                return stranger
    if shape.properties is not None:
        return _stranger(schema, shape.properties, value, path)
    return None
