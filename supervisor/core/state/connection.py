"""The connection to the browser: how far it has come, and how long it is tried again."""

from __future__ import annotations

from msgspec import Struct

from supervisor.core.vocabulary.command_tags import Census
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.inputs import Answered, EventReceived, Input, Refused, TimerFired
from supervisor.core.vocabulary.values import LinkState


class Patience(Struct, frozen=True, kw_only=True):
    """How much failing is borne: each lost connection and each failed dial is a failure."""

    attempts: int = 15
    """So many failures within the window; one more ends it. 0: a lost connection is final."""
    window_s: float = 120.0
    """Without a working connection for so many seconds it ends, too."""


PATIENCE = Patience()


class Link(Struct, frozen=True, kw_only=True):
    """How far the supervisor has come with its browser."""

    patience: Patience = PATIENCE
    state: LinkState = "connecting"
    reason: str = ""
    epoch: int = 0
    """How many connections there have been."""
    started: bool = False
    """A first picture was complete once: what fails before that fails the start, what fails later is tried again."""
    browser_id: str | None = None
    """What named the browser in the address of the last connection, where something did."""
    announced: bool = False
    """The browser has announced every page that existed when we came, as far as it says itself."""
    has_listed: bool = False
    """It has listed its pages (`Target.getTargets`)."""
    has_heard: bool = False
    """It has announced any page."""
    is_complete: bool = False
    """Every page that existed when we came is announced, or was waited for in vain."""
    unannounced: frozenset[str] = frozenset()
    """The target ids of the pages that it listed when we came, and has not announced. Up to Chrome 92 it announces them
    after it has said that it is done."""
    needs_page: bool = False
    """It had none; one is being opened."""
    failures: tuple[float, ...] = ()
    """When the connection, or an attempt to open it again, failed: within the window, in seconds since the epoch."""
    away_since: float | None = None
    """When a connection that worked was lost, until the next one works."""
    was_up: bool = False
    """In the state `stopped`: commands could be sent until now."""
    end: NotRunning | None = None
    """Why no call is taken any more, in the states `lost` and `stopped`."""

    @property
    def is_deaf(self) -> bool:
        """The browser lists its pages, and says nothing when it is asked to attach to them: seen on Chrome 64."""
        return self.state == "attaching" and self.has_listed and not self.announced

    @property
    def completes(self) -> bool:
        """Nothing more is to be waited for; `AllAnnounced` is to follow."""
        return self.state == "attaching" and self.announced and not self.unannounced and not self.is_complete

    @property
    def is_up(self) -> bool:
        """Commands can be sent."""
        return self.state in ("attaching", "ready")

    @property
    def is_alive(self) -> bool:
        """There is a connection, or may be one again."""
        return self.is_up or self.state == "reconnecting"

    @property
    def is_beginning(self) -> bool:
        """What fails now fails the connection."""
        return self.is_alive and self.state != "ready"

    def hears(self, received: Input) -> bool:
        """False for what can only be left over: from a connection that is gone, or from before the end."""
        match received:
            case EventReceived():
                return self.is_up
            case TimerFired():
                return self.state not in ("lost", "stopped")
            case Answered(Census()) | Refused(Census()):  # it tells whether the connection may be used
                return True
            case Answered() | Refused():
                return self.is_up
            case _:
                return True
