"""Overflow of a stream whose consumer is too slow."""

from __future__ import annotations

import asyncio

import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_typed import (
    Connection,
    ConnectionLost,
    Overflow,
    Session,
    SessionDetached,
    SubscriptionOverflow,
    TargetCrashed,
    connect,
)
from cdp_typed.protocol import page
from tests.support.wires.memory_wire import MemoryWire


def _loaded(timestamp: float) -> page.LoadEventFired:
    return page.LoadEventFired(timestamp=timestamp)


def _load(wire: MemoryWire, *timestamps: int, session: str = "P") -> None:
    for timestamp in timestamps:
        wire.event("Page.loadEventFired", {"timestamp": timestamp}, session=session)


async def _settle() -> None:
    """Let everything happen that needs nothing from outside."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_policy_that_does_not_exist_is_refused(tab: Session) -> None:
    with pytest.raises(ValueError, match="overflow must be one of drop_oldest, drop_new, block, fail, not 'drop'"):
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


# -- block -------------------------------------------------------------------------------------------------------


async def test_a_blocking_stream_stops_the_reader_and_loses_nothing(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    async with tab.events(page.LoadEventFired, maxsize=2, overflow="block") as stream:
        _load(wire, *range(100))
        await _settle()
        assert (stream.held, browser.counters.events) == (2, 3)  # with the one that announced the session
        assert await anext(stream) == _loaded(0)
        await _settle()
        assert (stream.held, browser.counters.events) == (2, 4)

        assert [await anext(stream) for _ in range(99)] == [_loaded(number) for number in range(1, 100)]
        assert (stream.dropped, browser.counters.dropped_events) == (0, 0)


async def test_a_full_blocking_stream_holds_up_no_reply(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.LoadEventFired, maxsize=1, overflow="block") as stream:
        _load(wire, 1, 2, 3)
        await _settle()
        assert stream.held == 1
        sending = asyncio.create_task(browser.send(page.Enable(), session_id="other"))
        await _settle()
        wire.reply()
        _load(wire, 4)

        await asyncio.wait_for(sending, 1)
        await _settle()
        assert stream.held == 3  # read on for the reply, and no further
        assert [await anext(stream) for _ in range(4)] == [_loaded(number) for number in (1, 2, 3, 4)]


async def test_whoever_consumes_a_blocking_stream_may_send_commands(tab: Session, wire: MemoryWire) -> None:
    seen: list[float] = []
    async with tab.events(page.LoadEventFired, maxsize=1, overflow="block") as stream:
        _load(wire, 1, 2, 3)
        async for event in stream:
            seen.append(event.timestamp)
            sending = tab.send_nowait(page.Enable())
            wire.reply()
            await sending
            if len(seen) == 3:
                break

    assert seen == [1, 2, 3]


async def test_an_expectation_and_another_stream_are_not_starved(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    async with (
        tab.events(page.LoadEventFired, maxsize=1, overflow="block") as stream,
        browser.events(page.FrameResized) as other,
    ):
        _load(wire, 1, 2)
        wire.event("Page.frameResized", session="Q")
        await _settle()
        assert (stream.held, other.held) == (1, 0)

        assert await asyncio.wait_for(anext(other), 1) == page.FrameResized()
        assert stream.held == 2
        async with tab.expect(page.LoadEventFired, lambda event: event.timestamp == 3, timeout=1):
            _load(wire, 3)
        assert stream.held == 3


async def test_closing_a_full_blocking_stream_lets_the_reader_go(
    browser: Connection, tab: Session, wire: MemoryWire
) -> None:
    async with tab.events(page.LoadEventFired, maxsize=1, overflow="block") as stream:
        _load(wire, 1, 2)
        await _settle()
        assert browser.counters.events == 2
        stream.close()
        await wire.drained()

    assert browser.counters.events == 3


async def test_the_end_of_its_session_lets_the_reader_go(browser: Connection, tab: Session, wire: MemoryWire) -> None:
    async with tab.events(page.LoadEventFired, maxsize=1, overflow="block") as stream:
        _load(wire, 1)
        wire.detach("P")
        await _settle()
        assert not tab.is_over
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(browser.wait_closed(), 0.01)  # somebody waits, so the detach is heard
        assert tab.is_over
        _load(wire, 2, session="Q")
        await wire.drained()

        assert browser.counters.events == 4
        assert await anext(stream) == _loaded(1)
        with pytest.raises(SessionDetached):
            await anext(stream)


async def test_a_full_blocking_stream_does_not_hold_up_the_end(no_leaks: None, wire: MemoryWire) -> None:
    async with Connection(wire) as browser, browser.events(page.LoadEventFired, maxsize=1, overflow="block") as stream:
        _load(wire, 1, 2, 3)
        await _settle()
        await asyncio.wait_for(browser.close(), 1)

        assert [await anext(stream) for _ in range(3)] == [_loaded(1), _loaded(2), _loaded(3)]
        with pytest.raises(ConnectionLost, match="closed by this side"):
            await anext(stream)


_MIB = 2**20


async def test_the_socket_is_read_while_a_blocking_stream_is_full(no_leaks: None) -> None:
    """So pings are answered and the end is heard of; what the browser sends meanwhile waits in memory."""
    sent = asyncio.Event()

    async def browser_that_says_much(peer: ServerConnection) -> None:
        await peer.recv()
        for number in range(64):  # far beyond what the buffers of two sockets hold
            padding = " " * _MIB
            await peer.send(f'{{"method":"Page.loadEventFired","params":{{"timestamp":{number}{padding}}}}}')
        await (await peer.ping())
        sent.set()
        await peer.wait_closed()

    async with serve(browser_that_says_much, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with (
            connect(f"ws://127.0.0.1:{port}/x") as browser,
            browser.events(page.LoadEventFired, maxsize=1, overflow="block") as stream,
        ):
            browser.send_nowait(page.Enable()).cancel()
            await asyncio.wait_for(sent.wait(), 20)

            assert (stream.held, browser.counters.events) == (1, 1)
            assert [await anext(stream) for _ in range(64)] == [_loaded(number) for number in range(64)]
