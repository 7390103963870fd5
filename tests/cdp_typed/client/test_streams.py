"""Streams of events, and events that are expected, over a wire in memory."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import Connection, Overflow, Session, SubscriptionOverflow
from cdp_typed._base import Event
from cdp_typed.errors import EventTimeout, SchemaMismatch, SessionDetached, TargetCrashed
from cdp_typed.protocol import inspector, page
from tests.cdp_typed.client.conftest import begun
from tests.support.wires.memory_wire import MemoryWire

RESIZED = page.FrameResized()


def _loaded(timestamp: float) -> page.LoadEventFired:
    return page.LoadEventFired(timestamp=timestamp)


def _load(wire: MemoryWire, *timestamps: int, session: str = "P") -> None:
    for timestamp in timestamps:
        wire.event("Page.loadEventFired", {"timestamp": timestamp}, session=session)


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
        _load(wire, 1)
        assert await stream.take(None) == _loaded(1)

    with pytest.raises(RuntimeError, match="the stream is closed"):
        await stream.take(1)


async def test_several_types_come_in_one_order_and_other_sessions_do_not(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.LoadEventFired, page.FrameResized) as stream, tab.events() as of_any_type:
        _load(wire, 1)
        wire.event("Page.frameResized", session="P")
        wire.event("Page.frameResized", session="other")
        wire.event("Inspector.targetReloadedAfterCrash", session="P")
        _load(wire, 2)

        assert [await anext(stream) for _ in range(3)] == [_loaded(1), RESIZED, _loaded(2)]
        reloaded = inspector.TargetReloadedAfterCrash()
        assert [await anext(of_any_type) for _ in range(4)] == [_loaded(1), RESIZED, reloaded, _loaded(2)]


async def test_a_stream_waits_for_events_and_giving_up_a_wait_loses_none(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.FrameResized) as stream:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(stream), 0.01)
        waiting = await begun(stream.take(None))
        wire.event("Page.frameResized", session="P")

        assert await waiting == RESIZED


async def test_after_the_block_nothing_is_heard_and_what_is_left_can_be_taken(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    async with tab.events(page.LoadEventFired) as stream:
        wire.event("Page.loadEventFired", {"timestamp": 1}, session="P")
        await wire.drained()
    wire.event("Page.loadEventFired", {"timestamp": 2}, session="P")
    await wire.drained()

    assert [event async for event in stream] == [_loaded(1)]
    assert browser.listeners == 0


async def test_closing_a_stream_ends_the_loop_that_waits_on_it(tab: Session) -> None:
    async with tab.events(page.FrameResized) as stream:

        async def consume() -> list[Event]:
            return [event async for event in stream]

        consuming = await begun(consume())
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
    wire.event("Inspector.targetReloadedAfterCrash", session="P")
    with pytest.raises(TargetCrashed):
        async with tab.expect(page.FrameResized, timeout=None):
            wire.event("Inspector.targetCrashed", session="P")


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


# -- streams that are full ---------------------------------------------------------------------------------------


def test_a_stream_that_holds_nothing_or_has_an_unknown_policy_is_refused(tab: Session) -> None:
    with pytest.raises(ValueError, match="maxsize must be at least 1, not 0"):
        tab.events(page.FrameResized, maxsize=0)
    with pytest.raises(ValueError, match="overflow must be one of drop_oldest, drop_new, fail, not 'drop'"):
        tab.events(page.LoadEventFired, overflow="drop")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]  # the mistake that is tested


@pytest.mark.parametrize(("overflow", "kept"), [("drop_oldest", [3, 4]), ("drop_new", [0, 1])])
async def test_what_is_dropped_is_counted(
    browser: Connection, tab: Session, wire: MemoryWire, overflow: Overflow, kept: list[int]
) -> None:
    async with tab.events(page.LoadEventFired, maxsize=2, overflow=overflow) as stream:
        _load(wire, *range(5))
        await wire.drained()

        assert (stream.held, stream.dropped, browser.counters.dropped_events) == (2, 3, 3)
        assert [await anext(stream) for _ in kept] == [_loaded(number) for number in kept]
        _load(wire, 5)
        assert await anext(stream) == _loaded(5)
        assert stream.dropped == 3


async def test_the_news_of_a_crash_is_never_dropped(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.LoadEventFired, maxsize=2) as stream:
        _load(wire, 0)
        wire.event("Inspector.targetCrashed", session="P")
        _load(wire, 1, 2, 3)
        await wire.drained()

        with pytest.raises(TargetCrashed):
            await anext(stream)
        assert await anext(stream) == _loaded(3)
        assert stream.dropped == 3


async def test_a_stream_that_may_not_drop_fails_at_last(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.LoadEventFired, page.FrameResized, maxsize=2, overflow="fail") as stream:
        _load(wire, *range(5))
        await wire.drained()

        assert browser.listeners == 0
        assert [await anext(stream) for _ in range(2)] == [_loaded(0), _loaded(1)]
        for _ in range(2):
            with pytest.raises(
                SubscriptionOverflow, match=r"^Page\.loadEventFired, Page\.frameResized: the stream is full with 2 eve"
            ):
                await anext(stream)
    assert (stream.dropped, browser.counters.dropped_events) == (1, 1)


async def test_any_event_can_fill_a_stream_of_no_type_in_particular(tab: Session, wire: MemoryWire) -> None:
    async with tab.events(maxsize=1, overflow="fail") as stream:
        _load(wire, 1, 2)
        await anext(stream)
        with pytest.raises(SubscriptionOverflow, match=r"^any event: "):
            await anext(stream)


# -- expectations ------------------------------------------------------------------------------------------------


async def test_an_event_that_comes_during_the_block_is_there_in_it_and_after_it(tab: Session, wire: MemoryWire) -> None:
    async with tab.expect(page.LoadEventFired) as load:
        _load(wire, 1, 2)
        assert await load == _loaded(1)

    assert load.value == _loaded(1)
    assert await load == _loaded(1)


async def test_leaving_the_block_waits_for_the_event(tab: Session, wire: MemoryWire) -> None:
    async with tab.expect(page.LoadEventFired) as load:
        asyncio.get_running_loop().call_soon(wire.event, "Page.loadEventFired", {"timestamp": 1})
        asyncio.get_running_loop().call_soon(lambda: wire.event("Page.loadEventFired", {"timestamp": 2}, session="P"))

    assert load.value == _loaded(2)


async def test_a_predicate_chooses_the_event_and_what_it_raises_is_raised_by_the_block(
    tab: Session, wire: MemoryWire
) -> None:
    async with tab.expect(page.LoadEventFired, lambda event: event.timestamp > 1) as load:
        _load(wire, 1, 2, 3)
    assert load.value == _loaded(2)
    with pytest.raises(ZeroDivisionError):
        async with tab.expect(page.LoadEventFired, lambda event: 1 / event.timestamp > 1):
            _load(wire, 0)


async def test_an_event_that_does_not_come_is_named_at_the_deadline(browser: Connection, tab: Session) -> None:
    with pytest.raises(EventTimeout, match=r"^Page\.loadEventFired: no such event on session P within 0\.01 s$"):
        async with tab.expect(page.LoadEventFired, timeout=0.01):
            pass

    assert browser.listeners == 0


async def test_an_exception_of_the_block_goes_first_and_ends_the_wait(browser: Connection, tab: Session) -> None:
    load = tab.expect(page.LoadEventFired)
    with pytest.raises(KeyError):
        async with load:
            raise KeyError

    with pytest.raises(RuntimeError, match=r"Page\.loadEventFired has not come yet"):
        _ = load.value
    assert browser.listeners == 0


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
