"""Converts times of the browser's clock, which may be another machine's, to times of this machine."""

from __future__ import annotations

import time
from collections.abc import Callable


class BrowserClock:
    """Learns by how much the browser's clock differs, from the event that took the shortest time to come."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._behind_s: float | None = None

    def here(self, timestamp: float | None) -> float:
        """The time of an event that has just come; without a timestamp, now."""
        now = self._clock()
        if timestamp is None:
            return now
        behind_s = now - timestamp
        self._behind_s = behind_s if self._behind_s is None else min(self._behind_s, behind_s)
        return min(now, timestamp + self._behind_s)
