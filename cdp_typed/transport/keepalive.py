"""The clocks that decide when a silent peer is gone: the same for every websocket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["CLOSE_TIMEOUT", "PING_INTERVAL", "PING_TIMEOUT", "Keepalive"]

PING_INTERVAL = 10.0
"""Seconds from one sign of life that was asked for to the next ping."""
PING_TIMEOUT = 10.0
"""Seconds without a single byte after a ping, and the peer counts as gone."""
CLOSE_TIMEOUT = 2.0
"""Seconds a peer gets to end the TCP connection after the closing handshake began."""


class Keepalive:
    """Pings an idle or busy peer alike, and gives up one that is silent or does not end a close.

    A peer that dies without a word is noticed after at most `PING_INTERVAL + PING_TIMEOUT` seconds. Any byte counts as
    a sign of life, so a long message on a slow line is no silence.
    """

    def __init__(self, *, ping: Callable[[], object], give_up: Callable[[str | None], object]) -> None:
        self._loop = asyncio.get_running_loop()
        self._ping = ping
        self._give_up = give_up
        self._heard_at = self._loop.time()
        self._pinged_at = 0.0
        self._ticking: asyncio.TimerHandle | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._stopped = False

    def start(self) -> None:
        """The wire is open."""
        self._ticking = self._loop.call_later(PING_INTERVAL, self._ask)

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

    def _ask(self) -> None:
        self._pinged_at = self._loop.time()
        self._ticking = self._loop.call_later(PING_TIMEOUT, self._check)
        self._ping()

    def _check(self) -> None:
        if self._heard_at < self._pinged_at:
            self._give_up(f"the browser was silent for {self._loop.time() - self._heard_at:.0f} s")
        else:
            self._ticking = self._loop.call_later(PING_INTERVAL, self._ask)
