"""The format of a protocol schema as frozen structs, so strict that an unknown key stops the generator.

A protocol release with a new key must be understood before code is generated from it: a key without a field here raises
`msgspec.ValidationError` with its path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

Kind = Literal["string", "integer", "number", "boolean", "object", "array", "any", "binary"]
"""`binary` is base64 text on the wire; a live browser uses it, the npm JSON has `string` instead."""


def _one_of(kind: str | None, ref: str | None) -> None:
    if (kind is None) == (ref is None):
        raise ValueError(f"exactly one of `type` and `$ref` is expected, not type={kind!r} $ref={ref!r}")


def _consistent(kind: str | None, items: Items | None, enum: tuple[str, ...] | None) -> None:
    if (kind == "array") != (items is not None):
        raise ValueError(f"`items` belongs to an array, and only there (type={kind!r})")
    if enum is None:
        return
    if kind != "string":
        raise ValueError(f"`enum` belongs to a string (type={kind!r})")
    if not enum or len(set(enum)) != len(enum):
        raise ValueError(f"the values of an enum are distinct, and there is at least one: {enum!r}")


class Items(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"ref": "$ref"}, omit_defaults=True):
    """The type of an array's items."""

    type: Kind | None = None
    ref: str | None = None

    def __post_init__(self) -> None:
        _one_of(self.type, self.ref)


class Property(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"ref": "$ref"}, omit_defaults=True
):
    """A property of an object type, or a parameter of a command or event, or a part of a result."""

    name: str
    description: str = ""
    experimental: bool = False
    deprecated: bool = False
    optional: bool = False
    type: Kind | None = None
    ref: str | None = None
    items: Items | None = None
    enum: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        _one_of(self.type, self.ref)
        _consistent(self.type, self.items, self.enum)

    @property
    def refs(self) -> Iterator[str]:
        """Yield the type that it refers to, itself or as an array's item, as written."""
        if self.ref is not None:
            yield self.ref
        if self.items is not None and self.items.ref is not None:
            yield self.items.ref


class TypeDef(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named type of a domain."""

    id: str
    type: Kind
    description: str = ""
    experimental: bool = False
    deprecated: bool = False
    enum: tuple[str, ...] | None = None
    properties: tuple[Property, ...] | None = None
    items: Items | None = None

    def __post_init__(self) -> None:
        _consistent(self.type, self.items, self.enum)
        if self.properties is not None and self.type != "object":
            raise ValueError(f"`properties` belongs to an object (type={self.type!r})")

    @property
    def refs(self) -> Iterator[str]:
        """Yield every type that it refers to, as written."""
        if self.items is not None and self.items.ref is not None:
            yield self.items.ref
        for item in self.properties or ():
            yield from item.refs


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command of a domain; `redirect` names the domain that implements it."""

    name: str
    description: str = ""
    experimental: bool = False
    deprecated: bool = False
    redirect: str | None = None
    parameters: tuple[Property, ...] = ()
    returns: tuple[Property, ...] = ()


class Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event of a domain."""

    name: str
    description: str = ""
    experimental: bool = False
    deprecated: bool = False
    parameters: tuple[Property, ...] = ()


class Domain(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named group of types, commands and events. Upstream's `dependencies` are incomplete and not used."""

    domain: str
    description: str = ""
    experimental: bool = False
    deprecated: bool = False
    dependencies: tuple[str, ...] = ()
    types: tuple[TypeDef, ...] = ()
    commands: tuple[Command, ...] = ()
    events: tuple[Event, ...] = ()


class Version(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The version of the protocol itself, which has been 1.3 for years."""

    major: str
    minor: str


class Protocol(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole schema, or one of the two files in which it is published."""

    version: Version
    domains: tuple[Domain, ...]
