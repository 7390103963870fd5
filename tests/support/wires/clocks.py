"""Clocks that show another time than the machine's."""

from __future__ import annotations

import time
from collections.abc import Callable


def clock_from(begins_s: float) -> Callable[[], float]:
    """Return a clock that shows this time now, and goes on as the machine's does."""
    ahead_s = begins_s - time.monotonic()
    return lambda: time.monotonic() + ahead_s
