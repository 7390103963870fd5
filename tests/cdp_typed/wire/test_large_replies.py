"""Large replies: those that are as they should be are read in one pass, and nothing but the time tells it."""

from __future__ import annotations

import asyncio
import gc
import json
from itertools import product
from typing import Any

import pytest
from msgspec import Raw

from cdp_typed import Connection, SchemaMismatch
from cdp_typed._base import Command
from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, dom, page
from cdp_typed.wire.counters import Counters
from cdp_typed.wire.decoding import SchemaDrift
from cdp_typed.wire.json_text import repair
from cdp_typed.wire.router import (
    LARGE_REPLY,
    MAX_MALFORMED_RUN,
    AnyResult,
    CallFailed,
    EventMessage,
    ProtocolWarning,
    Reply,
    Router,
)
from tests.support.wires.memory_wire import MemoryWire

TEXT = "x" * LARGE_REPLY
SHOT = page.CaptureScreenshot()


def _bytes(**message: Any) -> bytes:
    return json.dumps(message).encode()


def _received(data: bytes, command: Command[Any] = SHOT) -> tuple[Router, list[Any]]:
    router = Router()
    router.send(command, "S")
    return router, list(router.receive(data))


@pytest.mark.parametrize(
    "data",
    [
        _bytes(id=1, result={"data": TEXT}),
        _bytes(id=1, result={"data": TEXT}, sessionId="S"),
        _bytes(id=1, result={"data": TEXT, "new in a newer browser": [{}]}, other=[]),
        b' { "id" : 1 , "result" : {"data":"%s"} } ' % TEXT.encode(),
    ],
)
def test_a_large_reply_comes_with_its_value_and_ends_its_call(data: bytes) -> None:
    router, (reply,) = _received(data)

    assert isinstance(reply, Reply)
    assert (reply.call.id, reply.raw, reply.value) == (1, Raw(), page.CaptureScreenshotResult(data=TEXT))
    assert (router.pending, router.tally.snapshot()) == (0, Counters(messages=1, replies=1))


GOOD_RESULT = _bytes(data=TEXT)
USUAL = b'{"id":1,"result":%s}'
UNUSUAL = [
    b'{"result":%s,"id":1}',
    b'{"id":1,"result":%s,"error":null}',
    b'{"id":7,"result":%s,"id":1}',
    b'{"id":1.0,"result":%s}',
]
ODD_RESULTS = [
    _bytes(data=7, more=TEXT),
    _bytes(more=TEXT),
    _bytes(data=None, more=TEXT),
    _bytes(data="\ud800", more=TEXT),
    b'"%s"' % TEXT.encode(),
    b" " * LARGE_REPLY + b"null",
]


@pytest.mark.parametrize(
    ("data", "result"), [*product([USUAL, *UNUSUAL], ODD_RESULTS), *product(UNUSUAL, [GOOD_RESULT])]
)
def test_an_odd_result_and_an_unusual_reply_are_left_to_the_patient_way(data: bytes, result: bytes) -> None:
    router, (reply,) = _received(data % result)

    assert isinstance(reply, Reply)
    assert (reply.call.id, bytes(reply.raw), reply.value) == (1, repair(result).strip(), None)
    assert (router.pending, router.tally.snapshot()) == (0, Counters(messages=1, replies=1))


def test_of_two_ids_the_last_one_counts_as_ever() -> None:
    router = Router()
    router.send(SHOT, None)
    router.send(SHOT, None)

    (reply,) = router.receive(b'{"id":1,"id":2,"result":{"data":"%s"}}' % TEXT.encode())

    assert isinstance(reply, Reply)
    assert (reply.call.id, reply.value, router.pending) == (2, None, 1)


@pytest.mark.parametrize("result", [{}, {"result": {"data": ""}}])
def test_a_large_error_is_an_error_also_beside_a_good_result(result: dict[str, Any]) -> None:
    _, (failure,) = _received(_bytes(id=1, error={"code": -32000, "message": TEXT}, **result))

    assert isinstance(failure, CallFailed)
    assert isinstance(failure.error, CommandError)
    assert failure.error.message == TEXT


