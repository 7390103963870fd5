"""The events of a trace, one after the other, out of the pieces of the browser's stream."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from cdp_typed.conversions import decoder_of

_BEGIN, _END = b'{"traceEvents":[', b'],"metadata"'
_NOTHING = msgspec.Raw(b"{}")


class TraceEvent(Struct, frozen=True):
    """One event. Times are microseconds."""

    name: str
    ph: str = ""
    """The phase: `X` has a duration, `b` and `e` are the two ends of something, `M` is about a thread or process."""
    ts: float = 0.0
    dur: float = 0.0
    pid: int = 0
    tid: int = 0
    args: msgspec.Raw = _NOTHING


_DECODER = decoder_of(TraceEvent)


def event_of(line: bytes) -> TraceEvent | None:
    """Return the event of a line, or None for a line that is no event."""
    try:
        return _DECODER.decode(line)
    except msgspec.MsgspecError:
        return None


class EventLines:
    """Cuts a stream into lines; the browser writes one event on each."""

    def __init__(self) -> None:
        self._rest = b""
        self._has_ended = False

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Return the lines that end in this piece, without the commas between events."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            yield from self._line(line)

    def end(self) -> Iterator[bytes]:
        """Return the last line."""
        yield from self._line(self._rest)

    def _line(self, line: bytes) -> Iterator[bytes]:
        # After the events come the browser's properties, its command line among them, which are nobody's business.
        if self._has_ended:
            return
        line, end, _ = line.removeprefix(_BEGIN).partition(_END)
        self._has_ended = bool(end)
        if event := line.strip().rstrip(b","):
            yield event
