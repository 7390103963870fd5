"""Two schemas compared: each kind of difference, alone, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed.endpoint.discovery import fetch_protocol
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.schema import Schema, load_schema, parse_schema
from cdp_typed.schema.diff import Change, Difference, Level, compare


def schema(**parts: Any) -> Schema:
    """A schema of one domain `A`."""
    return parse_schema(json.dumps({"domains": [{"domain": "A", **parts}]}).encode())


def command(*parameters: dict[str, Any], returns: tuple[dict[str, Any], ...] = (), **marks: bool) -> Schema:
    """A schema of one command `A.c`."""
    return schema(commands=[{"name": "c", "parameters": list(parameters), "returns": list(returns), **marks}])


def kind(**shape: Any) -> Schema:
    """A schema of one type `A.T`."""
    return schema(types=[{"id": "T", **shape}])


TEXT = {"name": "p", "type": "string"}
NOTHING = schema()


@pytest.mark.parametrize(
    ("ours", "theirs", "level", "change", "name", "detail"),
    [
        (NOTHING, command(), "command", "added", "A.c", ""),
        (command(), NOTHING, "command", "removed", "A.c", ""),
        (NOTHING, schema(events=[{"name": "e"}]), "event", "added", "A.e", ""),
        (NOTHING, kind(type="string"), "type", "added", "A.T", ""),
        (command(), command(TEXT), "parameter", "added", "A.c.p", "string"),
        (command({**TEXT, "optional": True}), command(), "parameter", "removed", "A.c.p", "optional string"),
        (command(), command(returns=(TEXT,)), "result", "added", "A.c.p", "string"),
        (command(TEXT), command({**TEXT, "optional": True}), "parameter", "now optional", "A.c.p", ""),
        (command({**TEXT, "optional": True}), command(TEXT), "parameter", "now required", "A.c.p", ""),
        (
            command(TEXT),
            command({**TEXT, "type": "integer"}),
            "parameter",
            "type changed",
            "A.c.p",
            "string -> integer",
        ),
        (
            command(TEXT),
            command({"name": "p", "type": "array", "items": {"type": "string"}}),
            "parameter",
            "type changed",
            "A.c.p",
            "string -> array of string",
        ),
        (
            schema(types=[{"id": "T", "type": "string"}], events=[{"name": "e", "parameters": [TEXT]}]),
            schema(
                types=[{"id": "T", "type": "string"}],
                events=[{"name": "e", "parameters": [{"name": "p", "$ref": "T"}]}],
            ),
            "parameter",
            "type changed",
            "A.e.p",
            "string -> A.T",
        ),
        (kind(type="string"), kind(type="string", enum=["x"]), "type", "type changed", "A.T", "string -> enum"),
        (kind(type="string", enum=["x"]), kind(type="string", enum=["y", "x"]), "value", "added", "A.T", "y"),
        (kind(type="string", enum=["x", "y"]), kind(type="string", enum=["x"]), "value", "removed", "A.T", "y"),
        (
            kind(type="object", properties=[{**TEXT, "enum": ["x", "y"]}]),
            kind(type="object", properties=[{**TEXT, "enum": ["x"]}]),
            "value",
            "removed",
            "A.T.p",
            "y",
        ),
        (kind(type="object"), kind(type="object", properties=[TEXT]), "property", "added", "A.T.p", "string"),
    ],
)
def test_each_difference_is_found_alone(
    ours: Schema, theirs: Schema, level: Level, change: Change, name: str, detail: str
) -> None:
    assert compare(ours, theirs) == (Difference(level, change, name, detail),)


def test_a_new_domain_is_one_difference_with_what_it_holds() -> None:
    theirs = parse_schema(b'{"domains": [{"domain": "A", "commands": [{"name": "c"}]}]}')

    assert compare(parse_schema(b'{"domains": []}'), theirs) == (
        Difference("domain", "added", "A", "1 commands, 0 events, 0 types"),
    )


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (schema(experimental=True), schema(commands=[{"name": "c"}])),
        (NOTHING, schema(commands=[{"name": "c", "experimental": True}])),
    ],
    ids=["its domain", "itself"],
)
def test_what_is_experimental_on_either_side_is_marked(ours: Schema, theirs: Schema) -> None:
    (difference,) = compare(ours, theirs)

    assert difference == Difference("command", "added", "A.c", experimental=True)
    assert str(difference) == "command A.c added (experimental)"


def test_an_experimental_parameter_of_a_stable_command_is_marked() -> None:
    (difference,) = compare(command(), command({**TEXT, "experimental": True}))

    assert str(difference) == "parameter A.c.p added: string (experimental)"


def test_order_and_deprecation_make_no_difference() -> None:
    ours = schema(commands=[{"name": "c"}, {"name": "d"}], types=[{"id": "T", "type": "string", "enum": ["x", "y"]}])
    theirs = schema(
        commands=[{"name": "d", "redirect": "B"}, {"name": "c", "deprecated": True}],
        types=[{"id": "T", "type": "string", "enum": ["y", "x"]}],
    )

    assert compare(ours, theirs) == ()


def test_a_schema_does_not_differ_from_itself() -> None:
    assert compare(load_schema(), load_schema()) == ()


def test_the_other_way_round_added_is_removed() -> None:
    ours, theirs = command(TEXT), command({**TEXT, "name": "q"})
    opposite = {"added": "removed", "removed": "added"}

    forward, backward = compare(ours, theirs), compare(theirs, ours)

    assert [(change.name, opposite[change.change]) for change in forward] == [
        (change.name, change.change) for change in backward
    ]


async def test_chromium_differs_from_the_bindings_at_the_edges_only(chromium: LaunchedBrowser) -> None:
    differences = compare(load_schema(), parse_schema(await fetch_protocol(chromium.ws_url)))

    assert len(differences) < 400  # Chromium 156: 27, all of them experimental
    assert [
        difference for difference in differences if difference.level == "domain" and not difference.experimental
    ] == []
