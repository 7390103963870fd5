"""The public value of a call that has not ended."""

from __future__ import annotations

from msgspec import Struct


class CallInfo(Struct, frozen=True, kw_only=True):
    """A pending call and its obstacle."""

    id: str
    """An id made by the supervisor, for example `c-7`. One supervisor never uses it twice."""
    what: str
    """The CDP method: `Runtime.evaluate` for an expression."""
    text: str
    """The expression or URL, cut to 200 characters. Empty for other commands, whose parameters may be secret."""
    frame_id: str | None
    """None for a command of the browser."""
    since: float
    """Seconds since the epoch."""
    waits_for: str
    """The obstacle or the next event, in a few words."""
