"""The growth of a function's work with the length of its text, measured in processor time of this process."""

from __future__ import annotations

import time
from collections.abc import Callable

_FACTOR = 16
"""The length of the long text, in lengths of the short one."""

QUADRATIC = 4 * _FACTOR
"""A linear function needs 16 times the work for it, a quadratic one 256 times: this lies between, far from both."""

_SIZE = 4_000
_TRIES = 5
_MORE = 32
"""Each try has a text of its own, a little longer: a function may keep what it found for the last texts."""


def growth(function: Callable[[str], object], text: Callable[[int], str]) -> float:
    """The factor by which the work grows for a text that is 16 times as long; `text` makes one of a given length.

    The best of several tries counts, and other processes do not: a machine that is busy changes little.
    """
    return _work(function, text, _FACTOR * _SIZE) / _work(function, text, _SIZE)


def _work(function: Callable[[str], object], make: Callable[[int], str], size: int) -> float:
    best = float("inf")
    for number in range(_TRIES):
        text = make(size + number * _MORE)
        began = time.process_time_ns()
        function(text)
        best = min(best, float(time.process_time_ns() - began))
        if best > 2e9:  # no doubt any more, and four more tries would take as long
            break
    return max(best, 1_000.0)
