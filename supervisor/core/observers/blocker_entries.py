"""The present blockers as a bounded list."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from supervisor.core.state.observed import BlockerEntry, Blockers

MAX_BLOCKERS = 100
"""The number of blockers that are kept; older ones are dropped and counted in `Blockers.dropped`."""


def open_entry(blockers: Blockers, entry: BlockerEntry) -> Blockers:
    """Return the blockers with one more; the oldest ones are dropped where they are too many."""
    kept = (*blockers.entries, entry)
    return replace(
        blockers,
        entries=kept[-MAX_BLOCKERS:],
        count=blockers.count + 1,
        dropped=blockers.dropped + max(0, len(kept) - MAX_BLOCKERS),
    )


def close_entries(blockers: Blockers, ends: Callable[[BlockerEntry], bool]) -> Blockers:
    """Return the blockers that do not end."""
    return replace(blockers, entries=tuple(entry for entry in blockers.entries if not ends(entry)))
