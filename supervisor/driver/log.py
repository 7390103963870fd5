"""The log of a supervisor: the end and the return of its connection, and changes that no caller asked for."""

from __future__ import annotations

import logging

from cdp_typed.printable import visible
from supervisor.core.state.connection import ConnectionState
from supervisor.core.vocabulary.values import Change

_log = logging.getLogger("supervisor")
_link_log = logging.getLogger("supervisor.linklog")

QUIET_S = 60.0


class ConnectionLog:
    """Logs each end and return of a connection once, and at most a line a minute for one that flaps."""

    def __init__(self) -> None:
        self._reported_at: float | None = None
        self._untold = 0

    def note(self, before: ConnectionState, after: ConnectionState, now: float) -> None:
        """Log what the step from `before` to `after` means, if anything. `now` is in seconds since the epoch."""
        if before.state == after.state or not after.started:  # the caller of a start that fails gets the error
            return
        if after.state == "lost":
            _link_log.warning("connection lost for good: %s", visible(after.reason))
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
        _link_log.warning(text + more, detail)


def log(change: Change) -> None:
    """Log a change that a person who runs the agent wants to know of."""
    match change.kind:
        case "bridge" if change.subject == "armed":
            _log.warning("pages ask through the dialog bridge from now on: %s", change.text)
        case "bridge" if change.subject == "off":
            _log.info("pages show their own dialogs again: %s", change.text)
        case "bridge" if change.subject == "absent":
            _log.warning(
                "page %s has no dialog bridge: it belongs to a person or another client, until it is selected",
                change.text,
            )
        case "page_managed":
            _log.info("page %s is %s", change.subject, change.text)
        case "dialog_closed" if change.text.endswith("by watchdog"):
            _log.warning("dialog %s was not answered in time: %s", change.subject, change.text)
        case _:
            pass
