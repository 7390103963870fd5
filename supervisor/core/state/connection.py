"""The state of the connection to the browser, and the policy for opening it again."""

from __future__ import annotations

from msgspec import Struct

from supervisor.core.vocabulary.command_tags import BrowserIdentity
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input, TimerFired
from supervisor.core.vocabulary.values import ConnectionPhase


class ReconnectPolicy(Struct, frozen=True, kw_only=True):
    """Limits for opening the connection again. Each lost connection and each failed attempt is a failure."""

    attempts: int = 15
    """The number of failures within the window that are tolerated. 0: a lost connection is final."""
    window_s: float = 120.0
    """The time window for failures, and the longest time without a working connection, in seconds."""


DEFAULT_RECONNECT_POLICY = ReconnectPolicy()


class ConnectionState(Struct, frozen=True, kw_only=True):
    """The state of the connection, and the progress of attaching to the pages that exist."""

    reconnect_policy: ReconnectPolicy = DEFAULT_RECONNECT_POLICY
    state: ConnectionPhase = "connecting"
    reason: str = ""
    epoch: int = 0
    """The number of connections there have been."""
    started: bool = False
    """The state was `ready` once. A failure before that fails the start; a later one is followed by a new attempt."""
    browser_id: str | None = None
    """The browser's id in the websocket URL of the last connection, if that has one."""
    announced: bool = False
    """The browser-level `Target.setAutoAttach` has been answered."""
    has_listed: bool = False
    """`Target.getTargets` has been answered."""
    has_announced_page: bool = False
    """A `Target.attachedToTarget` of the browser session has come."""
    is_complete: bool = False
    """`AllAnnounced` was taken in: each page of before is announced, or its deadline has passed."""
    unannounced: frozenset[str] = frozenset()
    """The target ids of listed pages that are not announced yet. Up to Chrome 92, `Target.attachedToTarget` comes after
    the reply to `Target.setAutoAttach`."""
    needs_page: bool = False
    """The browser had no page; one is being opened."""
    failures: tuple[float, ...] = ()
    """The times of the failures within the window, in seconds since the epoch."""
    away_since: float | None = None
    """The time at which a working connection was lost, until the next one works; in seconds since the epoch."""
    was_up: bool = False
    """In the state `stopped`: the connection was up when the supervisor was stopped."""
    end: NotRunning | None = None
    """The error for new calls in the states `lost` and `stopped`."""

    @property
    def announces_nothing(self) -> bool:
        """The browser has listed its pages and does not answer `Target.setAutoAttach`: seen on Chrome 64."""
        return self.state == "attaching" and self.has_listed and not self.announced

    @property
    def has_all_announced(self) -> bool:
        """All listed pages are announced; `step` feeds `AllAnnounced` next."""
        return self.state == "attaching" and self.announced and not self.unannounced and not self.is_complete

    @property
    def is_up(self) -> bool:
        """Commands can be sent."""
        return self.state in ("attaching", "ready")

    @property
    def is_alive(self) -> bool:
        """There is a connection, or one may be opened again."""
        return self.is_up or self.state == "reconnecting"

    @property
    def is_beginning(self) -> bool:
        """The set-up is not complete: a command of it that fails now fails the connection."""
        return self.is_alive and self.state != "ready"

    def accepts(self, received: Input) -> bool:
        """False for an event, reply or timer of a connection that has ended, or of a supervisor that has."""
        match received:
            case EventReceived():
                return self.is_up
            case TimerFired():
                return self.state not in ("lost", "stopped")
            case CommandSucceeded(BrowserIdentity()) | CommandFailed(BrowserIdentity()):
                return True  # it may come before the connection is up
            case CommandSucceeded() | CommandFailed():
                return self.is_up
            case _:
                return True
