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


@pytest.fixture
def bridge(no_leaks: None) -> LoopThread:
    return LoopThread()


def test_it_runs_while_somebody_holds_it_and_can_be_held_again_after_it_ended(bridge: LoopThread) -> None:
    for _ in range(2):
        bridge.acquire()
        with bridge.held():
            assert bridge.run(where()) == "cdp-typed loop"
        assert bridge.run(where()) == "cdp-typed loop"
        bridge.release()

        with pytest.raises(LoopThreadEnded, match="the event loop's thread has ended"):
            bridge.run(where())


def test_it_refuses_to_wait_for_itself_and_gives_exceptions_to_the_caller(bridge: LoopThread) -> None:
    async def waits_for_itself() -> str:
        return bridge.run(where())

    async def fails() -> None:
        raise ValueError("mine")

    with bridge.held():
        with pytest.raises(CalledFromLoopThread):
            bridge.run(waits_for_itself(), 5)
        with pytest.raises(ValueError, match="mine"):
            bridge.run(fails())


def test_what_takes_too_long_is_cancelled(bridge: LoopThread) -> None:
    begun, ended = threading.Event(), threading.Event()

    started = time.monotonic()
    with bridge.held():
        with pytest.raises(TimeoutError):
            bridge.run(_endless(begun, ended), 0.05)
        assert ended.wait(5)
    assert time.monotonic() - started < 10


def test_whoever_lets_go_on_the_loop_thread_itself_does_not_wait_for_its_end(bridge: LoopThread) -> None:
    async def lets_go() -> str:
        bridge.release()
        return "let go"

    bridge.acquire()

    assert bridge.run(lets_go(), 5) == "let go"


def test_a_forked_child_has_no_thread_and_can_start_one() -> None:
    bridge = LoopThread()
    bridge.acquire()
    left_behind = vars(bridge).copy()
    bridge.forget()
    with pytest.raises(LoopThreadEnded):
        bridge.run(where())
    bridge.release()

    bridge.acquire()
    assert bridge.run(where()) == "cdp-typed loop"
    bridge.release()

    vars(bridge).update(left_behind)  # the parent's, which a real child never sees
    bridge.release()


def test_work_that_the_end_of_the_loop_leaves_unfinished_says_so(bridge: LoopThread) -> None:
    begun = asyncio.Event()

    async def ends() -> None:
        await begun.wait()
        bridge.release()

    async def forever() -> None:
        begun.set()
        await asyncio.Event().wait()

    bridge.acquire()
    bridge.start(ends())

    with pytest.raises(LoopThreadEnded):
        bridge.run(forever(), 10)


async def test_a_coroutine_hops_to_the_loop_and_its_result_comes_back(bridge: LoopThread) -> None:
    with bridge.held():
        assert await bridge.hop(where()) == "cdp-typed loop"
        assert await bridge.hop(bridge.hop(where())) == "cdp-typed loop"

    with pytest.raises(LoopThreadEnded):
        await bridge.hop(where())


async def test_who_hops_and_is_cancelled_cancels_the_work(bridge: LoopThread) -> None:
    begun, ended = threading.Event(), threading.Event()
    with bridge.held():
        hopping = asyncio.create_task(bridge.hop(_endless(begun, ended)))
        while not begun.is_set():  # noqa: ASYNC110 - set by another thread
            await asyncio.sleep(0.001)
        hopping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hopping
        assert ended.wait(10)


async def test_the_end_of_the_loop_ends_whoever_has_hopped_to_it(bridge: LoopThread) -> None:
    begun, ended = threading.Event(), threading.Event()
    bridge.acquire()
    hopping = asyncio.create_task(bridge.hop(_endless(begun, ended)))
    while not begun.is_set():  # noqa: ASYNC110 - set by another thread
        await asyncio.sleep(0.001)

    bridge.release()

    with pytest.raises(LoopThreadEnded):
        await hopping


async def _endless(begun: threading.Event, ended: threading.Event) -> None:
    begun.set()
    try:
        await asyncio.Event().wait()
    finally:
        ended.set()


def test_a_thread_that_is_kept_outlives_its_other_holders(no_leaks: None) -> None:
    bridge = LoopThread("kept")
    bridge.keep()
    bridge.keep()
    with bridge.held():
        pass

    assert (bridge.run(where()), bridge.is_current) == ("kept", False)
    bridge.release()
    with pytest.raises(LoopThreadEnded):
        bridge.run(where())


def test_what_should_end_a_process_does_not_end_the_loop(bridge: LoopThread, caplog: pytest.LogCaptureFixture) -> None:
    async def exits() -> None:
        raise SystemExit(3)

    async def exits_in_a_callback() -> None:
        asyncio.get_running_loop().call_soon(exit_now)
        await asyncio.sleep(0)

    def exit_now() -> None:
        raise KeyboardInterrupt

    with bridge.held():
        with pytest.raises(SystemExit):
            bridge.run(exits(), 5)
        bridge.run(exits_in_a_callback(), 5)
        assert bridge.run(where(), 5) == "cdp-typed loop"

    assert [message.partition(" which")[0] for message in caplog.messages] == [
        "a task or callback raised SystemExit,",
        "a task or callback raised KeyboardInterrupt,",
    ]
