"""Retries of a failed dial, with their pauses."""

from __future__ import annotations

import random
from collections.abc import Callable

from cdp_typed.errors import EndpointError

_RENEWABLE = (401, 403, 410)
_ASKED_TO_WAIT = (429, 503)
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 0.5
_LONGEST_WAIT = 30.0


class Retries:
    """The retries of one `connect`, until `deadline` on the clock whose time `pause` is given.

    `renewable` is true for an endpoint whose address is computed anew at each try: then one refusal because the
    address expired (401, 403, 410) is followed by a retry at once.
    """

    def __init__(
        self,
        *,
        deadline: float,
        wait_for_browser: bool,
        renewable: bool,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._deadline = deadline
        self._wait_for_browser = wait_for_browser
        self._renewable = renewable
        self._chance = chance
        self._pause = _FIRST_PAUSE

    def pause(self, error: EndpointError, now: float) -> float | None:
        """Return the seconds until the next try, or `None` if `error` is final or the deadline is too near."""
        seconds = self._seconds(error)
        return seconds if seconds is not None and now + seconds < self._deadline else None

    def _seconds(self, error: EndpointError) -> float | None:
        if self._renewable and error.status in _RENEWABLE:
            self._renewable = False
            return 0.0
        if error.status in _ASKED_TO_WAIT and error.retry_after is not None:
            return min(max(error.retry_after, _FIRST_PAUSE), _LONGEST_WAIT)
        if not (self._wait_for_browser and error.retryable):
            return None
        longest, self._pause = self._pause, min(2 * self._pause, _LONGEST_PAUSE)
        # Jitter, from half of the pause to all of it: many clients of one browser must not retry at the same moment.
        return longest * (1 + self._chance()) / 2
