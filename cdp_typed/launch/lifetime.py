"""The lifetime of a launched browser, on a port or a pipe. Its end removes the processes and the profile."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cdp_typed.errors import LaunchError, NoEventLoop
from cdp_typed.launch.executables import find_browser
from cdp_typed.launch.page_flags import check_flags
from cdp_typed.launch.process import Process
from cdp_typed.launch.profiles import Profile

STEP_S = 0.01
"""Seconds between two checks of a starting browser."""
T = TypeVar("T")
B = TypeVar("B")


class PendingStart:
    """A browser that starts: its process, the deadline, and whether the caller gave up."""

    def __init__(self, process: Process, timeout: float, give_up: threading.Event) -> None:
        self.process = process
        self.give_up = give_up
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout

    def check(self, status: int | None, *, verb: str, missing: str) -> None:
        """Raise `LaunchError` if the browser exited with `status`, the deadline is over, or the start was cancelled."""
        if self.give_up.is_set():
            raise LaunchError("the start was cancelled")
        if status is not None:
            raise self._failure(f"ended with status {status} before it {verb}ed")
        if time.monotonic() >= self._deadline:
            raise self._failure(f"did not {verb} within {self._timeout:g} s ({missing})")

    def _failure(self, what: str) -> LaunchError:
        tail = self.process.log_tail()
        said = f"; it printed:\n{tail}" if tail else " and printed nothing"
        return LaunchError(f"the browser {what}{said}")


class Launching(ABC, Generic[B]):
    """The return value of `launch`: enter it with `with` or `async with`; or `await` it, or call
    `start()`, for a browser until its `close()`.

    The browser ends with all its helpers when the block is left in whatever way, and at the latest when the interpreter
    exits. Its profile is removed, unless it is to stay. If Python itself is killed (SIGKILL, or SIGTERM or SIGHUP
    without a handler), a small process that waits for that does it within a second. On Windows the system ends the
    browser then, and its profile stays.
    """

    def __init__(
        self,
        executable: str | os.PathLike[str] | None,
        args: tuple[str, ...],
        timeout: float,
        environment: Mapping[str, str],
        profile: Profile,
    ) -> None:
        self._executable = executable
        self._args = args
        self._timeout = timeout
        self._environment = environment
        self._profile = profile
        self._process: Process | None = None

    @abstractmethod
    def _spawn(self, executable: Path, args: tuple[str, ...]) -> Process:
        """Start the process. Raises `LaunchError` with nothing left behind."""

    @abstractmethod
    def _meet(self, start: PendingStart, executable: Path) -> B:
        """Wait until the browser accepts a connection. Raises `LaunchError`."""

    def _end(self, process: Process) -> None:
        process.end()

    def find(self) -> Path:
        """Return the browser that `start` starts.

        Raises `LaunchError` when none is found, or when it would ignore one of the options.
        """
        executable = find_browser(self._executable)
        check_flags(executable, self._args)
        return executable

    def start(self) -> B:
        """Start the browser and wait until it accepts a connection.

        Raises `LaunchError` when none is found, it exits at once, or it is not ready within the deadline; the error
        then carries the last lines that the browser printed, and nothing is left running.
        """
        return self._start(threading.Event())

    def close(self) -> None:
        """End the browser with its helper processes; remove its profile unless that stays. Closing twice is fine."""
        if self._process is not None:
            self._end(self._process)
            # Not before: if a second Ctrl-C interrupts the end of the process, the interpreter's exit finishes it.
            atexit.unregister(self.close)
            self._process = None

    def __enter__(self) -> B:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __await__(self) -> Generator[Any, None, B]:
        return self.__aenter__().__await__()

    if not TYPE_CHECKING:  # pragma: no branch - for who forgets to await; type checkers see that themselves

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(
                f"launch(...) has not started a browser yet, so it has no {name!r}: with launch() as chromium, "
                "chromium = launch().start(), or chromium = await launch()"
            )

    async def __aenter__(self) -> B:
        give_up = threading.Event()
        starting = _in_thread(lambda: self._start(give_up))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            give_up.set()
            await asyncio.wait([starting])
            if starting.exception() is None:
                await self.__aexit__(None, None, None)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        closing = _in_thread(self.close)
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            await asyncio.wait([closing])
            raise

    def _start(self, give_up: threading.Event) -> B:
        if self._process is not None:
            raise RuntimeError("this launch is already running; call launch() again for another browser")
        executable = self.find()
        process = self._process = self._spawn(executable, self._args)
        atexit.register(self.close)
        try:
            return self._meet(PendingStart(process, self._timeout, give_up), executable)
        except BaseException:
            self.close()
            raise


class _Closed:
    def __repr__(self) -> str:
        return "<closed>"  # what a prompt shows

    def __await__(self) -> Generator[Any, None, None]:
        yield from ()


def end_now(close: Callable[[], None]) -> Awaitable[None]:
    """Close a browser; where an event loop runs, in a thread, and the result can be awaited. Else it has happened."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        close()
        return _Closed()
    return _in_thread(close)


def _in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Run `work` in its own thread that ends with it, so that none is left waiting in a pool."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise NoEventLoop from None
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cdp-typed-launch")
    try:
        return loop.run_in_executor(executor, work)
    finally:
        executor.shutdown(wait=False)
