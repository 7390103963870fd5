"""The signals that ask a program to end: SIGINT (Ctrl-C), SIGTERM, and SIGHUP of a closed terminal.

A signal that the program was started to ignore stays ignored. `nohup` ignores SIGHUP, and a shell without job control
ignores SIGINT in a program that it starts with "&". Only the main thread can set handlers; others go without.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE_S = 10.0
"""A host may signal a group and its members, too. A signal so long after the first one ends the process at once."""

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
"""`timeout`, `docker stop` and systemd send SIGTERM. Windows has no SIGHUP."""


@contextmanager
def exit_in_order() -> Generator[None]:
    """Raise at the first signal that would end the process at once, so that its browser ends with it.

    That is `KeyboardInterrupt` at SIGINT, and else `SystemExit`, whose code is 128 and the signal's number. Further
    signals do not disturb the end: see `PATIENCE_S`.
    """
    with _handled(_End(_raise), [number for number in _numbers() if signal.getsignal(number) in _AT_ONCE]):
        yield


@contextmanager
def stopped_by_signals(stop: Callable[[], object]) -> Generator[list[int]]:
    """Let the running loop call `stop` at each signal, in place of what it did before. Yields the signals that came."""
    loop, came = asyncio.get_running_loop(), list[int]()

    def take(number: int, frame: FrameType | None) -> None:
        came.append(number)
        loop.call_soon_threadsafe(stop)

    # Not with `loop.add_signal_handler`: Windows has none, and it forgets the handler that was there before.
    with _handled(take, _unignored()):
        yield came


def run_in_order(main: Coroutine[Any, Any, T]) -> T:
    """Run a program as `asyncio.run` does. A signal cancels it, and is raised again when it has ended.

    An exception that a handler raises can hit any task, and one of a server takes it for a failure of its request.
    """
    came: list[int] = []
    stops: list[Callable[[], object]] = []

    def take(number: int) -> None:
        came.append(number)
        for stop in stops:
            stop()

    async def run() -> T:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        stops.append(lambda: loop.call_soon_threadsafe(task.cancel))
        if came:
            task.cancel()
        return await main

    try:
        # Also while asyncio ends what is left: a task that a signal interrupts there leaves its threads waiting.
        with _handled(_End(take), _unignored()):
            return asyncio.run(run())
    finally:
        for number in came:
            raise_again(number)


def raise_again(number: int) -> None:
    """Raise a signal that came in one of these blocks, for what handled it before."""
    if signal.getsignal(number) is _LATE:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.raise_signal(number)


class _End:
    """Handles signals: the first one begins the end of the program, which the following ones do not disturb."""

    def __init__(self, begin: Callable[[int], None]) -> None:
        self._begin = begin
        self._since: float | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._since is None:
            self._since = now
            self._begin(number)
        elif now - self._since > PATIENCE_S:
            os._exit(128 + number)


def _raise(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + number)


def _unignored() -> list[signal.Signals]:
    return [number for number in _numbers() if signal.getsignal(number) is not signal.SIG_IGN]


def _numbers() -> list[signal.Signals]:
    is_main = threading.current_thread() is threading.main_thread()
    return [getattr(signal, name) for name in _NAMES if is_main and hasattr(signal, name)]


_LATE = _End(lambda number: None)
_AT_ONCE = (signal.SIG_DFL, signal.default_int_handler, _LATE)
"""What ends the process where it is, and what took its place when a program was about to end."""


@atexit.register
def _ignore_late() -> None:
    """CPython restores the default handlers as it finalizes: then a late signal would change the exit code."""
    for number in _numbers():
        if signal.getsignal(number) is _LATE:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None], numbers: list[signal.Signals]) -> Generator[None]:
    """Handle signals for the length of the block. When one has come, the program ends with the exit code that says so:
    further ones no longer end it at once."""
    came: list[int] = []

    def take(number: int, frame: FrameType | None) -> None:
        came.append(number)
        handler(number, frame)

    before = {number: signal.signal(number, take) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, _LATE if came and former in _AT_ONCE else former)
