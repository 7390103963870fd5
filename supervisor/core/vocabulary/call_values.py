"""The public value of a call that has not ended."""

from __future__ import annotations

from msgspec import Struct


class CallInfo(Struct, frozen=True, kw_only=True):
    """A call that has not ended, and what it waits for."""

    id: str
    """Ours, for example `c-7`; never used twice by one supervisor."""
    what: str
    """The CDP method; `Runtime.evaluate` for an expression."""
    text: str
    """The expression or the address, cut; empty for other commands, whose parameters may be secret."""
    frame_id: str | None
    """None for a command of the browser."""
    since: float
    """Seconds since the epoch."""
    waits_for: str
    """What it waits for, in a few words."""
