"""Runs handlers on the one event loop for them, and blocking functions on their own threads."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


class RunningCall(Struct, frozen=True):
    """A call of a tool that has not ended."""

    name: str
    """The name that was called, which may be that of no tool."""
    since: float
    """Seconds since the epoch."""


class RunningCalls:
    """The tasks of the calls that are under way, so that they can be ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: dict[asyncio.Task[Any], RunningCall] = {}

    @property
    def all(self) -> tuple[RunningCall, ...]:
        """The calls that are under way, the oldest first."""
        with self._lock:
            return tuple(self._tasks.values())

    @contextmanager
    def noted(self, name: str) -> Generator[None]:
        """Count the current task as a call of this tool for the length of a block, unless it is one already."""
        task = asyncio.current_task()
        assert task is not None
        with self._lock:
            is_inner = task in self._tasks  # a handler that calls another tool
            self._tasks.setdefault(task, RunningCall(name, time.time()))
        try:
            yield
        finally:
            if not is_inner:
                with self._lock:
                    self._tasks.pop(task, None)

    def cancel(self) -> None:
        """Cancel every call but the one that asks for it. From any thread."""
        with self._lock:
            tasks = tuple(self._tasks)
        for task in tasks:
            if not is_current(task):
                task.get_loop().call_soon_threadsafe(task.cancel)


def is_current(task: asyncio.Task[Any]) -> bool:
    """Whether the caller runs in this task."""
    try:
        return asyncio.current_task() is task
    except RuntimeError:  # no loop runs on this thread
        return False


def is_cancelled_from_outside() -> bool:
    """Whether the current task was cancelled (`Task.cancel`), so that a `CancelledError` in it comes from that."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def call_handler(handler: Callable[[Any, Any], Any], context: object, arguments: object) -> Any:
    """Await an async handler here; call another one on its own thread."""
    if inspect.iscoroutinefunction(handler):
        return await handler(context, arguments)
    result = await in_thread(lambda: handler(context, arguments))
    return await result if inspect.isawaitable(result) else result


async def in_thread(work: Callable[[], T]) -> T:
    """Run a blocking function on its own thread, in the caller's context (`contextvars`).

    A call that is cancelled does not wait for the thread.
    """
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def run() -> None:
        future.set_running_or_notify_cancel()
        try:
            future.set_result(context.run(work))
        except StopIteration as error:  # asyncio would never hand it on
            future.set_exception(RuntimeError(f"the function raised {error!r}"))
        except BaseException as error:  # raised again where the call is awaited
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)
