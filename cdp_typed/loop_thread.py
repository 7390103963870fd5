"""The bridge from threads to asyncio: one event loop on one thread, shared by all who hold it."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import warnings
from collections.abc import Coroutine, Generator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from typing import Any, TypeVar

from cdp_typed.errors import CalledFromLoopThread, LoopThreadEnded

__all__ = ["HANDLER_LOOP", "LOOP_THREAD", "LoopThread"]

T = TypeVar("T")

_log = logging.getLogger("cdp_typed")

WARNED = threading.Event()
"""Set once this process was warned of a blocking call on a thread that runs an event loop."""


def _warn_if_loop_runs() -> None:
    """Warn once a process if this thread runs an event loop, which stands still during a blocking call."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    if not WARNED.is_set():
        WARNED.set()
        warnings.warn(
            "a blocking call on a thread that runs an event loop: that loop stands still until the call ends; to let "
            "it run, await the async form: connect for connect_sync, AsyncSupervisor for CDPSupervisor, adispatch for "
            "dispatch",
            RuntimeWarning,
            stacklevel=4,
        )


class LoopThread:
    """An event loop on a thread: the first `acquire` starts the thread, the last `release` ends it."""

    def __init__(self, name: str = "cdp-typed loop") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._holders = 0
        self._is_kept = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def is_current(self) -> bool:
        """Whether the caller runs on this thread."""
        return threading.current_thread() is self._thread

    def acquire(self) -> None:
        """Add a holder; the first one starts the thread."""
        with self._lock:
            self._add_holder()

    def release(self) -> None:
        """Remove a holder; removing the last one cancels the work that runs and waits until the thread has ended."""
        with self._lock:
            if self._holders == 0:  # acquired before a fork, released in the child
                return
            self._holders -= 1
            ended = self._stop() if self._holders == 0 else None
        if ended is not None and ended is not threading.current_thread():
            ended.join()

    def keep(self) -> None:
        """Add a holder that stays as long as the process lives; a second call does nothing."""
        with self._lock:
            if not self._is_kept:
                self._is_kept = True
                self._add_holder()

    def run(self, work: Coroutine[Any, Any, T], timeout_s: float | None = None, *, warns: bool = False) -> T:
        """Run a coroutine on the loop and wait for its result.

        A thread that runs another event loop may call it; the first such call of a process that `warns` does. Raises
        `CalledFromLoopThread` on the loop's own thread, `LoopThreadEnded` when the thread has no holder (any more), and
        `TimeoutError` after `timeout_s`, when the coroutine is cancelled.
        """
        future = self.start(work)
        if warns:
            _warn_if_loop_runs()
        try:
            return future.result(timeout_s)
        except CancelledError:  # by the end of the loop: no other code has this future
            raise LoopThreadEnded from None
        except BaseException:
            future.cancel()
            raise

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine on the loop; coroutines start in the order of these calls.

        Raises `CalledFromLoopThread` on the loop's own thread, and `LoopThreadEnded` when the thread has no holder.
        """
        if self.is_current:
            work.close()
            raise CalledFromLoopThread
        with self._lock:  # or the loop could end between this check and the start
            if self._loop is not None:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        raise LoopThreadEnded

    async def hop(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the loop and await its result on the caller's own loop, which may be the same one.

        Raises `LoopThreadEnded` when the thread has no holder (any more). Cancelling the caller cancels the coroutine.
        """
        if self.is_current:
            return await work
        future = self.start(work)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise LoopThreadEnded from None  # cancelled by the end of the loop

    @contextmanager
    def held(self) -> Generator[None]:
        """Acquire the thread for the length of a block."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    def forget(self) -> None:
        """Reset this object in a forked child, where the thread does not exist."""
        self._lock = threading.Lock()
        self._holders = 0
        self._is_kept = False
        self._loop = self._thread = None

    def _add_holder(self) -> None:
        self._holders += 1
        if self._holders == 1:
            self._start()

    def _start(self) -> None:
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._serve, args=(loop,), name=self._name, daemon=True)
        thread.start()
        self._loop, self._thread = loop, thread

    @staticmethod
    def _serve(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            while not _served(loop):
                pass
        finally:
            loop.run_until_complete(_wind_up(loop))
            loop.close()

    def _stop(self) -> threading.Thread:
        loop, thread = self._loop, self._thread
        assert loop is not None
        assert thread is not None
        self._loop = self._thread = None
        loop.call_soon_threadsafe(loop.stop)
        return thread


def _served(loop: asyncio.AbstractEventLoop) -> bool:
    """Run the loop; False when a task or callback ended it by `SystemExit` or `KeyboardInterrupt`, which asyncio lets
    through: they are meant for a main thread, and this one has other work."""
    try:
        loop.run_forever()
    except (SystemExit, KeyboardInterrupt) as error:
        _log.error("a task or callback raised %s, which does not end the event loop", type(error).__name__)
        return False
    return True


async def _wind_up(loop: asyncio.AbstractEventLoop) -> None:
    # A caller of `run` must not wait for ever for work that started just before the end.
    tasks = asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await loop.shutdown_asyncgens()


LOOP_THREAD = LoopThread()
"""The loop thread of this process for connections and supervisors."""

HANDLER_LOOP = LoopThread("cdp-typed handlers")
"""The loop thread of this process for code of users that must not delay those: the handlers of tools."""

if sys.platform != "win32" and hasattr(os, "register_at_fork"):  # pragma: no branch - Windows has no fork
    os.register_at_fork(after_in_child=LOOP_THREAD.forget)
    os.register_at_fork(after_in_child=HANDLER_LOOP.forget)
