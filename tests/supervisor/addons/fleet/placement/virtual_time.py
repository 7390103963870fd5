"""An event loop whose time passes as soon as there is nothing else to do."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Any, TypeVar
from unittest.mock import patch

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Passes the time in place of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("nothing will ever happen any more")
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Begins at the time zero."""

    def __init__(self) -> None:
        self.wall_s = 0.0
        """The wall clock, when the loop began: somebody may set it."""
        self.passing: _Selector = _Selector()
        super().__init__(self.passing)

    def time(self) -> float:
        return self.passing.now


def virtual_loop() -> VirtualLoop:
    """The loop that runs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


class _Clock:
    """The module `time` as the directory sees it."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.monotonic: Callable[[], float] = loop.time
        self.time: Callable[[], float] = lambda: loop.time() + loop.wall_s


def run_virtually(work: Coroutine[Any, Any, T]) -> T:
    """Run it to its end, with the directory's clock, in no time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        fleet = "supervisor.addons.fleet"
        modules = ("directory", "drains", "endings", "host_clients", "statuses", "handover")
        with ExitStack() as patched:
            for module in (*(f"placement.{name}" for name in modules), "checkpoints.checkpoint_store"):
                patched.enter_context(patch(f"{fleet}.{module}.time", _Clock(loop)))
            patched.enter_context(patch(f"{fleet}.placement.leases.now", loop.time))
            return runner.run(work)
