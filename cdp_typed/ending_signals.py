"""The signals that ask a program to end: SIGINT (Ctrl-C), SIGTERM, and SIGHUP of a closed terminal.

A signal that the program was started to ignore stays ignored. `nohup` ignores SIGHUP, and a shell without job control
ignores SIGINT in a program that it starts with "&". Only the main thread can set handlers; others go without.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
"""`timeout`, `docker stop` and systemd send SIGTERM. Windows has no SIGHUP."""


@contextmanager
def exit_in_order() -> Generator[None]:
    """Raise `SystemExit` at a signal that would end the process at once, so that its browser ends with it.

    The exit code is 128 and the signal's number.
    """
    with _handled(_exit, [number for number in _numbers() if signal.getsignal(number) is signal.SIG_DFL]):
        yield


@contextmanager
def stopped_by_signals(stop: Callable[[], object]) -> Generator[list[int]]:
    """Let the running loop call `stop` at each signal, in place of what it did before. Yields the signals that came."""
    loop, came = asyncio.get_running_loop(), list[int]()

    def take(number: int, frame: FrameType | None) -> None:
        came.append(number)
        loop.call_soon_threadsafe(stop)

    # Not with `loop.add_signal_handler`: Windows has none, and it forgets the handler that was there before.
    with _handled(take, [number for number in _numbers() if signal.getsignal(number) is not signal.SIG_IGN]):
        yield came


def run_in_order(main: Coroutine[Any, Any, T]) -> T:
    """Run a program as `asyncio.run` does. A signal cancels it, and is raised again when it has ended.

    An exception that a handler raises can hit any task, and one of a server takes it for a failure of its request.
    """
    came: list[int] = []

    async def run() -> T:
        task = asyncio.current_task()
        assert task is not None
        with stopped_by_signals(task.cancel) as signals:
            try:
                return await main
            finally:
                came.extend(signals[:1])

    try:
        return asyncio.run(run())
    finally:
        for number in came:
            signal.raise_signal(number)


def _numbers() -> list[signal.Signals]:
    is_main = threading.current_thread() is threading.main_thread()
    return [getattr(signal, name) for name in _NAMES if is_main and hasattr(signal, name)]


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None], numbers: list[signal.Signals]) -> Generator[None]:
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
