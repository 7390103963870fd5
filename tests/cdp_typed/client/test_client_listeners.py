"""Listeners of a connection and of its sessions."""

from __future__ import annotations

import asyncio
import logging

import pytest

from cdp_typed import Connection, Counters, Session, UnknownEvent
from cdp_typed._base import Event
from cdp_typed.protocol import page
from tests.cdp_typed.client.conftest import NAVIGATE, NAVIGATED
from tests.support.wires.memory_wire import MemoryWire


async def test_two_listeners_hear_the_same_event_and_one_may_leave(browser: Connection, wire: MemoryWire) -> None:
    heard: list[str] = []
    first = browser.listen(lambda _, __: heard.append("first"), page.FrameResized)
    browser.listen(lambda _, __: heard.append("second"), page.FrameResized)

    wire.event("Page.frameResized")
    await wire.drained()
    first.close()
    first.close()
    wire.event("Page.frameResized")
    await wire.drained()

    assert heard == ["first", "second", "second"]
    assert first.closed


async def test_a_listener_hears_its_types_in_order_with_their_sessions(browser: Connection, wire: MemoryWire) -> None:
    heard: list[tuple[str | None, str]] = []

    def hear(session_id: str | None, event: page.LoadEventFired | page.FrameResized) -> None:
        heard.append((session_id, event.METHOD))

    browser.listen(hear, page.LoadEventFired, page.FrameResized)
    wire.event("Page.loadEventFired", {"timestamp": 1}, session="S")
    wire.event("Page.frameResized")
    wire.event("Page.domContentEventFired", {"timestamp": 1}, session="S")
    wire.event("Page.loadEventFired", {"timestamp": 2})
    await wire.drained()

    assert heard == [("S", "Page.loadEventFired"), (None, "Page.frameResized"), (None, "Page.loadEventFired")]


EVENTS = pytest.mark.parametrize(
    ("kind", "method"), [(page.FrameResized, "Page.frameResized"), (UnknownEvent, "Future.thing")]
)


@EVENTS
async def test_a_session_hears_its_own_events_and_root_the_browsers(
    browser: Connection, tab: Session, wire: MemoryWire, kind: type[Event], method: str
) -> None:
    heard: list[str] = []
    tab.listen(lambda session_id, _: heard.append(f"tab {session_id}"), kind)
    browser.root.listen(lambda session_id, _: heard.append(f"root {session_id}"), kind)
    for session in ("P", "other", None):
        wire.event(method, session=session)
    await wire.drained()

    assert heard == ["tab P", "root None"]


@EVENTS
async def test_a_listener_that_raises_is_logged_once_and_isolated(
    browser: Connection, wire: MemoryWire, caplog: pytest.LogCaptureFixture, kind: type[Event], method: str
) -> None:
    heard: list[Event] = []
    cancelled = asyncio.get_running_loop().create_future()
    cancelled.cancel()

    def broken(_: str | None, __: Event) -> None:
        raise RuntimeError("a listener's own mistake")

    browser.listen(broken, kind)
    browser.listen(lambda _, __: cancelled.result(), kind)
    browser.listen(lambda _, event: heard.append(event), kind)
    wire.event(method)
    wire.event(method)
    await wire.drained()

    assert len(heard) == 2
    assert browser.counters.handler_errors == 4
    assert [record.levelno for record in caplog.records if record.name == "cdp_typed"] == [logging.ERROR] * 2


@pytest.mark.parametrize("events", [1, 2])
@EVENTS
async def test_a_listener_that_an_earlier_one_closes_does_not_hear_the_event(
    browser: Connection, wire: MemoryWire, kind: type[Event], method: str, events: int
) -> None:
    heard: list[str] = []

    def first(*_: object) -> None:
        heard.append("first")
        if len(heard) == 2 * events - 1:
            second.close()

    browser.listen(first, kind)
    second = browser.listen(lambda _session, _event: heard.append("second"), kind)
    for _ in range(events):
        wire.event(method)
        await wire.drained()

    assert heard == [*["first", "second"] * (events - 1), "first"]


async def test_a_listener_may_start_a_task_that_awaits_a_command(browser: Connection, wire: MemoryWire) -> None:
    tasks: list[asyncio.Task[page.NavigateResult]] = []
    started = asyncio.Event()

    def hear(_: str | None, __: page.FrameResized) -> None:
        tasks.append(asyncio.create_task(browser.send(NAVIGATE)))
        started.set()

    browser.listen(hear, page.FrameResized)
    wire.event("Page.frameResized")
    await started.wait()
    await asyncio.sleep(0)
    wire.reply(NAVIGATED)

    assert (await tasks[0]).frame_id == "F"


async def test_an_event_nobody_listens_to_is_never_decoded(browser: Connection, wire: MemoryWire) -> None:
    wire.event("Page.loadEventFired", {"timestamp": "not a number"})
    await wire.drained()

    assert browser.counters == Counters(messages=1, events=1)


async def test_unknown_events_can_be_tapped_and_are_counted(browser: Connection, wire: MemoryWire) -> None:
    heard: list[Event] = []
    listener = browser.listen(lambda _, event: heard.append(event), UnknownEvent)
    wire.event("Future.thing", {"text": "a"}, session="S")
    wire.feed(b'{"method":"Page.loadEventFired","params":[1]}')
    browser.listen(lambda _, __: None, page.LoadEventFired)
    wire.event("Page.frameResized")
    await wire.drained()
    listener.close()
    wire.event("Future.thing")
    await wire.drained()

    assert heard == [
        UnknownEvent(method="Future.thing", session_id="S", raw=b'{"text":"a"}'),
        UnknownEvent(method="Page.loadEventFired", session_id=None, raw=b"[1]"),
    ]
    assert isinstance(heard[0], UnknownEvent)
    assert heard[0].params == {"text": "a"}
    assert browser.counters.unknown_events == 3


async def test_an_event_class_of_ones_own_can_be_listened_to(browser: Connection, wire: MemoryWire) -> None:
    class Thing(Event, frozen=True, kw_only=True):
        METHOD = "Future.thing"
        text: str

    heard: list[Event] = []
    browser.listen(lambda _, event: heard.append(event), Thing)
    browser.listen(lambda _, event: heard.append(event))
    wire.event("Future.thing", {"text": "a"})
    await wire.drained()

    assert heard == [Thing(text="a")] * 2


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


async def test_what_an_async_listener_raises_is_logged_once_and_counted(
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


async def test_the_end_of_the_connection_cancels_an_async_listener(browser: Connection, wire: MemoryWire) -> None:
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


async def test_an_async_listener_may_close_the_connection(browser: Connection, wire: MemoryWire) -> None:
    closed = asyncio.Event()

    async def closes(_session_id: str | None, _event: page.FrameResized) -> None:
        await browser.close()
        closed.set()

    browser.listen(closes, page.FrameResized)
    wire.event("Page.frameResized")

    await asyncio.wait_for(closed.wait(), 1)
    assert browser.closed
