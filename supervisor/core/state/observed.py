"""What is only watched: blockers, console, requests, and the feed of changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from cdp_typed.protocol import dom, fetch
from supervisor.core.vocabulary.values import Blocker, Change, ChangeSlice, ConsoleMessage, ConsoleSlice, FailedRequest


class Held(Struct, frozen=True, kw_only=True):
    """A blocker, and what the browser calls it."""

    info: Blocker
    backend_node_id: dom.BackendNodeId | None = None
    guid: str = ""
    request_id: fetch.RequestId | None = None


class Blockers(Struct, frozen=True, kw_only=True):
    """What is there now, oldest first, and what is watched for."""

    watches_downloads: bool = True
    held: tuple[Held, ...] = ()
    count: int = 0
    """How many there ever were; the source of their ids."""
    dropped: int = 0
    asked: Mapping[str, str] = {}
    """The calls under way that are to end a blocker: call id -> blocker id."""

    def pause(self, session_id: str) -> Blocker | None:
        """The breakpoint at which this session's scripts stand."""
        return next(
            (one.info for one in self.held if one.info.kind == "debugger" and one.info.session_id == session_id), None
        )


Source: TypeAlias = tuple[str, str]
"""A target id, and the domain whose events tell what is said there: each repeats its own, in its own order."""


class Newest(Struct, frozen=True):
    """The newest messages of a source: all that have the latest time."""

    timestamp: float
    said: frozenset[str]

    def is_after(self, timestamp: float, said: str) -> bool:
        """The message had come by then."""
        return said in self.said if timestamp == self.timestamp else timestamp < self.timestamp


class Repeats(Struct, frozen=True):
    """What was heard of each source, and what had been heard when each new session was attached."""

    heard: Mapping[Source, Newest] = {}
    before: Mapping[str, Mapping[Source, Newest]] = {}
    """By session, until it can only tell what is new."""


class Console(Struct, frozen=True, kw_only=True):
    """The newest messages, oldest first, and how many there ever were."""

    capacity: int = 50
    messages: tuple[ConsoleMessage, ...] = ()
    count: int = 0
    counts: Mapping[str, int] = {}
    """By level."""
    repeats: Repeats = Repeats()

    @property
    def dropped(self) -> int:
        """Messages that are no longer held."""
        return self.count - len(self.messages)

    def since(self, cursor: int) -> ConsoleSlice:
        """What came after the message with this sequence number."""
        held = self.messages[max(0, cursor - self.dropped) :]
        return ConsoleSlice(messages=held, missed=max(0, self.count - cursor - len(held)), cursor=self.count)


class UnderWay(Struct, frozen=True, kw_only=True):
    """A request without an end."""

    url: str
    method: str
    type: str
    frame_id: str | None
    started_at: float
    status: int | None = None


class Requests(Struct, frozen=True, kw_only=True):
    """What is under way, by session and id, and what went wrong, oldest first."""

    is_watched: bool = False
    under_way: Mapping[tuple[str, str], UnderWay] = {}
    failed: tuple[FailedRequest, ...] = ()
    count: int = 0
    """How many ever failed."""


class Feed(Struct, frozen=True):
    """The newest changes, oldest first, and how many there ever were."""

    changes: tuple[Change, ...] = ()
    count: int = 0

    def since(self, cursor: int) -> ChangeSlice:
        """What came after the change with this sequence number."""
        held = self.changes[max(0, cursor - self.count + len(self.changes)) :]
        return ChangeSlice(changes=held, missed=max(0, self.count - cursor - len(held)), cursor=self.count)
