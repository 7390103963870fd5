"""The model refuses what it does not know."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from codegen.model import Protocol
from tests.support.schemas import protocol

PROPERTY = {"name": "p", "type": "string"}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown key of a domain": ({"domain": "A", "since": 1}, "unknown field `since` - at `$.domains[0]`"),
    "an unknown key of a type": (
        {"domain": "A", "types": [{"id": "T", "type": "string", "format": "x"}]},
        "unknown field `format` - at `$.domains[0].types[0]`",
    ),
    "an unknown key of a command": (
        {"domain": "A", "commands": [{"name": "c", "async": True}]},
        "unknown field `async` - at `$.domains[0].commands[0]`",
    ),
    "an unknown key of an event": (
        {"domain": "A", "events": [{"name": "e", "async": True}]},
        "unknown field `async` - at `$.domains[0].events[0]`",
    ),
    "an unknown key of a parameter": (
        {"domain": "A", "commands": [{"name": "c", "parameters": [{**PROPERTY, "unit": "ms"}]}]},
        "unknown field `unit` - at `$.domains[0].commands[0].parameters[0]`",
    ),
    "an unknown key of an array's items": (
        {"domain": "A", "types": [{"id": "T", "type": "array", "items": {"type": "string", "x": 1}}]},
        "unknown field `x` - at `$.domains[0].types[0].items`",
    ),
    "an unknown kind": ({"domain": "A", "types": [{"id": "T", "type": "bigint"}]}, "Invalid enum value 'bigint'"),
    "neither type nor $ref": (
        {"domain": "A", "events": [{"name": "e", "parameters": [{"name": "p"}]}]},
        "exactly one of `type` and `$ref` is expected",
    ),
    "both type and $ref": (
        {"domain": "A", "events": [{"name": "e", "parameters": [{**PROPERTY, "$ref": "T"}]}]},
        "exactly one of `type` and `$ref` is expected",
    ),
    "an array without items": (
        {"domain": "A", "events": [{"name": "e", "parameters": [{"name": "p", "type": "array"}]}]},
        "`items` belongs to an array",
    ),
    "items of a string": (
        {"domain": "A", "events": [{"name": "e", "parameters": [{**PROPERTY, "items": {"type": "string"}}]}]},
        "`items` belongs to an array",
    ),
    "an enum of integers": (
        {"domain": "A", "types": [{"id": "T", "type": "integer", "enum": ["1"]}]},
        "`enum` belongs to a string",
    ),
    "an enum without values": ({"domain": "A", "types": [{"id": "T", "type": "string", "enum": []}]}, "at least one"),
    "an enum value twice": ({"domain": "A", "types": [{"id": "T", "type": "string", "enum": ["a", "a"]}]}, "distinct"),
    "properties of a string": (
        {"domain": "A", "types": [{"id": "T", "type": "string", "properties": []}]},
        "`properties` belongs to an object",
    ),
}


@pytest.mark.parametrize(("domain", "message"), BAD.values(), ids=BAD.keys())
def test_it_is_refused_with_its_place(domain: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        protocol(domain)

    assert message in str(caught.value)


def test_a_schema_without_domains_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="missing required field `domains`"):
        msgspec.convert({"version": {"major": "1", "minor": "3"}}, Protocol)
