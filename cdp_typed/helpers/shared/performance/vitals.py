"""`Vitals`: the Core Web Vitals of a visit, with their causes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from .page_text import PageText

Rating: TypeAlias = Literal["good", "needs improvement", "poor"]

THRESHOLDS: Mapping[str, tuple[float, float]] = {
    "ttfb": (800, 1800),
    "fcp": (1800, 3000),
    "lcp": (2500, 4000),
    "cls": (0.1, 0.25),
    "inp": (200, 500),
}
"""By metric: the highest good value, and the highest one that is not poor. These are Google's, of web.dev/vitals."""


class LargestPaint(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The largest content, and the parts of the time until it was painted."""

    element: PageText = ""
    """Its tag, id and classes; empty for an element that was removed."""
    url: PageText = ""
    """Of an image."""
    wait_ms: float
    """Until the first byte of the document (TTFB)."""
    load_delay_ms: float | None = None
    """From then until the image's request began. For a text, this and the next two parts are one: `render_ms`."""
    load_ms: float | None = None
    """The request for the image."""
    render_ms: float
    """From the last byte, or the first one of the document, until the paint."""


class Shift(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A layout shift."""

    score: float
    at_ms: float
    elements: list[PageText] = []
    """The elements that moved, each with its box (x, y, width, height) before and after."""


class Interaction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A click, a key or a tap, from the input to the next paint."""

    type: PageText
    target: PageText = ""
    at_ms: float
    duration_ms: float
    input_delay_ms: float
    """Until the first handler ran."""
    processing_ms: float
    """The handlers."""
    presentation_ms: float
    """From there to the paint."""


class ScriptTime(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A script in a long animation frame."""

    url: PageText = ""
    function: PageText = ""
    invoker: PageText = ""
    """The event handler, timer or script element that started it."""
    duration_ms: float
    forced_layout_ms: float = 0
    """The part in which it forced the browser to compute style and layout."""


class LongFrame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An animation frame that took more than 50 ms."""

    at_ms: float
    duration_ms: float
    blocking_ms: float = 0
    """The time beyond 50 ms of each task in it."""
    scripts: list[ScriptTime] = []


class BlockingRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request that kept the page from being painted."""

    url: PageText
    duration_ms: float
    end_ms: float
    size: int | None = None
    """Bytes on the wire; None if the server does not allow the page to know."""


class HostUse(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a host other than the page's contributed to a visit."""

    host: PageText
    requests: int = 0
    size: int = 0
    """Bytes on the wire of the requests whose size is known."""
    unknown_sizes: int = 0
    """The number of requests whose size is unknown."""
    script_ms: float = 0
    """The time of its scripts in long animation frames."""


class Vitals(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The Core Web Vitals of a visit until now, and their causes. Times are milliseconds since the navigation began."""

    url: PageText
    ttfb_ms: float | None = None
    """Time to First Byte."""
    fcp_ms: float | None = None
    """First Contentful Paint."""
    lcp_ms: float | None = None
    """Largest Contentful Paint, of the document without its iframes."""
    cls: float | None = None
    """Cumulative Layout Shift, of the document without its iframes."""
    inp_ms: float | None = None
    """Interaction to Next Paint."""
    load_ms: float | None = None
    """The end of the event `load`."""
    ratings: dict[str, Rating] = {}
    interactions: int = 0
    blocking_ms: float = 0
    """The blocking time of all long animation frames."""
    lcp: LargestPaint | None = None
    shifts: list[Shift] = []
    """The five largest."""
    slowest: Interaction | None = None
    """The interaction that `inp_ms` measures."""
    long_frames: list[LongFrame] = []
    """The five longest."""
    render_blocking: list[BlockingRequest] = []
    """The ten that ended last."""
    other_hosts: list[HostUse] = []
    """The ten with the longest scripts and the largest size."""
    unknown: list[str] = []
    """One sentence for each part that could not be measured completely."""


def rating(metric: str, value: float) -> Rating:
    """Return the rating of a value, such as `rating("lcp", 2600)`."""
    good, fair = THRESHOLDS[metric]
    return "good" if value <= good else "needs improvement" if value <= fair else "poor"


class TraceSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the page's main thread spent its time in a trace."""

    duration_ms: float
    """From the first event of the page's main thread to the last."""
    events: int
    """The number of events in the file."""
    main_thread_ms: dict[str, float] = {}
    """By kind of work: `scripting`, `rendering`, `painting`, `loading`, `other`."""
    scripts: list[ScriptTime] = []
    """The ten functions that were called from outside and took the longest, all calls together."""
    left_out: list[str] = []
    """One sentence for each part of the trace that the file does not have."""
