"""Counters of a connection: messages, replies, events, and everything out of the ordinary."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

Count: TypeAlias = Literal[
    "messages",
    "replies",
    "events",
    "late_replies",
    "unknown_ids",
    "unknown_events",
    "malformed",
    "warnings",
    "drift",
    "dropped_events",
    "handler_errors",
]


class Counters(Struct, frozen=True):
    """A snapshot of the counters of one connection, since it was opened."""

    messages: int = 0
    """Messages received, readable or not."""
    replies: int = 0
    """Replies that ended a call."""
    events: int = 0
    """Events received, with or without a listener."""
    late_replies: int = 0
    """Replies to calls that had already ended: timed out, cancelled, failed, or answered before."""
    unknown_ids: int = 0
    """Replies to calls that were never made."""
    unknown_events: int = 0
    """Events that the bindings do not know or could not read at all."""
    malformed: int = 0
    """Messages that could not be read."""
    warnings: int = 0
    """Errors of the browser that belong to no call."""
    drift: int = 0
    """Differences from the bindings (`SchemaDrift`), in messages that were delivered all the same."""
    dropped_events: int = 0
    """Events that a full stream dropped."""
    handler_errors: int = 0
    """Exceptions that listeners raised."""


class CounterSet:
    """The counters of a connection, mutable; `Counters` is a snapshot of them."""

    def __init__(self) -> None:
        self.counts: dict[Count, int] = dict.fromkeys(get_args(Count), 0)
        """Incremented directly by code that runs once per message; other code calls `add`."""

    def add(self, name: Count) -> None:
        """Add one to a counter."""
        self.counts[name] += 1

    def snapshot(self) -> Counters:
        """Return the counters as they are now."""
        return Counters(**self.counts)
