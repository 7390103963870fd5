"""`Deadline`: one time for all the steps of a helper."""

from __future__ import annotations

import time


class Deadline:
    """Ends `timeout` seconds after it was made; with `None` never."""

    def __init__(self, timeout: float | None) -> None:
        self._at = None if timeout is None else time.monotonic() + timeout

    @property
    def left(self) -> float | None:
        """The seconds that are left, never less than none."""
        return None if self._at is None else max(0.0, self._at - time.monotonic())
