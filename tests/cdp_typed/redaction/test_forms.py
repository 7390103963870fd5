"""Redaction says the same of typed values and of plain JSON."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from cdp_typed.protocol import debugger, dom, dom_storage, network, runtime
from cdp_typed.protocol.registry import DOMAINS, command_class, event_class
from cdp_typed.redaction import REDACTED, Redaction
from cdp_typed.redaction.fields import SECRET
from cdp_typed.redaction.forms import plain
from cdp_typed.schema import Property, load_schema
from supervisor.core.vocabulary.command_tags import CallReply
from supervisor.core.vocabulary.inputs import CommandSucceeded
from supervisor.journal import encode
from tests.support.secrets import CANARY

PLACES = sorted({path.rpartition(".")[0] for path in SECRET} | {"Runtime.ObjectPreview"})
TEXTS = st.sampled_from([CANARY, "password", "type", "value", "Accept", f"token={CANARY}&a=1", "no secret", ""])
DEPTH = 3


def class_of(path: str) -> type[Struct]:
    if path.endswith("!"):
        return event_class(path[:-1])
    if path.endswith("()"):
        result = command_class(path[:-2]).RESULT
        assert result is not None
        return result
    if path in load_schema().commands:
        return command_class(path)
    domain, _, name = path.partition(".")
    kind: type[Struct] = getattr(import_module(f"cdp_typed.protocol.{DOMAINS[domain]}"), name)
    return kind


def members(path: str) -> tuple[Property, ...]:
    schema = load_schema()
    if path.endswith("!"):
        return schema.events[path[:-1]].parameters
    if path.endswith("()"):
        return schema.commands[path[:-2]].returns
    return schema.commands[path].parameters if path in schema.commands else schema.types[path].properties or ()


def objects(path: str, depth: int = DEPTH) -> SearchStrategy[Any]:
    known = members(path)
    needed = {item.name: values(item, depth) for item in known if not item.optional}
    return st.fixed_dictionaries(
        needed, optional={item.name: values(item, depth) for item in known if item.optional and depth}
    )


def values(item: Any, depth: int) -> SearchStrategy[Any]:
    if item.ref:
        kind = load_schema().types[item.ref]
        if kind.properties:
            return st.deferred(lambda: objects(item.ref, max(0, depth - 1)))
        return values(Property(name="", type=kind.type, enum=kind.enum, items=kind.items), depth)
    if getattr(item, "enum", None):
        return st.sampled_from(item.enum)
    if item.type == "array":
        return st.lists(values(item.items, depth), max_size=2 * min(1, depth)) if item.items else st.just([])
    named = st.dictionaries(st.sampled_from(["password", "X-Mine", "Accept", "name", "value"]), TEXTS, max_size=3)
    by_kind = {"string": TEXTS, "binary": TEXTS, "boolean": st.booleans(), "object": named, "any": TEXTS | named}
    return by_kind.get(item.type, st.integers(0, 9))


@pytest.mark.parametrize("path", PLACES)
def test_a_rule_says_the_same_of_both_forms(path: str) -> None:
    @settings(max_examples=12, deadline=None, derandomize=True, database=None)
    @given(objects(path))
    def said(value: dict[str, Any]) -> None:
        typed = msgspec.convert(value, class_of(path))

        assert plain(Redaction().value(typed)) == plain(Redaction().of_type(path, plain(typed)))

    said()


STORED = dom_storage.GetDOMStorageItemsResult(entries=((CANARY, CANARY),))
FIELD = dom.GetAttributesResult(attributes=("type", "password", "value", CANARY))
LOGGED = runtime.PropertyPreview(name="password", type="string", value=CANARY)
COOKIE_HEADERS = network.RequestWillBeSentExtraInfo(
    request_id=network.RequestId("1"),
    associated_cookies=(),
    headers=network.Headers({"X-Of-Ours": CANARY}),
    connect_timing=network.ConnectTiming(request_time=0.0),
)
FOUND = debugger.SearchInContentResult(result=(debugger.SearchMatch(line_number=0.0, line_content=CANARY),))


@pytest.mark.parametrize("value", [STORED, FIELD, LOGGED, COOKIE_HEADERS, FOUND], ids=lambda one: type(one).__name__)
def test_a_flight_recording_hides_what_a_typed_value_holds(value: Struct) -> None:
    received = CommandSucceeded(CallReply("c-1"), (value, {"by name": {"password": CANARY}}, {"deep": (value,)}))

    assert CANARY not in str(encode(received))


def test_a_word_of_the_protocol_stays_where_it_is_a_secret_too() -> None:
    redaction = Redaction()
    redaction.hide("string")

    assert redaction.value(LOGGED) == msgspec.structs.replace(LOGGED, value=REDACTED)
    assert redaction.of_type("Runtime.PropertyPreview", plain(LOGGED))["type"] == "string"


NESTS: dict[str, Callable[[Any], Any]] = {
    "objects": lambda inner: {"a": inner},
    "lists": lambda inner: [inner],
    "both": lambda inner: {"a": [inner]},
}


@pytest.mark.parametrize("nest", NESTS)
@pytest.mark.parametrize("method", ["Runtime.evaluate", None])
def test_what_is_nested_deeper_than_can_be_searched_is_hidden(nest: str, method: str | None) -> None:
    value: Any = {"password": CANARY}
    for _ in range(900):
        value = NESTS[nest](value)

    shown = Redaction().result(method, {"result": {"type": "object", "value": value, "description": "Object"}})

    assert shown["result"]["description"] == "Object"
    assert REDACTED in repr(shown)
    assert CANARY not in repr(shown)
