"""Overflow of a stream whose consumer is too slow."""

from __future__ import annotations

import pytest

from cdp_typed import Connection, Overflow, Session, SubscriptionOverflow, TargetCrashed
from cdp_typed.protocol import page
from tests.support.wires.memory_wire import MemoryWire


def _loaded(timestamp: float) -> page.LoadEventFired:
    return page.LoadEventFired(timestamp=timestamp)


def _load(wire: MemoryWire, *timestamps: int, session: str = "P") -> None:
    for timestamp in timestamps:
        wire.event("Page.loadEventFired", {"timestamp": timestamp}, session=session)


def test_a_policy_that_does_not_exist_is_refused(tab: Session) -> None:
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


async def test_a_stream_that_may_not_drop_fails_after_what_it_holds(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
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
