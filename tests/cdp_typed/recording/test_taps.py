"""Taps see every message as it is on the wire."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest

from cdp_typed import Connection
from cdp_typed.protocol import page
from tests.support.wires.memory_wire import MemoryWire

pytestmark = pytest.mark.usefixtures("no_leaks")


async def test_a_tap_sees_both_directions_byte_by_byte_until_it_is_closed() -> None:
    wire = MemoryWire()
    async with Connection(wire) as browser:
        seen: list[tuple[str, bytes]] = []
        tap = browser.tap(lambda direction, data: seen.append((direction, data)))
        sending = asyncio.create_task(browser.send(page.Enable()))
        await asyncio.sleep(0)
        wire.feed(b' {"id":1, "result":{}}', b"not JSON")
        await sending
        await wire.drained()

        assert seen == [
            ("sent", b'{"id":1,"method":"Page.enable","params":{}}'),
            ("received", b' {"id":1, "result":{}}'),
            ("received", b"not JSON"),
        ]
        tap.close()
        tap.close()
        wire.event("Page.frameResized")
        await wire.drained()
        assert len(seen) == 3


async def test_a_tap_sees_each_message_of_a_batch() -> None:
    wire = MemoryWire()
    async with Connection(wire) as browser:
        seen: list[str] = []
        browser.tap(lambda direction, data: seen.append(f"{direction} {json.loads(data)['method']}"))
        sending = asyncio.create_task(browser.send_many((page.Enable(), page.Disable())))
        await asyncio.sleep(0)

        assert seen == ["sent Page.enable", "sent Page.disable"]
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending


async def test_a_tap_that_fails_is_logged_once_counted_and_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    wire = MemoryWire()
    async with Connection(wire) as browser:
        seen: list[bytes] = []
        browser.tap(lambda _, data: data.index(b"nowhere"))
        browser.tap(lambda _, data: seen.append(data))
        with caplog.at_level(logging.ERROR, logger="cdp_typed"):
            wire.event("Page.frameResized")
            wire.event("Page.frameResized")
            await wire.drained()

        assert len(seen) == 2
        assert browser.counters.handler_errors == 2
        assert [record.message for record in caplog.records] == ["a tap failed; its further failures are only counted"]
