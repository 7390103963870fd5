"""`Trace`: what `tracing` recorded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cdp_typed.protocol.tracing import TraceConfig

DEFAULT_CATEGORIES = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-v8.cpu_profiler",
    "blink.user_timing",
    "loading",
    "latencyInfo",
    "v8.execute",
)
"""The categories from which the developer tools' Performance panel draws its lanes."""


def config_of(categories: Sequence[str]) -> TraceConfig:
    """Return the settings for these categories; a `-` before one excludes it."""
    return TraceConfig(
        included_categories=[name for name in categories if not name.startswith("-")],
        excluded_categories=[name[1:] for name in categories if name.startswith("-")],
    )


class Trace:
    """A trace, complete once the block of `tracing` has ended. The developer tools and ui.perfetto.dev open `data`."""

    def __init__(self) -> None:
        self._data: bytes | None = None

    @property
    def data(self) -> bytes:
        """The trace as the browser wrote it: JSON. Raises `RuntimeError` during the recording."""
        if self._data is None:
            raise RuntimeError("the trace is still recorded; read it after the block")
        return self._data

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the trace. Raises as `data` does."""
        events: list[dict[str, Any]] = json.loads(self.data)["traceEvents"]
        return events

    def complete(self, data: bytes) -> None:
        """Store the recording; `tracing` calls this."""
        self._data = data
