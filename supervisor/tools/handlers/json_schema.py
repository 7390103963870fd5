"""Handlers and arguments from what a host has: a JSON schema and a plain function."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import reduce
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from cdp_typed.wire.json_text import is_array, is_object

Handle: TypeAlias = Callable[[Any, Any], Any]


def expand(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with what its `$ref` refer to in their place. Raises `ValueError`; see `Tool.from_schema`."""
    expanded: dict[str, Any] = _expanded(dict(schema), schema, ())
    if expanded.get("type", "object") != "object" or not is_object(expanded.get("properties", {})):
        raise ValueError("the schema of a tool's arguments is that of an object with properties")
    for name in ("$defs", "definitions", "$schema"):
        expanded.pop(name, None)
    return expanded


def arguments_of(name: str, schema: Mapping[str, Any]) -> type[Struct]:
    """A struct with a field for each property; those that are not required and not given are `UNSET`."""
    required = frozenset(schema.get("required", ()))
    fields: list[Any] = []
    for number, (key, value) in enumerate(schema.get("properties", {}).items()):
        kind = _type(value)
        if key in required:
            fields.append((f"field_{number}", kind, msgspec.field(name=key)))
        else:
            fields.append((f"field_{number}", kind | UnsetType, msgspec.field(default=UNSET, name=key)))
    return msgspec.defstruct(f"Arguments of {name}", fields, frozen=True, kw_only=True, module=__name__)


def handler_of(function: Callable[..., Any], kind: Callable[[Any], Struct]) -> Handle:
    """The handler of a tool that calls the function with keyword arguments, and makes a `kind` of what it returns."""

    async def later(result: Awaitable[Any]) -> Struct:
        return kind(_json(await result))

    async def call_async(context: Any, arguments: Struct) -> Struct:
        return await later(function(**_given(arguments)))

    def call(context: Any, arguments: Struct) -> Any:
        result = function(**_given(arguments))
        return later(result) if inspect.isawaitable(result) else kind(_json(result))

    return call_async if inspect.iscoroutinefunction(function) else call


def _given(arguments: Struct) -> dict[str, Any]:
    values = ((field.encode_name, getattr(arguments, field.name)) for field in msgspec.structs.fields(arguments))
    return {name: value for name, value in values if value is not UNSET}


def _json(result: Any) -> Any:
    """Plain data that every JSON reader takes: keys are texts, and what is no number is null."""
    plain = msgspec.to_builtins(result, str_keys=True)
    return json.loads(json.dumps(plain), parse_constant=lambda name: None)


def _expanded(value: Any, root: Mapping[str, Any], above: tuple[str, ...]) -> Any:
    if is_array(value):
        return [_expanded(item, root, above) for item in value]
    if not is_object(value):
        return value
    reference = value.get("$ref")
    if not isinstance(reference, str):
        choices = value.get("enum")
        kind = {"type": _types_of(choices)} if is_array(choices) and "type" not in value else {}
        return {**{key: _expanded(item, root, above) for key, item in value.items()}, **kind}
    if reference in above:
        raise ValueError(f"the schema refers to itself: {reference}")
    beside = {key: item for key, item in value.items() if key != "$ref"}
    return {**_expanded(_referred(reference, root), root, (*above, reference)), **beside}


def _types_of(values: list[Any]) -> str | list[str]:
    """The type of an enumeration that names none; models are strict about having one."""
    kinds: list[type[object]] = [type(value) for value in values]
    names = list(dict.fromkeys(_TYPES.get(kind, "object") for kind in kinds))
    return names[0] if len(names) == 1 else names


def _referred(reference: str, root: Mapping[str, Any]) -> Any:
    where: Any = root
    for part in reference.removeprefix("#/").split("/"):
        where = where.get(part) if is_object(where) else None
    if not reference.startswith("#/") or not is_object(where):
        raise ValueError(f"the schema refers to what it does not hold: {reference}")
    return where


def _type(schema: Any) -> Any:
    """The type of a value; `Any` for what is described in another way than by types and enumerations."""
    if not is_object(schema):
        return Any
    if "enum" in schema or "const" in schema:
        return _literal(schema["enum"] if "enum" in schema else [schema["const"]])
    if is_array(schema.get("anyOf")):
        kinds = [_type(choice) for choice in schema["anyOf"]]
        return kinds[0] | None if len(kinds) == 2 and kinds[1] is None else Any
    kind = schema.get("type")
    names: list[Any] = list(kind) if is_array(kind) else [kind]
    types = [_plain(str(name), schema) for name in names]
    return types[0] if len(types) == 1 else Any if Any in types else reduce(lambda kinds, kind: kinds | kind, types)


def _literal(values: list[Any]) -> Any:
    return Literal[tuple(values)] if values and all(isinstance(value, str) for value in values) else Any


def _plain(name: str, schema: dict[str, Any]) -> Any:
    match name:
        case "string":
            return str
        case "boolean":
            return bool
        case "integer" | "number":
            kind: Any = int if name == "integer" else float
            limits = {key: schema[word] for key, word in _LIMITS.items() if isinstance(schema.get(word), (int, float))}
            return Annotated[kind, Meta(**limits)] if limits else kind
        case "array":
            return list[_type(schema.get("items"))]  # type: ignore[misc]  # the type is a value
        case "object":
            return dict[str, Any]
        case "null":
            return None
        case _:
            return Any


_TYPES: dict[type[object], str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    list: "array",
}
_LIMITS = {"ge": "minimum", "le": "maximum"}
