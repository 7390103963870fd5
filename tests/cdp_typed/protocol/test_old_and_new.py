"""A browser a year older, and one from the future: every message is delivered, and what differs is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cdp_typed import Connection, Event, SchemaDrift, UnknownEvent
from cdp_typed.mock import sample_event, sample_params, sample_result
from cdp_typed.protocol.registry import COMMANDS, EVENTS, command_class, event_class
from cdp_typed.schema import load_schema
from cdp_typed.wire.decoding import decode
from cdp_typed.wire.json_text import is_array, is_object
from tests.support.newer import NEW_FIELD, NEW_VALUE, from_the_future
from tests.support.wires.memory_wire import MemoryWire

OLD = Path(__file__).parents[2] / "data" / "traffic-0.0.1541017.jsonl"


def old_messages(kind: str, body: str) -> list[tuple[str, dict[str, Any]]]:
    """Method and body of every event or result of the older browser."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in OLD.read_text().splitlines()]
    return [(line[kind], line[body]) for line in lines if kind in line]


def new_messages() -> tuple[list[tuple[str, dict[str, Any]]], list[tuple[str, dict[str, Any]]]]:
    """Events and results of the browser from the future, each with all fields."""
    schema = from_the_future(load_schema())
    events = [(name, sample_event(name, full=True, schema=schema)) for name in schema.events]
    results = [
        (name, sample_result(name, full=True, schema=schema)) for name, item in schema.commands.items() if item.returns
    ]
    return events, results


def decoded(method: str, body: dict[str, Any]) -> tuple[Any, list[SchemaDrift]]:
    """Return a known message as the user receives it, as plain JSON, and its drift."""
    drift: list[SchemaDrift] = []
    cls = event_class(method) if method in EVENTS else command_class(method).RESULT
    assert cls is not None
    value = decode(cls, json.dumps(body).encode(), method=method, drift=drift.append)
    return json.loads(json.dumps(msgspec.to_builtins(value))), drift


def changes(sent: Any, got: Any, path: str = "") -> Iterator[str]:
    """Every place where what a user got was not sent so. Fields that the bindings do not know are not got at all."""
    if is_object(sent) and is_object(got):
        for key, value in got.items():
            where = f"{path}.{key}" if path else key
            if key not in sent:
                yield where
            else:
                yield from changes(sent[key], value, where)
    elif is_array(sent) and is_array(got):
        for at, (sent_item, got_item) in enumerate(zip(sent, got, strict=True)):
            yield from changes(sent_item, got_item, f"{path}[{at}]")
    elif sent != got:
        yield path


async def deliver(
    events: list[tuple[str, dict[str, Any]]], results: list[tuple[str, dict[str, Any]]]
) -> tuple[list[Event], list[Any], Connection]:
    """Send all of it through a connection; what its user gets."""
    heard: list[Event] = []
    got: list[Any] = []
    wire = MemoryWire()
    async with Connection(wire) as browser:
        browser.listen(lambda _session, event: heard.append(event))
        for method, params in events:
            wire.event(method, params)
        await wire.drained()
        for method, result in results:
            reply = browser.send_nowait(msgspec.convert(sample_params(method), command_class(method)))
            wire.reply(result)
            got.append(await reply)
        assert not browser.closed
        assert browser.counters.handler_errors == 0
    return heard, got, browser


def test_the_old_browser_says_most_of_what_the_bindings_know() -> None:
    """Otherwise the tests below would prove little."""
    events = {method for method, _ in old_messages("event", "params")}
    results = {method for method, _ in old_messages("command", "result")}

    assert len(events & set(EVENTS)) > 180
    assert len(results & set(COMMANDS)) > 200
    assert 0 < len((events - set(EVENTS)) | (results - set(COMMANDS))) < 40


def test_of_old_messages_only_what_is_recorded_differs() -> None:
    """Every difference is a value that is kept as it came, or a required field of today in place of nothing."""
    differences: set[tuple[str, str, str]] = set()
    for method, body in (*old_messages("event", "params"), *old_messages("command", "result")):
        if method in EVENTS or method in COMMANDS:
            got, drift = decoded(method, body)
            assert {difference.path for difference in drift if difference.got == "nothing"} == set(
                changes(body, got)
            ), method
            differences |= {(difference.method, difference.path, difference.got) for difference in drift}

    assert len(differences) == 99
    assert {
        difference
        for difference in differences
        if difference[2] == "nothing" and not difference[0].startswith(("CSS.", "Audits."))
    } == {
        ("Network.getRequestPostData", "base64Encoded", "nothing"),
        ("Network.requestWillBeSentExtraInfo", "clientSecurityState.localNetworkAccessRequestPolicy", "nothing"),
        ("Page.getAdScriptAncestry", "adScriptAncestry.ancestryChain[0].name", "nothing"),
        ("WebAudio.contextChanged", "context.renderQuantumSize", "nothing"),
        ("WebAudio.contextCreated", "context.renderQuantumSize", "nothing"),
    }


@pytest.mark.usefixtures("no_leaks")
async def test_every_old_message_reaches_its_user() -> None:
    events = old_messages("event", "params")
    results = [message for message in old_messages("command", "result") if message[0] in COMMANDS]

    heard, got, browser = await deliver(events, results)

    names = [event.method if isinstance(event, UnknownEvent) else event.METHOD for event in heard]
    assert names == [method for method, _ in events]
    assert [type(result) for result in got] == [command_class(method).RESULT for method, _ in results]
    unknown = [event.method for event in heard if isinstance(event, UnknownEvent)]
    assert unknown == [method for method, _ in events if method not in EVENTS]
    assert browser.counters.unknown_events == len(unknown)
    assert browser.counters.drift == len(browser.drift) > 0


def test_of_new_messages_only_unknown_values_are_recorded_and_kept() -> None:
    events, results = new_messages()
    for method, body in (*events, *results):
        if method in EVENTS or method in COMMANDS:
            got, drift = decoded(method, body)
            assert list(changes(body, got)) == [], method
            assert {difference.got for difference in drift} <= {repr(NEW_VALUE)}, method
            assert len(drift) == json.dumps(got).count(NEW_VALUE), method
            assert NEW_FIELD not in json.dumps(got)


@pytest.mark.usefixtures("no_leaks")
async def test_every_new_message_reaches_its_user() -> None:
    events, results = new_messages()

    heard, got, browser = await deliver(events, results)

    unknown = [event for event in heard if isinstance(event, UnknownEvent)]
    assert [event.method for event in unknown] == [method for method, _ in events if method not in EVENTS]
    assert all(event.params == {NEW_FIELD: {}} for event in unknown)
    assert len(heard) == len(events)
    assert [type(result) for result in got] == [command_class(method).RESULT for method, _ in results]
    assert browser.counters.drift > 100


def test_a_browser_that_dropped_every_field_still_gets_its_messages_through() -> None:
    """The object is there, with neutral values in the place of all required fields, each of them recorded."""
    schema = load_schema()
    lists = [
        *((name, event.parameters) for name, event in schema.events.items()),
        *((name, command.returns) for name, command in schema.commands.items() if command.returns),
    ]
    for method, fields in lists:
        got, drift = decoded(method, {})
        required = [field.name for field in fields if not field.optional]
        assert [(difference.path, difference.got) for difference in drift] == [
            (name, "nothing") for name in required
        ], method
        assert set(required) == set(got), method
