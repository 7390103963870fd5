"""The thread bridge: it starts with its first holder, ends with its last, and refuses what would hang."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from cdp_typed.errors import CalledFromLoopThread, LoopThreadEnded
from cdp_typed.loop_thread import LoopThread


async def where() -> str:
    return threading.current_thread().name


def test_it_runs_while_somebody_holds_it(no_leaks: None) -> None:
    bridge = LoopThread()
    bridge.acquire()
    bridge.acquire()
    assert bridge.run(where()) == "cdp-typed loop"

    bridge.release()
    assert bridge.run(where()) == "cdp-typed loop"
    bridge.release()

    with pytest.raises(LoopThreadEnded, match="the event loop's thread has ended"):
        bridge.run(where())


def test_it_can_be_held_again_after_it_ended(no_leaks: None) -> None:
    bridge = LoopThread()
    for _ in range(2):
        bridge.acquire()
        assert bridge.run(where()) == "cdp-typed loop"
        bridge.release()


def test_it_refuses_to_wait_for_itself(no_leaks: None) -> None:
    bridge = LoopThread()

    async def waits_for_itself() -> str:
        return bridge.run(where())

    bridge.acquire()
    with pytest.raises(CalledFromLoopThread):
        bridge.run(waits_for_itself(), 5)
    bridge.release()


def test_what_takes_too_long_is_cancelled(no_leaks: None) -> None:
    bridge = LoopThread()
    cancelled = threading.Event()

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    bridge.acquire()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        bridge.run(forever(), 0.05)
    assert cancelled.wait(5)
    assert time.monotonic() - started < 3
    bridge.release()


def test_an_exception_comes_back_to_the_caller(no_leaks: None) -> None:
    bridge = LoopThread()

    async def fails() -> None:
        raise ValueError("mine")

    bridge.acquire()
    with pytest.raises(ValueError, match="mine"):
        bridge.run(fails())
    bridge.release()
