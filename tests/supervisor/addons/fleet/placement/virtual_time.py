"""An event loop whose time passes as soon as there is nothing else to do."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

FLEET = "supervisor.addons.fleet"
READERS = (
    "checkpoints.checkpoint_store",
    *(f"placement.{name}" for name in ("directory", "drains", "endings", "host_clients", "statuses", "handover")),
)
"""The modules that read a clock."""


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
    """Begins at the time zero, and is the clock of the directory while it runs."""

    def __init__(self) -> None:
        self.wall_s = 0.0
        """The wall clock, when the loop began: somebody may set it."""
        self.passing: _Selector = _Selector()
        super().__init__(self.passing)

    def time(self) -> float:
        return self.passing.now

    def run_forever(self) -> None:
        with ExitStack() as patched:
            for module in READERS:
                patched.enter_context(patch(f"{FLEET}.{module}.time", _Clock(self)))
            patched.enter_context(patch(f"{FLEET}.placement.leases.now", self.time))
            super().run_forever()


class _Clock:
    """The module `time` as the directory sees it."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.monotonic: Callable[[], float] = loop.time
        self.time: Callable[[], float] = lambda: loop.time() + loop.wall_s


def virtual_loop() -> VirtualLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


async def elapsed(work: Coroutine[Any, Any, Any]) -> tuple[float, Any]:
    """The time that it took, and its result or error."""
    loop = virtual_loop()
    before = loop.time()
    results: tuple[Any] = await asyncio.gather(work, return_exceptions=True)
    return loop.time() - before, results[0]
