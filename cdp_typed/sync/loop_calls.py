"""Work of the async client, run on the loop thread for whoever called from another one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from cdp_typed.errors import CalledFromLoopThread, ConnectionLost, LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD

__all__ = ["end", "start", "wait", "wait_call"]

P = ParamSpec("P")
T = TypeVar("T")


def start(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin the work; works begin in the order of these calls.

    Raises `CalledFromLoopThread` on a thread that runs an event loop, and `ConnectionLost` when the last connection
    was closed.
    """
    _refuse_loops(work)
    try:
        return LOOP_THREAD.start(work)
    except LoopThreadEnded:
        raise ConnectionLost("closed by this side") from None


def wait(work: Coroutine[Any, Any, T]) -> T:
    """Do the work and return its result. Raises as `start` does, or what the work raises."""
    _refuse_loops(work)
    try:
        return LOOP_THREAD.run(work)
    except LoopThreadEnded:
        raise ConnectionLost("closed by this side") from None


def end(work: Coroutine[Any, Any, object]) -> None:
    """Do work that ends something; when the last connection was closed, it ended already. Raises as `wait` else."""
    _refuse_loops(work)
    with suppress(LoopThreadEnded):
        LOOP_THREAD.run(work)


def wait_call(function: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Call a function that is not async but belongs on the loop's thread. Raises as `wait` does."""

    async def call() -> T:
        return function(*args, **options)

    return wait(call())


def _refuse_loops(work: Coroutine[Any, Any, object]) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    work.close()
    raise CalledFromLoopThread
