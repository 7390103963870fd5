"""`TraceFile`: a trace that is written to a file while it is being read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gzip import GzipFile
from pathlib import Path
from typing import IO, TypeAlias, cast

from cdp_typed.protocol.tracing import TraceConfig

from .trace_events import EventLines, TraceEvent, event_of
from .trace_reading import TraceReader
from .vitals import TraceSummary

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

Clean: TypeAlias = Callable[[bytes, TraceEvent], bytes | None]
"""Called with each event: returns the JSON for the file, or None to leave the event out."""


def config_of(categories: Sequence[str]) -> TraceConfig:
    """Return the settings for these categories; a `-` before one excludes it."""
    return TraceConfig(
        included_categories=[name for name in categories if not name.startswith("-")],
        excluded_categories=[name[1:] for name in categories if name.startswith("-")],
    )


def as_it_is(line: bytes, event: TraceEvent) -> bytes | None:
    """Keep the event."""
    return line


class TraceFile:
    """A file with a trace, complete once the block of `trace_file` has ended. The developer tools open it."""

    def __init__(self, path: Path, *, limit: int, clean: Clean = as_it_is) -> None:
        self.path = path
        self.size: int = 0
        """The bytes of the complete file."""
        self._reader = TraceReader()
        self._clean = clean
        self._limit = limit
        self._size = 0
        self._lines = EventLines()
        self._left_out: list[str] = []
        self._summary: TraceSummary | None = None
        file = path.open("wb")  # it is closed by `close`
        self._file = cast("IO[bytes]", GzipFile("", "wb", 4, file)) if path.suffix == ".gz" else file
        self._plain = file
        self._file.write(b'{"traceEvents":[')

    @property
    def summary(self) -> TraceSummary:
        """The summary of the trace. Raises `RuntimeError` during the recording."""
        if self._summary is None:
            raise RuntimeError("the trace is still recorded; read it after the block")
        return self._summary

    def feed(self, piece: bytes) -> bool:
        """Write a piece of the stream; return False once the file has reached its limit."""
        for line in self._lines.feed(piece):
            self._take(line)
        self._size += len(piece)
        if self._size >= self._limit:
            self.leave_out(f"the trace is longer than {self._limit / 2**20:g} MiB; its rest was not read")
            return False
        return True

    def leave_out(self, sentence: str) -> None:
        """Add a sentence about a missing part to the summary."""
        self._left_out.append(sentence)

    def complete(self) -> None:
        """Write the end of the file, and summarise the trace."""
        for line in self._lines.end():
            self._take(line)
        self._summary = self._reader.summary(self._left_out)
        self._file.write(b"\n]}")
        self.close()
        self.size = self.path.stat().st_size

    def close(self) -> None:
        """Close the file. It may be called twice."""
        self._file.close()
        self._plain.close()

    def _take(self, line: bytes) -> None:
        event = event_of(line)
        kept = None if event is None else self._clean(line, event)
        if event is not None and kept is not None:
            self._file.write((b",\n" if self._reader.events else b"\n") + kept)
            self._reader.take(event)
