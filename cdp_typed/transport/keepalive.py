"""Timers that end a websocket whose peer is silent, or does not finish the closing handshake."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

PING_INTERVAL = 10.0
"""Seconds between two heartbeats, by default."""
CLOSE_TIMEOUT = 1.0
"""Seconds a peer gets to end the TCP connection after the closing handshake began."""


class Keepalive:
    """Calls `ask` every `interval` seconds, and `give_up` when the peer is silent or does not finish a close.

    A peer that is gone is noticed after little more than twice `interval` seconds. Any received byte counts, so a long
    message on a slow line is no silence. The peer also gets another interval when our own event loop was too busy to
    send or receive. Without an interval `ask` is never called, and silence does not end the connection.
    """

    def __init__(
        self, interval: float | None, *, ask: Callable[[], object], give_up: Callable[[str | None], object]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._interval = interval
        self._ask = ask
        self._give_up = give_up
        self._received_at = self._loop.time()
        self._asked_at = -math.inf
        self._is_doubted = False
        """The peer was silent for an interval, and has a little more time."""
        self._ticking: asyncio.TimerHandle | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._stopped = False

    def start(self) -> None:
        """Start the heartbeats: the websocket is open."""
        if self._interval is not None:
            self._tick_at(self._loop.time() + self._interval, self._interval)

    def received(self) -> None:
        """Note that bytes came from the peer."""
        self._received_at = self._loop.time()

    def closing(self) -> None:
        """Note that the closing handshake began: calls `give_up(None)` unless `stop` is called in `CLOSE_TIMEOUT`."""
        if self._closing is None and not self._stopped:
            self._closing = self._loop.call_later(CLOSE_TIMEOUT, self._give_up, None)

    def stop(self) -> None:
        """Stop all timers: the connection has ended."""
        self._stopped = True
        for timer in (self._ticking, self._closing):
            if timer is not None:
                timer.cancel()

    def _tick_at(self, due: float, interval: float) -> None:
        self._ticking = self._loop.call_at(due, self._tick, due, interval)

    def _tick(self, due: float, interval: float) -> None:
        now = self._loop.time()
        # A late tick means that the loop was held up: the last ping may not have left, and its answer may be unread.
        on_time = now - due < interval / 10
        if not on_time or self._received_at >= self._asked_at:
            self._is_doubted = False
            self._asked_at = now
            self._tick_at(now + interval, interval)
            self._ask()
        elif self._is_doubted:
            self._give_up(f"the browser was silent for {now - self._received_at:.0f} s")
        else:
            # One callback may have held the loop for the whole interval, and the answer may come only now.
            self._is_doubted = True
            self._tick_at(now + interval / 10, interval)
