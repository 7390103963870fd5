"""Logs the end and the return of a connection: each once, and at most a line a minute for one that flaps."""

from __future__ import annotations

import logging

from cdp_typed.printable import visible
from supervisor.core.state.connection import ConnectionState

_log = logging.getLogger("supervisor.linklog")

QUIET_S = 60.0


class ConnectionLog:
    """The log of one connection."""

    def __init__(self) -> None:
        self._reported_at: float | None = None
        self._untold = 0

    def note(self, before: ConnectionState, after: ConnectionState, now: float) -> None:
        """Log what the step from `before` to `after` means, if anything. `now` is in seconds since the epoch."""
        if before.state == after.state or not after.started:  # the caller of a start that fails gets the error
            return
        if after.state == "lost":
            _log.warning("connection lost for good: %s", visible(after.reason))
        elif after.state == "reconnecting":
            self._tell(now, "connection lost (%s); reconnecting", visible(after.reason))
        elif after.state == "ready" and after.epoch > 1:
            self._tell(now, "connection number %d is up", after.epoch)

    def _tell(self, now: float, text: str, detail: object) -> None:
        if self._reported_at is not None and 0 <= now - self._reported_at < QUIET_S:
            self._untold += 1
            return
        more = f" ({self._untold} messages like this were left out)" if self._untold else ""
        self._reported_at, self._untold = now, 0
        _log.warning(text + more, detail)
