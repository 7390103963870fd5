"""Finds what other packages add, through the entry point group `cdp_typed.tools`."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points

GROUP = "cdp_typed.tools"

_log = logging.getLogger("supervisor.tools.plugins")


def loaded_entries(entries: Iterable[EntryPoint] | None = None) -> Iterator[tuple[EntryPoint, object]]:
    """Each entry point with what it leads to. One that fails is logged and left out."""
    for entry in entry_points(group=GROUP) if entries is None else entries:
        try:
            yield entry, entry.load()
        except Exception:
            left_out(entry)


def left_out(entry: EntryPoint) -> None:
    """Log the current exception."""
    _log.exception("the tools and commands of the entry point %s are left out", entry.name)