def test_a_large_reply_that_is_cut_short_fails_its_call() -> None:
    _, (warning, failure) = _received(_bytes(id=1, result={"data": TEXT})[:-2])

    assert isinstance(warning, ProtocolWarning)
    assert isinstance(failure, CallFailed)
    assert isinstance(failure.error, SchemaMismatch)


@pytest.mark.parametrize("call", [("Page.reload", None), ("Some.method", AnyResult)])
def test_where_no_class_is_known_the_result_stays_as_it_is(call: tuple[str, Any]) -> None:
    router = Router()
    router.open(call[0], {}, None, call[1])

    (reply,) = router.receive(_bytes(id=1, result={"any": TEXT}))

    assert isinstance(reply, Reply)
    assert (bytes(reply.raw), reply.value) == (_bytes(any=TEXT), None)


def test_large_replies_that_nobody_waits_for_are_counted_and_large_events_left_unread() -> None:
    router, _ = _received(_bytes(id=1, result={"data": TEXT}))

    assert [router.receive(_bytes(id=number, result={"data": TEXT})) for number in (0, 1, 2)] == [[]] * 3
    assert router.tally.snapshot() == Counters(messages=4, replies=1, late_replies=1, unknown_ids=2)
    (event,) = router.receive(_bytes(method="Some.event", params={"id": 1, "text": TEXT}))
    assert isinstance(event, EventMessage)
    assert bytes(event.raw) == _bytes(id=1, text=TEXT)


def test_a_large_reply_ends_a_run_of_unreadable_messages() -> None:
    router = Router()
    for number in range(1, MAX_MALFORMED_RUN + 1):
        router.send(SHOT, None)

        assert [type(message) for message in router.receive(b"?")] == [ProtocolWarning]
        assert [type(message) for message in router.receive(_bytes(id=number, result={"data": TEXT}))] == [Reply]


# -- over a wire in memory ---------------------------------------------------------------------------------------


async def _answered(wire: MemoryWire, connection: Connection, command: Command[Any], result: dict[str, Any]) -> Any:
    call = connection.send_nowait(command)
    wire.reply(result)
    return await asyncio.wait_for(call, 10)


@pytest.mark.usefixtures("no_leaks")
@pytest.mark.parametrize("strict", [False, True])
async def test_the_caller_gets_the_value_and_a_difference_is_recorded_or_refused(strict: bool) -> None:
    wire = MemoryWire()
    with_a_number = {"arguments": [TEXT, 7]}
    async with Connection(wire, strict=strict) as connection:
        shot = await _answered(wire, connection, SHOT, {"data": TEXT})
        assert (shot, connection.drift) == (page.CaptureScreenshotResult(data=TEXT), ())
        if strict:
            with pytest.raises(SchemaMismatch, match=r"Browser\.getBrowserCommandLine: Expected `str`, got `int`"):
                await _answered(wire, connection, browser.GetBrowserCommandLine(), with_a_number)
            return

        result = await _answered(wire, connection, browser.GetBrowserCommandLine(), with_a_number)
        assert isinstance(result, browser.GetBrowserCommandLineResult)
        assert result.arguments == (TEXT, "7")
        assert list(connection.drift) == [
            SchemaDrift("Browser.getBrowserCommandLine", "arguments[1]", expected="string", got="7")
        ]
        assert connection.counters.drift == 1


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_searched_for_while_a_large_reply_is_read(collects: bool) -> None:
    """And afterwards the collector is as it was."""
    node = {"nodeId": 1, "backendNodeId": 1, "nodeType": 1, "nodeName": "P", "localName": "p", "nodeValue": ""}
    children = [{**node, "attributes": ["class", f"row-{number}"]} for number in range(20_000)]
    data = _bytes(id=1, result={"root": {**node, "children": children}})
    _received(data, dom.GetDocument())  # what is loaded and built once
    collections: list[str] = []
    enabled = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    gc.callbacks.append(lambda phase, _: collections.append(phase))
    try:
        _, (reply,) = _received(data, dom.GetDocument(depth=-1))
        after = gc.isenabled()
    finally:
        gc.callbacks.pop()
        (gc.enable if enabled else gc.disable)()

    assert len(reply.value.root.children) == 20_000
    assert collections.count("start") <= 2  # one at the next allocation
    assert after == collects
