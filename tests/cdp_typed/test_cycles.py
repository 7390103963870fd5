"""Thousands of connections, attachments, cancellations and disconnections leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections import Counter
from typing import Any

import pytest

from cdp_typed import Connection, ConnectionLost, Session, SessionDetached, Subscription, connect, connect_sync
from cdp_typed.client.streams import EventStream, Expectation
from cdp_typed.mock import MockServer, ThreadedMockServer
from cdp_typed.protocol import page, runtime
from tests.support.wires.memory_wire import MemoryWire

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.timeout(600),  # seconds of work, of which a busy machine may make minutes
]

IS_SOAK = "CDP_TYPED_SOAK_S" in os.environ
IN_MEMORY, OVER_SOCKETS = (10_000, 1_000) if IS_SOAK else (2_000, 200)
"""A leak of every connection shows after a few of them; a leak of one connection in a thousand needs thousands."""

BLOCKING = 50
BATCH = 500

OURS = (Connection, Session, Subscription, EventStream, Expectation, asyncio.Future, asyncio.TimerHandle)


@pytest.fixture(autouse=True)
def collected() -> None:
    """What earlier tests left is collected, and its files close, before anything is counted."""
    gc.collect()


def _outside() -> dict[str, int]:
    """Return the number of threads and open descriptors of this process."""
    return {"threads": threading.active_count(), "descriptors": len(os.listdir("/proc/self/fd"))}  # noqa: PTH208 - a Path would hold one more


def _inside() -> Counter[str]:
    """Return the number of living objects of the client, and of asyncio's, by class."""
    gc.collect()
    return Counter(kind.__name__ for item in gc.get_objects() for kind in OURS if isinstance(item, kind))


async def _held() -> dict[str, int]:
    return _outside()


async def _settled(before: dict[str, int]) -> dict[str, int]:
    """Wait at most two seconds until the server, too, has seen the last connection end; return the numbers then."""
    for _ in range(100):
        if _outside() == before:
            break
        await asyncio.sleep(0.02)
    return _outside()


class Browser(MemoryWire):
    """Answers `Target.attachToTarget` with a session of its own; other commands never."""

    def send(self, data: bytes) -> None:
        super().send(data)
        if self.sent and self.sent[-1]["method"] == "Target.attachToTarget":
            self.attach("P")
            self.reply({"sessionId": "P"})


async def _cycle(number: int) -> None:
    """One life: connect, attach, listen, call, cancel, and end in one of four ways."""
    wire = Browser()
    browser = Connection(wire)
    tab = await browser.attach("T")
    heard: list[Any] = []
    tab.listen(lambda _, event: heard.append(event), page.LoadEventFired)
    stream = await tab.events(page.LoadEventFired, overflow="fail", maxsize=1).__aenter__()
    call = asyncio.create_task(tab.send(runtime.Evaluate(expression="1")))
    wait = asyncio.create_task(_expect(tab))
    wire.event("Page.loadEventFired", {"timestamp": number}, session="P")
    assert (await anext(stream)).timestamp == number
    match number % 4:
        case 0:
            call.cancel()
            wait.cancel()
        case 1:
            wire.detach("P")
        case 2:
            wire.end("the browser is gone")
        case _:
            stream.close()
    results = await asyncio.gather(_closed(browser, number), call, wait, return_exceptions=True)
    ends = (asyncio.CancelledError, SessionDetached, ConnectionLost, ConnectionLost)
    assert [type(result) for result in results[1:]] == [ends[number % 4]] * 2
    assert len(heard) == 1
    assert (browser.pending, browser.listeners) == (0, 0)


async def _expect(tab: Session) -> None:
    async with tab.expect(page.FrameResized):
        pass


async def _closed(browser: Connection, number: int) -> None:
    if number % 4 == 1:
        await asyncio.sleep(0)  # let the detach be heard first
        await asyncio.sleep(0)
    await browser.close()


async def _batch(start: int) -> None:
    await asyncio.gather(*(_cycle(number) for number in range(start, start + BATCH)))


async def test_thousands_of_lives_over_a_wire_in_memory_leave_nothing() -> None:
    await _batch(0)  # what is cached once is cached now
    outside, inside = _outside(), _inside()

    for start in range(0, IN_MEMORY, BATCH):
        await _batch(start)

    assert _outside() == outside
    assert _inside() == inside
    assert inside.keys() <= {"Future"}  # pytest's own, and the last batch's
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def _real_cycle(url: str, number: int) -> None:
    async with connect(url) as browser:
        async with browser.new_page() as tab:
            await tab.send(page.Enable())
            endless = runtime.Evaluate(expression="new Promise(() => {})", await_promise=True)
            call = asyncio.create_task(tab.send(endless))
            await asyncio.sleep(0)
            if number % 2:
                await tab.detach()
                with pytest.raises(SessionDetached):
                    await call
            else:
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
        assert (browser.pending, browser.listeners) == (0, 0)


async def test_hundreds_of_lives_over_real_sockets_leave_nothing() -> None:
    async with MockServer() as mock:
        before = _outside()

        for start in range(0, OVER_SOCKETS, 10):
            await asyncio.gather(*(_real_cycle(mock.url, number) for number in range(start, start + 10)))

        assert await _settled(before) == before
        assert _inside().keys() <= {"Future", "TimerHandle"}  # the server's


def test_fifty_blocking_lives_over_real_sockets_leave_nothing() -> None:
    with ThreadedMockServer() as mock:
        before = asyncio.run(_held())  # with the descriptors of a loop, like the second time

        for _ in range(BLOCKING):
            with connect_sync(mock.url) as browser, browser.new_page() as tab, tab.events(page.LoadEventFired):
                tab.send(page.Enable())

        assert asyncio.run(_settled(before)) == before
