"""The schema at run time: read once, references in full, the same shape as a real browser's."""

from __future__ import annotations

import hashlib
import json
import urllib.request
from typing import Any

import pytest

from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import PROTOCOL
from cdp_typed.protocol.registry import COMMANDS, DOMAINS, EVENTS
from cdp_typed.schema import (
    CommandDef,
    Domain,
    EventDef,
    Items,
    Property,
    Schema,
    SchemaInvalid,
    TypeDef,
    load_schema,
    parse_schema,
    schema_bytes,
)


def text(*domains: dict[str, Any]) -> bytes:
    """A `/json/protocol` answer of these domains."""
    return json.dumps({"version": {"major": "1", "minor": "3"}, "domains": domains}).encode()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "Input data was truncated"),
        (b"<html>", "JSON is malformed"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field `domains`"),
        (text({"types": []}), "missing required field `domain` - at `$.domains[0]`"),
        (text({"domain": "A", "types": [{"id": "T"}]}), "missing required field `type`"),
        (b'{"domains": [{"domain": "\xff"}]}', "'utf-8' codec"),
    ],
    ids=["empty", "html", "array", "no domains", "a domain without name", "a type without kind", "not UTF-8"],
)
def test_what_is_no_schema_is_refused(answer: bytes, message: str) -> None:
    with pytest.raises(SchemaInvalid) as caught:
        parse_schema(answer)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        (
            {"domain": "A", "commands": [{"name": "c", "parameters": [{"name": "p", "$ref": "T"}]}]},
            "A.c.p refers to A.T, which is not defined",
        ),
        (
            {"domain": "A", "events": [{"name": "e", "parameters": [{"name": "p", "$ref": "B.T"}]}]},
            "A.e.p refers to B.T, which is not defined",
        ),
        (
            {"domain": "A", "types": [{"id": "L", "type": "array", "items": {"$ref": "T"}}]},
            "A.L refers to A.T, which is not defined",
        ),
    ],
)
def test_a_dangling_reference_is_refused(domain: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaInvalid) as caught:
        parse_schema(text(domain))

    assert str(caught.value) == message


def test_references_are_given_in_full_and_unknown_keys_are_ignored() -> None:
    answer = text(
        {
            "domain": "A",
            "since": "tomorrow",
            "types": [
                {"id": "Id", "type": "string", "description": "Prose."},
                {"id": "Ids", "type": "array", "items": {"$ref": "Id"}},
            ],
            "commands": [
                {
                    "name": "c",
                    "experimental": True,
                    "redirect": "B",
                    "parameters": [{"name": "p", "$ref": "Id", "optional": True}],
                    "returns": [{"name": "r", "type": "array", "items": {"$ref": "A.Id"}}],
                }
            ],
            "events": [{"name": "e", "deprecated": True, "parameters": [{"name": "p", "type": "binary"}]}],
        }
    )
    ident = TypeDef(id="Id", type="string")
    idents = TypeDef(id="Ids", type="array", items=Items(ref="A.Id"))
    command = CommandDef(
        name="c",
        experimental=True,
        redirect="B",
        parameters=(Property(name="p", ref="A.Id", optional=True),),
        returns=(Property(name="r", type="array", items=Items(ref="A.Id")),),
    )
    event = EventDef(name="e", deprecated=True, parameters=(Property(name="p", type="binary"),))

    assert parse_schema(answer) == Schema(
        domains={"A": Domain(domain="A", types=(ident, idents), commands=(command,), events=(event,))},
        types={"A.Id": ident, "A.Ids": idents},
        commands={"A.c": command},
        events={"A.e": event},
    )


def test_the_bindings_schema_has_what_the_registry_has() -> None:
    schema = load_schema()

    assert list(schema.domains) == list(DOMAINS)
    assert list(schema.commands) == list(COMMANDS)
    assert list(schema.events) == list(EVENTS)


def test_it_is_read_once() -> None:
    assert load_schema() is load_schema()


def test_the_provenance_names_the_file_that_is_shipped() -> None:
    assert hashlib.sha256(schema_bytes()).hexdigest() == PROTOCOL.sha256
    assert PROTOCOL.version.endswith(f".{PROTOCOL.revision}")
    assert b'"description":' not in schema_bytes().replace(b'"name":"description"', b"")


def test_a_real_browser_answers_in_the_same_shape(chromium: LaunchedBrowser) -> None:
    """Also in that base64 text is `binary` there, which the published JSON does not say."""
    with urllib.request.urlopen(f"{chromium.http_url}/json/protocol", timeout=10) as answer:
        live = parse_schema(answer.read())

    assert live.commands["Page.captureScreenshot"].returns == (Property(name="data", type="binary"),)
    assert live.commands["Page.captureScreenshot"].returns == load_schema().commands["Page.captureScreenshot"].returns
    assert live.types["Page.DialogType"] == load_schema().types["Page.DialogType"]
