"""Runs coroutines of the async client on the loop thread, for callers on other threads."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from cdp_typed.errors import CalledFromLoopThread, ConnectionLost, LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD, is_loop_running

P = ParamSpec("P")
T = TypeVar("T")


def start(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start a coroutine; coroutines start in the order of these calls.

    Raises `CalledFromLoopThread` on a thread that runs an event loop, and `ConnectionLost` when the last connection
    was closed.
    """
    _refuse_loops(work)
    try:
        return LOOP_THREAD.start(work)
    except LoopThreadEnded:
        raise ConnectionLost("closed by this side") from None


def wait(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return its result. Raises as `start` does, and the coroutine's own exceptions."""
    _refuse_loops(work)
    try:
        return LOOP_THREAD.run(work)
    except LoopThreadEnded:
        raise ConnectionLost("closed by this side") from None


def end(work: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine that closes something; does nothing if the last connection was closed. Raises as `wait`."""
    _refuse_loops(work)
    with suppress(LoopThreadEnded):
        LOOP_THREAD.run(work)


def wait_call(function: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Call a function that is not async on the loop's thread. Raises as `wait` does."""

    async def call() -> T:
        return function(*args, **options)

    return wait(call())


def _refuse_loops(work: Coroutine[Any, Any, object]) -> None:
    if is_loop_running():
        work.close()
        raise CalledFromLoopThread
