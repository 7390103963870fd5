"""The protocol schema at run time, as frozen values: the bindings' own `protocol.json`, or a live browser's answer.

The mock server validates against it and `diff` compares with it, independently of the generated classes. The file has
the shape of a real browser's `/json/protocol` without the descriptions, so one reader serves both. Keys that a newer
browser adds are ignored; a reference that leads nowhere is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.conversions import decode

__all__ = [
    "CommandDef",
    "Domain",
    "EventDef",
    "Items",
    "Property",
    "Schema",
    "SchemaInvalid",
    "TypeDef",
    "load_schema",
    "parse_schema",
    "schema_bytes",
]


class SchemaInvalid(ValueError):
    """The text is no protocol schema, or it refers to a type that it does not define."""


class Items(Struct, frozen=True, kw_only=True, rename={"ref": "$ref"}):
    """The items of an array: a `type` of JSON (or `any`, `binary`), or a `ref` to a named type, `Domain.Type`."""

    type: str | None = None
    ref: str | None = None


class Property(Struct, frozen=True, kw_only=True, rename={"ref": "$ref"}):
    """A property of an object, a parameter, or a part of a result, under its wire name.

    `type` is `string`, `integer`, `number`, `boolean`, `object`, `array`, `any` or `binary` (base64 text); where it is
    `None`, `ref` names a type, always in full: `Page.FrameId`.
    """

    name: str
    type: str | None = None
    ref: str | None = None
    items: Items | None = None
    enum: tuple[str, ...] | None = None
    optional: bool = False
    experimental: bool = False
    deprecated: bool = False


class TypeDef(Struct, frozen=True, kw_only=True):
    """A named type. An `object` without `properties` may have any."""

    id: str
    type: str
    enum: tuple[str, ...] | None = None
    properties: tuple[Property, ...] | None = None
    items: Items | None = None
    experimental: bool = False
    deprecated: bool = False


class CommandDef(Struct, frozen=True, kw_only=True):
    """A command of a domain; `redirect` names the domain that executes it."""

    name: str
    parameters: tuple[Property, ...] = ()
    returns: tuple[Property, ...] = ()
    redirect: str | None = None
    experimental: bool = False
    deprecated: bool = False


class EventDef(Struct, frozen=True, kw_only=True):
    """An event of a domain."""

    name: str
    parameters: tuple[Property, ...] = ()
    experimental: bool = False
    deprecated: bool = False


class Domain(Struct, frozen=True, kw_only=True):
    """A named group of types, commands and events."""

    domain: str
    types: tuple[TypeDef, ...] = ()
    commands: tuple[CommandDef, ...] = ()
    events: tuple[EventDef, ...] = ()
    experimental: bool = False
    deprecated: bool = False


class Schema(Struct, frozen=True, kw_only=True):
    """The whole schema, looked up by full name: `types["Page.Frame"]`, `commands["Page.navigate"]`."""

    domains: dict[str, Domain]
    types: dict[str, TypeDef]
    commands: dict[str, CommandDef]
    events: dict[str, EventDef]


class _SchemaFile(Struct, frozen=True):
    domains: tuple[Domain, ...]


@cache
def load_schema() -> Schema:
    """Return the schema that the bindings were generated from; it is read once (a few milliseconds)."""
    return parse_schema(schema_bytes())


def schema_bytes() -> bytes:
    """Return `protocol.json`: the `/json/protocol` of a browser of this version, without descriptions."""
    return files("cdp_typed.protocol").joinpath("protocol.json").read_bytes()


def parse_schema(text: bytes) -> Schema:
    """Read the schema in a `/json/protocol` response. Raises `SchemaInvalid`."""
    try:
        domains = tuple(_qualified(domain) for domain in decode(text, type=_SchemaFile).domains)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SchemaInvalid(str(error)) from error
    schema = Schema(
        domains={domain.domain: domain for domain in domains},
        types={f"{domain.domain}.{item.id}": item for domain in domains for item in domain.types},
        commands={f"{domain.domain}.{item.name}": item for domain in domains for item in domain.commands},
        events={f"{domain.domain}.{item.name}": item for domain in domains for item in domain.events},
    )
    for where, ref in _references(schema):
        if ref not in schema.types:
            raise SchemaInvalid(f"{where} refers to {ref}, which is not defined")
    return schema


def _references(schema: Schema) -> Iterator[tuple[str, str]]:
    for name, definition in schema.types.items():
        if definition.items is not None and definition.items.ref is not None:
            yield name, definition.items.ref
    lists = [
        *((name, item.properties or ()) for name, item in schema.types.items()),
        *((name, (*item.parameters, *item.returns)) for name, item in schema.commands.items()),
        *((name, item.parameters) for name, item in schema.events.items()),
    ]
    for name, parts in lists:
        for part in parts:
            for ref in (part.ref, part.items.ref if part.items is not None else None):
                if ref is not None:
                    yield f"{name}.{part.name}", ref


def _qualified(domain: Domain) -> Domain:
    """Return the domain with every reference in full; in the JSON the domain's own name is left out."""
    name = domain.domain
    return replace(
        domain,
        types=tuple(
            replace(
                item,
                items=_items(name, item.items),
                properties=_properties(name, item.properties) if item.properties is not None else None,
            )
            for item in domain.types
        ),
        commands=tuple(
            replace(item, parameters=_properties(name, item.parameters), returns=_properties(name, item.returns))
            for item in domain.commands
        ),
        events=tuple(replace(item, parameters=_properties(name, item.parameters)) for item in domain.events),
    )


def _properties(domain: str, items: tuple[Property, ...]) -> tuple[Property, ...]:
    return tuple(replace(item, ref=_full(domain, item.ref), items=_items(domain, item.items)) for item in items)


def _items(domain: str, items: Items | None) -> Items | None:
    return None if items is None else replace(items, ref=_full(domain, items.ref))


def _full(domain: str, ref: str | None) -> str | None:
    return ref if ref is None or "." in ref else f"{domain}.{ref}"
