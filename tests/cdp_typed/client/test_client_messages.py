"""Messages that kill other clients: delivered as far as they go, and the next command works."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import Connection, SchemaDrift
from cdp_typed._base import Event
from cdp_typed.client import dispatcher
from cdp_typed.errors import ConnectionLost, SchemaMismatch
from cdp_typed.protocol import network, page
from tests.cdp_typed.client.conftest import NAVIGATE, NAVIGATED
from tests.support.wires.memory_wire import MemoryWire

HOSTILE: dict[str, bytes] = {
    "F15_unknown_id": b'{"id":4711,"result":{}}',
    "F16_error_without_id": b'{"error":{"code":-32700,"message":"bad"}}',
    "F17_empty": b"",
    "F18_binary": b"\x00\x01\xff\xfe",
    "F20_depth_bomb": b'{"method":"Page.frameResized","params":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "F20_giant_integer": b'{"method":"Page.loadEventFired","params":{"timestamp":' + b"9" * 5000 + b"}}",
    "F20_not_a_number": b'{"method":"Page.loadEventFired","params":{"timestamp":NaN}}',
    "F47_unknown_event": b'{"method":"Future.thing","params":{"a":1}}',
    "F48_unknown_enum": b'{"method":"Page.javascriptDialogOpening","params":{"type":"biometric"}}',
    "F49_missing_and_null": b'{"method":"Page.frameNavigated","params":{"frame":{"id":null}}}',
    "F50_no_params": b'{"method":"Page.loadEventFired"}',
    "F51_invalid_json": b'{"method":',
    "F52_array": b'[{"id":1}]',
    "params_is_an_array": b'{"method":"Page.loadEventFired","params":[]}',
    "F60_lone_surrogate": b'{"method":"Page.windowOpen","params":{"url":"\\ud800"}}',
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
async def test_after_any_message_a_command_works(no_leaks: None, wire: MemoryWire, raw: bytes, strict: bool) -> None:
    async with Connection(wire, strict=strict) as browser:
        heard: list[Event] = []
        browser.listen(lambda _, event: heard.append(event))
        wire.feed(raw)
        sending = browser.send_nowait(NAVIGATE)
        wire.reply(NAVIGATED)

        assert (await asyncio.wait_for(sending, 1)).frame_id == "F"
        counters = browser.counters
        assert len(heard) == counters.events
        assert counters.events + counters.unknown_ids + counters.malformed + counters.warnings == 1
        assert counters.handler_errors == 0


async def test_a_result_that_lacks_a_field_is_delivered_and_recorded(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.reply({"loaderId": "L"})

    assert await sending == page.NavigateResult(frame_id=page.FrameId(""), loader_id=network.LoaderId("L"))
    assert browser.drift == (SchemaDrift("Page.navigate", "frameId", "string", "nothing"),)
    assert browser.counters.drift == 1


async def test_of_what_was_wrong_with_messages_only_the_latest_is_kept(
    no_leaks: None, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bound in ("MAX_DRIFT", "MAX_WARNINGS"):
        monkeypatch.setattr(dispatcher, bound, 2)
    async with Connection(wire) as browser:
        browser.listen(lambda _, __: None)
        for number in range(3):
            wire.event("Page.loadEventFired", {"timestamp": str(number)})
            wire.feed(b"x" * (number + 1))
        await wire.drained()

        assert [each.got for each in browser.drift] == ["'1'", "'2'"]
        assert browser.warnings == tuple(f"unreadable message: not JSON ({size} bytes)" for size in (2, 3))
        assert (browser.counters.drift, browser.counters.malformed) == (3, 3)


async def test_in_strict_mode_such_a_result_raises_at_the_caller_only(no_leaks: None, wire: MemoryWire) -> None:
    async with Connection(wire, strict=True) as browser:
        first, second = browser.send_nowait(NAVIGATE), browser.send_nowait(NAVIGATE)
        wire.reply({}, to=0)
        wire.reply(NAVIGATED, to=1)

        with pytest.raises(SchemaMismatch, match=r"^Page\.navigate: Object missing required field `frameId`$"):
            await first
        assert (await second).frame_id == "F"


@pytest.mark.parametrize(
    ("reply", "error", "warnings"),
    [
        (b'{"id":1,"result":[]}', r"^Page\.navigate: expected an object, got array$", ()),
        (b'{"id":1,"result":{"frameId"', "unreadable reply", ("unreadable message: not JSON (27 bytes)",)),
    ],
)
async def test_a_reply_that_is_no_result_fails_its_call_at_once(
    browser: Connection, wire: MemoryWire, reply: bytes, error: str, warnings: tuple[str, ...]
) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.feed(reply)

    with pytest.raises(SchemaMismatch, match=error):
        await asyncio.wait_for(sending, 1)
    assert browser.warnings == warnings


async def test_a_peer_that_speaks_no_cdp_is_given_up_and_its_wire_closed(browser: Connection, wire: MemoryWire) -> None:
    sending = browser.send_nowait(NAVIGATE)
    wire.feed(*[b"nope"] * 100)

    with pytest.raises(ConnectionLost, match="100 unreadable messages in a row"):
        await sending
    await browser.wait_closed()
    assert wire.ended


async def test_a_mistake_at_the_delivery_of_an_event_that_was_read_ahead_is_logged(
    browser: Connection, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    heard: list[page.FrameResized] = []
    browser.listen(lambda _, event: heard.append(event), page.FrameResized)
    wire.event("Page.frameResized")
    await wire.drained()
    with monkeypatch.context() as patch:
        patch.setattr("cdp_typed.client.subscriptions.Subscriptions.publish_whole", broken)
        wire.event("Page.frameResized")
        await wire.drained()
    wire.event("Page.frameResized")
    await wire.drained()

    assert [record.message for record in caplog.records] == ["internal error while handling a message of the browser"]
    assert len(heard) == 2


async def test_not_even_a_mistake_of_the_library_takes_the_connection_down(
    browser: Connection, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    browser.listen(lambda _, __: None, page.FrameResized)
    with monkeypatch.context() as patch:
        patch.setattr("cdp_typed.client.subscriptions.Subscriptions.publish", broken)
        patch.setattr("cdp_typed.client.dispatcher.decode", broken)
        failing = browser.send_nowait(NAVIGATE)
        wire.event("Page.frameResized")
        wire.reply(NAVIGATED)
        with pytest.raises(ZeroDivisionError):
            await failing
    sending = browser.send_nowait(NAVIGATE)
    wire.reply(NAVIGATED)

    assert (await sending).frame_id == "F"
    assert [record.message for record in caplog.records] == ["internal error while handling a message of the browser"]
