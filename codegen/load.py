"""Loads the vendored files, verified and cross-checked, as one `Protocol`.

The JSON has the descriptions, the PDL has the type `binary`. Both are read and must agree in all else; every later step
works on the merged schema.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codegen import pdl
from codegen.errors import SchemaError
from codegen.model import Command, Domain, Event, Items, Property, Protocol, TypeDef

SCHEMA = Path(__file__).parent / "schema"
JSON_FILES = ("browser_protocol.json", "js_protocol.json")
PDL_FILES = ("pdl/browser_protocol.pdl", "pdl/js_protocol.pdl")


Part = TypeVar("Part", Domain, TypeDef, Command, Event, Property)
PARTS_OF_PARTS = frozenset({"parameters", "returns", "properties", "types", "commands", "events"})


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `SOURCE`: origin and digests of the vendored files."""

    package: str
    version: str
    revision: str
    licence: str
    homepage: str
    sha256: dict[str, str]

    @property
    def label(self) -> str:
        """Package and version, as the first line of every generated module names them."""
        return f"{self.package} {self.version}"


def load(root: Path = SCHEMA) -> tuple[Source, Protocol]:
    """Load the schema below `root`. Raises `SchemaError` naming the file that is missing, changed or unreadable."""
    source = read_source(root)
    files = [_decode(root / name) for name in JSON_FILES]
    protocol = replace(files[0], domains=tuple(domain for file in files for domain in file.domains))
    return source, merge(protocol, tuple(_pdl_domains(root)))


def read_source(root: Path) -> Source:
    """Read `SOURCE` below `root`, and check that exactly the files that it lists are there, with their sha256."""
    try:
        source = msgspec.convert(tomllib.loads((root / "SOURCE").read_text("utf-8")), Source)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SchemaError(f"SOURCE: {error}") from error
    present = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {"SOURCE"}
    for name in sorted(present ^ source.sha256.keys()):
        raise SchemaError(f"{name}: {'not listed in SOURCE' if name in present else 'listed in SOURCE, but missing'}")
    for name, expected in source.sha256.items():
        actual = hashlib.sha256((root / name).read_bytes()).hexdigest()
        if actual != expected:
            raise SchemaError(f"{name}: sha256 is {actual}, SOURCE says {expected}")
    return source


def _decode(path: Path) -> Protocol:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Protocol)
    except msgspec.MsgspecError as error:
        raise SchemaError(f"{path.name}: {error}") from error


def _pdl_domains(root: Path) -> Iterator[Domain]:
    for name in PDL_FILES:
        path = root / name
        text = path.read_text("utf-8")
        for inner in pdl.includes(text):
            yield from pdl.parse((path.parent / inner).read_text("utf-8"), name=inner)
        yield from pdl.parse(text, name=path.name)


def merge(protocol: Protocol, pdl_domains: tuple[Domain, ...]) -> Protocol:
    """Return the JSON's domains with the PDL's `binary` types. Raises `SchemaError` at the first other difference."""
    by_name = {domain.domain: domain for domain in pdl_domains}
    for name in sorted(by_name.keys() ^ {domain.domain for domain in protocol.domains}):
        raise SchemaError(f"domain {name} is in only one of JSON and PDL")
    return replace(protocol, domains=tuple(_domain(domain, by_name[domain.domain]) for domain in protocol.domains))


def _domain(domain: Domain, other: Domain) -> Domain:
    name = domain.domain
    merged = replace(
        domain,
        types=tuple(_type(name, a, b) for a, b in zip_longest(domain.types, other.types)),
        commands=tuple(_command(name, a, b) for a, b in zip_longest(domain.commands, other.commands)),
        events=tuple(_event(name, a, b) for a, b in zip_longest(domain.events, other.events)),
    )
    return _same(merged, other, name)


def _type(domain: str, item: TypeDef | None, other: TypeDef | None) -> TypeDef:
    if item is None or other is None or item.id != other.id:
        raise SchemaError(f"{domain}: JSON has type {item and item.id}, PDL has {other and other.id}")
    where = f"{domain}.{item.id}"
    if item.properties is not None:
        item = replace(item, properties=_properties(where, item.properties, other.properties or ()))
    return _same(item, other, where)


def _command(domain: str, item: Command | None, other: Command | None) -> Command:
    if item is None or other is None or item.name != other.name:
        raise SchemaError(f"{domain}: JSON has command {item and item.name}, PDL has {other and other.name}")
    where = f"{domain}.{item.name}"
    merged = replace(
        item,
        parameters=_properties(where, item.parameters, other.parameters),
        returns=_properties(where, item.returns, other.returns),
    )
    return _same(merged, other, where)


def _event(domain: str, item: Event | None, other: Event | None) -> Event:
    if item is None or other is None or item.name != other.name:
        raise SchemaError(f"{domain}: JSON has event {item and item.name}, PDL has {other and other.name}")
    where = f"{domain}.{item.name}"
    return _same(replace(item, parameters=_properties(where, item.parameters, other.parameters)), other, where)


def _properties(where: str, items: tuple[Property, ...], others: tuple[Property, ...]) -> tuple[Property, ...]:
    merged: list[Property] = []
    for item, other in zip_longest(items, others):
        if item is None or other is None or item.name != other.name:
            raise SchemaError(f"{where}: JSON has property {item and item.name}, PDL has {other and other.name}")
        if (item.type, other.type) == ("string", "binary"):
            item = replace(item, type="binary")
        elif item.items is not None and other.items == Items(type="binary"):
            item = replace(item, items=other.items)
        merged.append(_same(item, other, f"{where}.{item.name}"))
    return tuple(merged)


def _same(merged: Part, other: Part, where: str) -> Part:
    """Return `merged` if it equals the PDL's item except for descriptions. Raises `SchemaError`."""
    for field in merged.__struct_fields__:
        in_json, in_pdl = getattr(merged, field), getattr(other, field)
        if field != "description" and field not in PARTS_OF_PARTS and in_json != in_pdl:
            raise SchemaError(f"{where}: {field} is {in_json!r} in JSON and {in_pdl!r} in PDL")
    return merged
