"""`TraceSummary`: a trace as a person reads it."""

from __future__ import annotations

from msgspec import Struct

from .vitals import ScriptTime, Vitals


class TraceSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The vitals of the last visit in a trace, and how its page's main thread spent the time."""

    duration_ms: float
    """From the first event of the page's main thread to the last."""
    events: int
    """The number of events in the file."""
    visit: Vitals
    """Of the last document that the trace saw being loaded. Times are milliseconds since that navigation, or since the
    trace began. `long_frames` are tasks, and shifts within iframes count."""
    main_thread_ms: dict[str, float] = {}
    """By kind of work: `scripting`, `rendering`, `painting`, `loading`, `other`."""
    scripts: list[ScriptTime] = []
    """The ten functions that were called from outside and took the longest, all calls together."""
    left_out: list[str] = []
    """One sentence for each part of the trace that the file does not have."""
