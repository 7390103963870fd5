"""Runs coroutines of the async client on the loop thread, for callers on other threads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from typing import Any, ParamSpec, TypeVar

from cdp_typed.client.auto_attach import Setup
from cdp_typed.client.session import Session, SessionSetup
from cdp_typed.errors import ConnectionLost, LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")


def start(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start a coroutine; coroutines start in the order of these calls.

    Raises `CalledFromLoopThread` on the loop thread itself, and `ConnectionLost` when the last connection was closed.
    """
    try:
        return LOOP_THREAD.start(work)
    except LoopThreadEnded:
        raise ConnectionLost("closed by this side") from None


def wait(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return its result. Raises as `start` does, and the coroutine's own exceptions."""
    try:
        return LOOP_THREAD.run(work, warns=True)
    except LoopThreadEnded:
        raise ConnectionLost("closed by this side") from None


async def awaited(opening: Awaitable[T]) -> T:
    """Await what is no coroutine."""
    return await opening


def end(work: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine that closes something; does nothing if the last connection was closed. Raises as `wait`."""
    with suppress(LoopThreadEnded):
        LOOP_THREAD.run(work)


def wait_call(function: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Call a function that is not async on the loop's thread. Raises as `wait` does."""

    async def call() -> T:
        return function(*args, **options)

    return wait(call())


@contextmanager
def entered(block: AbstractAsyncContextManager[T]) -> Generator[T]:
    """Enter and leave an async block on the loop thread. Raises as `wait` does."""
    value = wait(block.__aenter__())
    try:
        yield value
    except BaseException as error:
        end(block.__aexit__(type(error), error, error.__traceback__))
        raise
    end(block.__aexit__(None, None, None))


def as_setup(enable: Setup[S], handle: Callable[[Session], S]) -> SessionSetup:
    """Return the set-up that the async client calls with its own sessions."""
    return (lambda session: enable(handle(session))) if callable(enable) else enable
