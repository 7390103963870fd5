"""Samples as instances of the generated classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from msgspec import Struct

from cdp_typed._base import Command, Event
from cdp_typed.conversions import convert
from cdp_typed.mock.errors import NoSuchThing
from cdp_typed.mock.schema.json_samples import sample_event, sample_params, sample_result, sample_type
from cdp_typed.protocol.registry import COMMANDS, DOMAINS, command_class
from cdp_typed.schema import load_schema

S = TypeVar("S", bound=Struct)

_TYPES = "cdp_typed.protocol._types."
_SMALLEST: dict[str, Callable[..., Any]] = {
    "params": sample_params,
    "result": sample_result,
    "event": sample_event,
    "type": sample_type,
}
_COMMANDS = "cdp_typed.protocol._commands."


class SchemaPart(Struct, frozen=True):
    """The parameters or the result of a command, the parameters of an event, or a type; by its schema name."""

    kind: Literal["params", "result", "event", "type"]
    name: str


def part_of(of: type[Struct] | str) -> SchemaPart:
    """Return the part of the schema for a class of the bindings or a name. Raises `NoSuchThing`."""
    if isinstance(of, str):
        return _named(of)
    if issubclass(of, Command):
        return SchemaPart("params", of.METHOD)
    if issubclass(of, Event):
        return SchemaPart("event", of.METHOD)
    domains = {module: domain for domain, module in DOMAINS.items()}
    if of.__module__.startswith(_TYPES):
        return SchemaPart("type", f"{domains[of.__module__.removeprefix(_TYPES)]}.{of.__name__}")
    if of.__module__.startswith(_COMMANDS):
        prefix = f"{domains[of.__module__.removeprefix(_COMMANDS)]}."
        for method in COMMANDS:
            if method.startswith(prefix) and command_class(method).RESULT is of:
                return SchemaPart("result", method)
    raise NoSuchThing(f"{of.__qualname__} is no class of the bindings")


def sample(of: type[S], *, full: bool = False) -> S:
    """Return the smallest value of a command, event, result or type of the bindings; with `full`, all its fields.

    Raises `NoSuchThing` for any other class.
    """
    part = part_of(of)
    return convert(_SMALLEST[part.kind](part.name, full=full), of)


def _named(name: str) -> SchemaPart:
    schema = load_schema()
    if name in schema.commands:
        return SchemaPart("params", name)
    if name in schema.events:
        return SchemaPart("event", name)
    if name in schema.types:
        return SchemaPart("type", name)
    raise NoSuchThing(f"the schema has no command, event or type {name}")
