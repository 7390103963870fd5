"""The clocks that decide when a silent peer is gone: the same for every websocket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["CLOSE_TIMEOUT", "PING_INTERVAL", "Keepalive"]

PING_INTERVAL = 10.0
"""Seconds between two signs of life that are asked for, unless the user says otherwise."""
CLOSE_TIMEOUT = 1.0
"""Seconds a peer gets to end the TCP connection after the closing handshake began."""


class Keepalive:
    """Asks an idle or busy peer alike for a sign of life, and gives up one that is silent or does not end a close.

    A peer that dies without a word is noticed after at most twice `interval` seconds. Any byte counts as a sign of
    life, so a long message on a slow line is no silence. Without an interval nothing is asked, and silence is borne.
    """

    def __init__(
        self, interval: float | None, *, ask: Callable[[], object], give_up: Callable[[str | None], object]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._interval = interval
        self._ask = ask
        self._give_up = give_up
        self._heard_at = self._loop.time()
        self._asked_at = 0.0
        self._ticking: asyncio.TimerHandle | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._stopped = False

    def start(self) -> None:
        """The wire is open."""
        if self._interval is not None:
            self._ticking = self._loop.call_later(self._interval, self._tick, self._interval)

    def heard(self) -> None:
        """Something came from the peer."""
        self._heard_at = self._loop.time()

    def closing(self) -> None:
        """The closing handshake began: `give_up(None)` unless `stop` is called within `CLOSE_TIMEOUT`."""
        if self._closing is None and not self._stopped:
            self._closing = self._loop.call_later(CLOSE_TIMEOUT, self._give_up, None)

    def stop(self) -> None:
        """The wire has ended."""
        self._stopped = True
        for timer in (self._ticking, self._closing):
            if timer is not None:
                timer.cancel()

    def _tick(self, interval: float) -> None:
        now = self._loop.time()
        if self._heard_at < self._asked_at:
            self._give_up(f"the browser was silent for {now - self._heard_at:.0f} s")
        else:
            self._asked_at = now
            self._ticking = self._loop.call_later(interval, self._tick, interval)
            self._ask()
