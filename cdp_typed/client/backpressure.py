"""Back-pressure for `overflow="block"`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager

__all__ = ["Backpressure"]


class Backpressure:
    """The back-pressure of streams with `overflow="block"` on the reader of their connection."""

    def __init__(self, in_flight: Callable[[], int]) -> None:
        """`in_flight` tells how many commands wait for their reply."""
        self.full: set[object] = set()
        """The streams that hold all they want to hold; empty on a connection that reads on."""
        self._in_flight = in_flight
        self._waiting = 0
        self._change = asyncio.Event()

    def fill(self, stream: object) -> None:
        """The stream is full."""
        self.full.add(stream)

    def drain(self, stream: object) -> None:
        """The stream has room again, or takes nothing more."""
        if stream in self.full:
            self.full.remove(stream)
            self._change.set()

    def nudge(self) -> None:
        """Somebody may have begun to wait."""
        if self.full:
            self._change.set()

    @contextmanager
    def waiting(self) -> Generator[None]:
        """For the length of the block, somebody waits for what only the wire can bring."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def begin(self) -> None:
        """Somebody waits for what only the wire can bring."""
        self._waiting += 1
        self.nudge()

    def end(self) -> None:
        """He does not wait any more."""
        self._waiting -= 1

    async def room(self) -> None:
        """Until the reader should take the next message."""
        while self.full and not (self._waiting or self._in_flight()):
            self._change.clear()
            await self._change.wait()
