"""Traffic as an older browser would send it: sampled results and events of an older schema, as JSON Lines.

    npm pack devtools-protocol@VERSION && tar xf devtools-protocol-VERSION.tgz
    python -m tests.data.make_old_traffic package > tests/data/traffic-VERSION.jsonl

Each message comes with its required fields only, with all fields, and once for each enum value that today's schema does
not have any more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from cdp_typed.mock import sample_event, sample_result
from cdp_typed.schema import Property, Schema, TypeDef, load_schema, parse_schema


def read(package: Path) -> Schema:
    """The schema of an unpacked npm package."""
    files = [
        json.loads((package / "json" / name).read_bytes()) for name in ("browser_protocol.json", "js_protocol.json")
    ]
    return parse_schema(json.dumps({"domains": [domain for file in files for domain in file["domains"]]}).encode())


def traffic(schema: Schema) -> Iterator[dict[str, Any]]:
    """Every distinct message."""
    seen: set[str] = set()
    for variant, full in ((schema, False), (schema, True), *((old, True) for old in _with_old_values(schema))):
        for message in _messages(variant, full=full):
            text = json.dumps(message)
            if text not in seen:
                seen.add(text)
                yield message


def _messages(schema: Schema, *, full: bool) -> Iterator[dict[str, Any]]:
    for method in schema.events:
        yield {"event": method, "params": sample_event(method, full=full, schema=schema)}
    for method, command in schema.commands.items():
        if command.returns:
            yield {"command": method, "result": sample_result(method, full=full, schema=schema)}


def _with_old_values(schema: Schema) -> Iterator[Schema]:
    """Schemas that begin each enum with another value that is gone today, until all such values have come first."""
    known = load_schema()
    at = 0
    while True:
        turned = _turned(schema, known, at)
        if turned == schema:
            return
        yield turned
        at += 1


def _turned(schema: Schema, known: Schema, at: int) -> Schema:
    types = {name: _turned_type(item, known.types.get(name), at) for name, item in schema.types.items()}
    commands = {
        name: replace(item, returns=_turned_all(item.returns, known.commands[name].returns, at))
        if name in known.commands
        else item
        for name, item in schema.commands.items()
    }
    events = {
        name: replace(item, parameters=_turned_all(item.parameters, known.events[name].parameters, at))
        if name in known.events
        else item
        for name, item in schema.events.items()
    }
    return replace(schema, types=types, commands=commands, events=events)


def _turned_type(item: TypeDef, known: TypeDef | None, at: int) -> TypeDef:
    if known is None:
        return item
    properties = item.properties and _turned_all(item.properties, known.properties or (), at)
    return replace(item, properties=properties, enum=_old_first(item.enum, known.enum, at))


def _turned_all(items: tuple[Property, ...], known: tuple[Property, ...], at: int) -> tuple[Property, ...]:
    enums: Mapping[str, tuple[str, ...] | None] = {item.name: item.enum for item in known}
    return tuple(replace(item, enum=_old_first(item.enum, enums.get(item.name), at)) for item in items)


def _old_first(values: tuple[str, ...] | None, known: tuple[str, ...] | None, at: int) -> tuple[str, ...] | None:
    gone = [value for value in values or () if known is not None and value not in known]
    return (gone[at],) if at < len(gone) else values


if __name__ == "__main__":
    sys.stdout.writelines(
        f"{json.dumps(message, separators=(',', ':'))}\n" for message in traffic(read(Path(sys.argv[1])))
    )
