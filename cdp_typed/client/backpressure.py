"""Back-pressure for `overflow="block"`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager


class Backpressure:
    """The back-pressure of streams with `overflow="block"` on the reader of their connection."""

    def __init__(self, in_flight: Callable[[], int]) -> None:
        """`in_flight` returns the number of commands that wait for their reply."""
        self.full: set[object] = set()
        """The streams that are full; empty on a connection that dispatches on."""
        self._in_flight = in_flight
        self._waiting = 0
        self._change = asyncio.Event()

    def fill(self, stream: object) -> None:
        """Note that a stream is full."""
        self.full.add(stream)

    def drain(self, stream: object) -> None:
        """Note that a stream is no longer full, or is closed."""
        if stream in self.full:
            self.full.remove(stream)
            self._change.set()

    def nudge(self) -> None:
        """Wake the reader after a command was sent: its caller may wait for the reply."""
        if self.full:
            self._change.set()

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Call `begin` and `end` around a block."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def begin(self) -> None:
        """Note that a caller waits for an event or for the connection's end, so the reader must go on."""
        self._waiting += 1
        self.nudge()

    def end(self) -> None:
        """Note that a caller of `begin` has stopped waiting."""
        self._waiting -= 1

    async def room(self) -> None:
        """Wait until the reader may dispatch the next message."""
        while self.full and not (self._waiting or self._in_flight()):
            self._change.clear()
            await self._change.wait()
