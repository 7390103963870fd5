"""The module `time` as a part of a fleet sees it: a clock that only grows, and one that somebody sets."""

from __future__ import annotations

import time


class Clocks:
    def __init__(self) -> None:
        self.passed_s = 0.0
        self.wall_s = 0.0

    def monotonic(self) -> float:
        return 1000.0 + self.passed_s

    def time(self) -> float:
        return time.time() + self.passed_s + self.wall_s
