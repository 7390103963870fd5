"""Listeners that await, over a wire in memory."""

from __future__ import annotations

import asyncio
import logging

import pytest

from cdp_typed import Connection
from cdp_typed.protocol import page
from tests.support.wires.memory_wire import MemoryWire


async def test_an_async_listener_awaits_commands_while_events_are_heard(browser: Connection, wire: MemoryWire) -> None:
    navigated: asyncio.Queue[str] = asyncio.Queue()

    async def navigate(session_id: str | None, event: page.LoadEventFired) -> None:
        answer = await browser.send(page.Navigate(url=str(event.timestamp)), session_id=session_id)
        await navigated.put(answer.frame_id)

    browser.listen(navigate, page.LoadEventFired)
    wire.event("Page.loadEventFired", {"timestamp": 1}, session="A")
    wire.event("Page.loadEventFired", {"timestamp": 2}, session="B")
    await wire.drained()
    await asyncio.sleep(0)
    assert [(message["sessionId"], message["params"]["url"]) for message in wire.sent] == [("A", "1.0"), ("B", "2.0")]
    wire.reply({"frameId": "second"}, to=1)
    wire.reply({"frameId": "first"}, to=0)

    assert [await navigated.get(), await navigated.get()] == ["second", "first"]


async def test_what_it_raises_is_logged_once_and_counted(
    browser: Connection, wire: MemoryWire, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(_session_id: str | None, _event: page.FrameResized) -> None:
        await asyncio.sleep(0)
        raise KeyError("mine")

    browser.listen(fails, page.FrameResized)
    with caplog.at_level(logging.ERROR, logger="cdp_typed"):
        wire.event("Page.frameResized")
        wire.event("Page.frameResized")
        while browser.counters.handler_errors < 2:  # noqa: ASYNC110 - nobody announces it
            await asyncio.sleep(0)

    (record,) = caplog.records
    assert record.message == ("a listener to ['Page.frameResized'] failed; its further failures are only counted")
    assert record.exc_info is not None
    assert repr(record.exc_info[1]) == "KeyError('mine')"


async def test_the_end_of_the_connection_cancels_it(browser: Connection, wire: MemoryWire) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def endless(_session_id: str | None, _event: page.FrameResized) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    browser.listen(endless, page.FrameResized)
    wire.event("Page.frameResized")
    await begun.wait()
    wire.end("the browser is gone")

    await asyncio.wait_for(cancelled.wait(), 1)
    assert browser.counters.handler_errors == 0


async def test_it_may_close_the_connection(browser: Connection, wire: MemoryWire) -> None:
    closed = asyncio.Event()

    async def closes(_session_id: str | None, _event: page.FrameResized) -> None:
        await browser.close()
        closed.set()

    browser.listen(closes, page.FrameResized)
    wire.event("Page.frameResized")

    await asyncio.wait_for(closed.wait(), 1)
    assert browser.closed
