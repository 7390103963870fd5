"""Conforming messages generated from the schema: the smallest, and one with every field.

They are valid, not meaningful. The schema is that of the bindings unless another one is given.
"""

from __future__ import annotations

from typing import Any, Final

from cdp_typed.mock.errors import NoSuchThing
from cdp_typed.schema import Property, Schema, TypeDef, load_schema

_PLAIN: Final[dict[str, Any]] = {
    "string": "text",
    "binary": "AA==",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "any": "any",
}


def sample_params(method: str, *, full: bool = False, schema: Schema | None = None) -> dict[str, Any]:
    """Return valid parameters of a command: the required ones, or with `full` all. Raises `NoSuchThing`."""
    schema = schema or load_schema()
    command = schema.commands.get(method)
    if command is None:
        raise NoSuchThing(f"the schema has no command {method}")
    return _fields(schema, command.parameters, (), full=full)


def sample_result(method: str, *, full: bool = False, schema: Schema | None = None) -> dict[str, Any]:
    """Return a valid result of a command. Raises `NoSuchThing`."""
    schema = schema or load_schema()
    command = schema.commands.get(method)
    if command is None:
        raise NoSuchThing(f"the schema has no command {method}")
    return _fields(schema, command.returns, (), full=full)


def sample_event(method: str, *, full: bool = False, schema: Schema | None = None) -> dict[str, Any]:
    """Return valid parameters of an event. Raises `NoSuchThing`."""
    schema = schema or load_schema()
    event = schema.events.get(method)
    if event is None:
        raise NoSuchThing(f"the schema has no event {method}")
    return _fields(schema, event.parameters, (), full=full)


def sample_type(name: str, *, full: bool = False, schema: Schema | None = None) -> Any:
    """Return a valid value of a named type, for example `Page.Frame`. Raises `NoSuchThing`."""
    schema = schema or load_schema()
    if name not in schema.types:
        raise NoSuchThing(f"the schema has no type {name}")
    return _named(schema, name, (), full=full)


def _fields(schema: Schema, fields: tuple[Property, ...], inside: tuple[str, ...], *, full: bool) -> dict[str, Any]:
    sample: dict[str, Any] = {}
    for field in fields:
        # A recursive type ends here: an optional field can be left out.
        endless = field.ref in inside
        if not field.optional or (full and not endless):
            sample[field.name] = _value(schema, field, inside, full=full)
    return sample


def _value(schema: Schema, field: Property, inside: tuple[str, ...], *, full: bool) -> Any:
    if field.ref is not None:
        return _named(schema, field.ref, inside, full=full)
    return _shaped(schema, field, inside, full=full)


def _named(schema: Schema, name: str, inside: tuple[str, ...], *, full: bool) -> Any:
    definition = schema.types[name]
    inside = (*inside, name)
    if definition.properties is not None:
        return _fields(schema, definition.properties, inside, full=full)
    return _shaped(schema, definition, inside, full=full)


def _shaped(schema: Schema, shape: Property | TypeDef, inside: tuple[str, ...], *, full: bool) -> Any:
    if shape.enum is not None:
        return shape.enum[0]
    if shape.type == "object":
        return {}
    if shape.type == "array":
        item = shape.items
        if item is None or not full or item.ref in inside:
            return []
        return [_value(schema, Property(name="", type=item.type, ref=item.ref), inside, full=full)]
    return _PLAIN[shape.type or "any"]
