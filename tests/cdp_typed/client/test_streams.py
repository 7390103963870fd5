"""Streams of events, and events that are expected, over a wire in memory."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import Connection, Session
from cdp_typed._base import Event
from cdp_typed.errors import ConnectionLost, EventTimeout, SchemaMismatch, SessionDetached, TargetCrashed
from cdp_typed.protocol import inspector, page
from tests.support.wires.memory_wire import MemoryWire

RESIZED = page.FrameResized()


def _loaded(timestamp: float) -> page.LoadEventFired:
    return page.LoadEventFired(timestamp=timestamp)


# -- streams -----------------------------------------------------------------------------------------------------


async def test_a_stream_must_be_entered_and_only_once(tab: Session) -> None:
    stream = tab.events(page.FrameResized)

    with pytest.raises(RuntimeError, match="enter the event stream first"):
        await anext(stream)
    async with stream:
        with pytest.raises(RuntimeError, match="only once"):
            await stream.__aenter__()


async def test_one_event_can_be_taken_within_a_deadline(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.LoadEventFired) as stream:
        with pytest.raises(EventTimeout, match=r"^Page\.loadEventFired: no such event within 0\.01 s$"):
            await stream.take(0.01)
        wire.event("Page.loadEventFired", {"timestamp": 1}, session="P")
        assert await stream.take(None) == _loaded(1)

    with pytest.raises(RuntimeError, match="the stream is closed"):
        await stream.take(1)


def test_a_stream_that_holds_nothing_is_refused(tab: Session) -> None:
    with pytest.raises(ValueError, match="maxsize must be at least 1, not 0"):
        tab.events(page.FrameResized, maxsize=0)


async def test_several_types_come_in_one_order_and_other_sessions_do_not(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.LoadEventFired, page.FrameResized) as stream:
        wire.event("Page.loadEventFired", {"timestamp": 1}, session="P")
        wire.event("Page.frameResized", session="P")
        wire.event("Page.frameResized", session="other")
        wire.event("Page.loadEventFired", {"timestamp": 2}, session="P")

        assert [await anext(stream) for _ in range(3)] == [_loaded(1), RESIZED, _loaded(2)]


async def test_a_stream_of_no_type_in_particular_has_them_all(tab: Session, wire: MemoryWire) -> None:
    async with tab.events() as stream:
        wire.event("Page.frameResized", session="P")
        wire.event("Inspector.targetReloadedAfterCrash", session="P")

        assert [await anext(stream) for _ in range(2)] == [RESIZED, inspector.TargetReloadedAfterCrash()]


async def test_a_stream_waits_for_events_to_come(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.FrameResized) as stream:
        waiting = asyncio.create_task(anext(stream))
        await asyncio.sleep(0)
        wire.event("Page.frameResized", session="P")

        assert await waiting == RESIZED


async def test_giving_up_a_wait_loses_no_event(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.FrameResized) as stream:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(stream), 0.01)
        wire.event("Page.frameResized", session="P")

        assert await anext(stream) == RESIZED


async def test_a_slow_consumer_loses_the_oldest_events_and_they_are_counted(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    async with tab.events(page.LoadEventFired, maxsize=2) as stream:
        for timestamp in range(5):
            wire.event("Page.loadEventFired", {"timestamp": timestamp}, session="P")
        await wire.drained()

        assert [await anext(stream) for _ in range(2)] == [_loaded(3), _loaded(4)]
        assert (stream.dropped, browser.counters.dropped_events) == (3, 3)


async def test_after_the_block_nothing_is_heard_and_what_is_left_can_be_taken(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    async with tab.events(page.LoadEventFired) as stream:
        wire.event("Page.loadEventFired", {"timestamp": 1}, session="P")
        await wire.drained()
    wire.event("Page.loadEventFired", {"timestamp": 2}, session="P")
    await wire.drained()

    assert [event async for event in stream] == [_loaded(1)]
    assert len(browser._dispatcher.subscriptions) == 0  # pyright: ignore[reportPrivateUsage]  # the leak is what is tested


async def test_closing_a_stream_ends_the_loop_that_waits_on_it(tab: Session) -> None:
    async with tab.events(page.FrameResized) as stream:

        async def consume() -> list[Event]:
            return [event async for event in stream]

        consuming = asyncio.create_task(consume())
        await asyncio.sleep(0)
        stream.close()
        stream.close()

        assert await consuming == []


async def test_a_detach_ends_a_stream_after_the_events_that_came_before(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.FrameResized) as stream:
        wire.event("Page.frameResized", session="P")
        wire.detach("P")

        assert await anext(stream) == RESIZED
        for _ in range(2):
            with pytest.raises(SessionDetached):
                await anext(stream)


async def test_a_crash_is_raised_once_and_the_stream_goes_on(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.FrameResized, inspector.TargetCrashed) as stream:
        wire.event("Inspector.targetCrashed", session="P")
        wire.event("Target.targetCrashed", {"targetId": "T", "status": "crashed", "errorCode": 0})
        wire.event("Page.frameResized", session="P")

        assert await anext(stream) == inspector.TargetCrashed()
        with pytest.raises(TargetCrashed):
            await anext(stream)
        assert await anext(stream) == RESIZED


async def test_a_loss_ends_a_stream_with_its_cause(tab: Session, wire: MemoryWire) -> None:
    cause = ConnectionResetError()
    async with tab.events(page.FrameResized) as stream:
        wire.end("the browser is gone", cause)

        with pytest.raises(ConnectionLost, match="the browser is gone") as lost:
            await anext(stream)
        assert lost.value.__cause__ is cause


async def test_in_strict_mode_a_mismatch_is_raised_by_the_stream_only(wire: MemoryWire) -> None:
    async with Connection(wire, strict=True) as browser:
        heard: list[Event] = []
        browser.listen(lambda _, event: heard.append(event), page.LoadEventFired)
        async with browser.events(page.LoadEventFired) as stream:
            wire.event("Page.loadEventFired")
            wire.event("Page.loadEventFired", {"timestamp": 2})

            with pytest.raises(SchemaMismatch, match=r"^Page\.loadEventFired: "):
                await anext(stream)
            assert await anext(stream) == _loaded(2)
        assert heard == [_loaded(0), _loaded(2)]


# -- expectations ------------------------------------------------------------------------------------------------


async def test_an_event_that_comes_during_the_block_is_there_after_it(tab: Session, wire: MemoryWire) -> None:
    async with tab.expect(page.LoadEventFired) as load:
        wire.event("Page.loadEventFired", {"timestamp": 1}, session="P")
        wire.event("Page.loadEventFired", {"timestamp": 2}, session="P")
        await wire.drained()

    assert load.value == _loaded(1)
    assert await load == _loaded(1)


async def test_leaving_the_block_waits_for_the_event(tab: Session, wire: MemoryWire) -> None:
    async with tab.expect(page.LoadEventFired) as load:
        asyncio.get_running_loop().call_soon(wire.event, "Page.loadEventFired", {"timestamp": 1})
        asyncio.get_running_loop().call_soon(lambda: wire.event("Page.loadEventFired", {"timestamp": 2}, session="P"))

    assert load.value == _loaded(2)


async def test_the_event_can_be_awaited_inside_the_block(tab: Session, wire: MemoryWire) -> None:
    async with tab.expect(page.LoadEventFired) as load:
        wire.event("Page.loadEventFired", {"timestamp": 1}, session="P")

        assert await load == _loaded(1)


async def test_a_predicate_chooses_the_event(tab: Session, wire: MemoryWire) -> None:
    async with tab.expect(page.LoadEventFired, lambda event: event.timestamp > 1) as load:
        for timestamp in (1, 2, 3):
            wire.event("Page.loadEventFired", {"timestamp": timestamp}, session="P")

    assert load.value == _loaded(2)


async def test_what_a_predicate_raises_is_raised_by_the_block(tab: Session, wire: MemoryWire) -> None:
    with pytest.raises(ZeroDivisionError):
        async with tab.expect(page.LoadEventFired, lambda event: 1 / event.timestamp > 1):
            wire.event("Page.loadEventFired", {"timestamp": 0}, session="P")


async def test_an_event_that_does_not_come_is_named_at_the_deadline(browser: Connection, tab: Session) -> None:
    with pytest.raises(EventTimeout, match=r"^Page\.loadEventFired: no such event on session P within 0\.01 s$"):
        async with tab.expect(page.LoadEventFired, timeout=0.01):
            pass

    assert len(browser._dispatcher.subscriptions) == 0  # pyright: ignore[reportPrivateUsage]  # the leak is what is tested


async def test_an_exception_of_the_block_goes_first_and_ends_the_wait(browser: Connection, tab: Session) -> None:
    load = tab.expect(page.LoadEventFired)
    with pytest.raises(KeyError):
        async with load:
            raise KeyError

    with pytest.raises(RuntimeError, match=r"Page\.loadEventFired has not come yet"):
        _ = load.value
    assert len(browser._dispatcher.subscriptions) == 0  # pyright: ignore[reportPrivateUsage]  # the leak is what is tested


async def test_a_value_must_not_be_read_too_early(tab: Session, wire: MemoryWire) -> None:
    expected = tab.expect(page.LoadEventFired)

    with pytest.raises(RuntimeError, match="enter the expectation first"):
        _ = expected.value
    async with expected:
        with pytest.raises(RuntimeError, match="has not come yet"):
            _ = expected.value
        with pytest.raises(RuntimeError, match="only once"):
            _ = await expected.__aenter__()
        wire.event("Page.loadEventFired", {"timestamp": 1}, session="P")


async def test_a_detach_a_crash_and_a_loss_end_the_wait_at_once(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    with pytest.raises(TargetCrashed):
        async with tab.expect(page.LoadEventFired, timeout=None):
            wire.event("Inspector.targetCrashed", session="P")
    with pytest.raises(SessionDetached):
        async with tab.expect(page.LoadEventFired, timeout=None):
            wire.detach("P")
    with pytest.raises(ConnectionLost):
        async with browser.expect(page.LoadEventFired, timeout=None):
            wire.end("the browser is gone")


async def test_a_cancelled_wait_leaves_no_listener(browser: Connection, tab: Session) -> None:
    async def wait() -> None:
        async with tab.expect(page.LoadEventFired):
            pass

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0)
    waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert len(browser._dispatcher.subscriptions) == 0  # pyright: ignore[reportPrivateUsage]  # the leak is what is tested
