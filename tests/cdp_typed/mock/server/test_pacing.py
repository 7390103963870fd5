"""A connection is read at the pace that a test sets."""

from __future__ import annotations

import asyncio

from cdp_typed.mock.server.pacing import ReadThrottle


class Transport(asyncio.ReadTransport):
    """Records when reading is paused and resumed."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.resumed = asyncio.Event()

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")
        self.resumed.set()


async def test_what_came_is_paid_for_with_time() -> None:
    transport = Transport()
    reading = ReadThrottle(transport)
    reading.took(10**9)
    reading.slow_down(1_000)
    reading.took(10)
    assert transport.told == ["pause"]

    await asyncio.wait_for(transport.resumed.wait(), 20)
    assert transport.told == ["pause", "resume"]


async def test_what_has_stopped_never_goes_on() -> None:
    transport = Transport()
    reading = ReadThrottle(transport)
    reading.slow_down(1_000_000)
    reading.took(1)
    reading.stop()

    await asyncio.sleep(0.01)  # the timer that was set is due by now, and was cancelled
    assert transport.told == ["pause", "pause"]
