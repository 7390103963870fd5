"""The starts of hosts that failed: why, and when the next host may start."""

from __future__ import annotations

from cdp_typed.printable import visible

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
_LONGEST_REASON = 300


class Starts:
    """The hosts that a directory has started and that do not serve yet. After a failed start it lets hosts start only
    one by one, each after a longer pause."""

    def __init__(self) -> None:
        self.error: str = ""
        """Why the last start failed; empty when a host has started since."""
        self._errors: dict[str, str] = {}
        """By id of the host: what it reported before it ended."""
        self._failures = 0
        """Since the last host that started."""
        self._next_at = 0.0

    def begin(self, host_id: str) -> None:
        """Record that a host starts."""
        self._errors[host_id] = ""

    def note(self, host_id: str, error: Exception) -> None:
        """Record what a host reports of its failed start, before it ends."""
        self._errors[host_id] = visible(" ".join(str(error).split()))[:_LONGEST_REASON]

    def succeed(self, host_id: str) -> None:
        """Record that a host serves."""
        self._errors.pop(host_id, None)
        self.error, self._failures, self._next_at = "", 0, 0.0

    def forget(self, host_id: str) -> None:
        """Record that the directory asked a host to end."""
        self._errors.pop(host_id, None)

    def end(self, host_id: str, reason: str, now: float) -> bool:
        """Record that a host has ended. Returns whether that was a failed start."""
        reported = self._errors.pop(host_id, None)
        if reported is None:
            return False
        self.error = reported or reason
        self._next_at = now + min(FIRST_PAUSE_S * 2**self._failures, LONGEST_PAUSE_S)
        self._failures += 1
        return True

    def allowed(self, wanted: int, now: float) -> int:
        """How many of the wanted hosts may start now."""
        if not self._failures:
            return wanted
        return 0 if self._errors or now < self._next_at else min(wanted, 1)
