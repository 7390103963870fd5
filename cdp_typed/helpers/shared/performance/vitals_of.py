"""Computes the Core Web Vitals, and their causes, from the performance timeline of a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from msgspec.structs import replace

from .timeline import Happened, Loaded, PerformanceTimeline, Shifted
from .vitals import (
    BlockingRequest,
    HostUse,
    Interaction,
    LargestPaint,
    LongFrame,
    Rating,
    ScriptTime,
    Shift,
    Vitals,
    rating,
)

KEPT_FROM_MS = 104
"""The browser keeps only events that took so long, and the first input."""
_GRANULARITY_MS = 8
"""Durations of events are multiples of this."""
_SESSION_GAP_MS, _SESSION_MS = 1_000, 5_000
_TYPES = {
    "largest-contentful-paint": "the Largest Contentful Paint",
    "layout-shift": "layout shifts",
    "event": "interactions",
    "long-animation-frame": "long animation frames",
}


def vitals_of(timeline: PerformanceTimeline) -> Vitals:
    """Return the vitals of a visit."""

    def since(time: float) -> float:
        return round(max(0.0, time - timeline.origin), 1)

    shifts = [shift for shift in timeline.shifts if not shift.input]
    interactions = _interactions(timeline.events)
    slowest = _slowest(timeline, interactions)
    ttfb = since(timeline.response) if timeline.response else None
    lcp = since(timeline.paint.start) if timeline.paint else None
    fcp = since(timeline.fcp) if timeline.fcp is not None else None
    cls = None if "layout-shift" in timeline.unsupported else round(_largest_session(shifts), 4)
    return Vitals(
        url=timeline.url,
        ttfb_ms=ttfb,
        fcp_ms=fcp,
        lcp_ms=lcp,
        cls=cls,
        inp_ms=round(slowest.duration, 1) if slowest else None,
        load_ms=since(timeline.load) if timeline.load else None,
        ratings=_ratings(ttfb=ttfb, fcp=fcp, lcp=lcp, cls=cls, inp=slowest.duration if slowest else None),
        interactions=_count(timeline, interactions),
        blocking_ms=round(sum(frame.blocking for frame in timeline.frames), 1),
        lcp=_largest_paint(timeline, ttfb or 0.0),
        shifts=[_shift(shift, since(shift.start)) for shift in sorted(shifts, key=lambda each: -each.score)[:5]],
        slowest=_interaction(slowest, since(slowest.start)) if slowest else None,
        long_frames=_long_frames(timeline),
        render_blocking=_render_blocking(timeline),
        other_hosts=_other_hosts(timeline),
        unknown=list(_unknown(timeline, interactions)),
    )


def _ratings(**values: float | None) -> dict[str, Rating]:
    return {metric: rating(metric, value) for metric, value in values.items() if value is not None}


def _largest_session(shifts: Sequence[Shifted]) -> float:
    """The largest sum of shifts in a session: gaps below a second, at most five seconds."""
    largest = total = 0.0
    began = last = float("-inf")
    for shift in sorted(shifts, key=lambda each: each.start):
        if shift.start - last >= _SESSION_GAP_MS or shift.start - began >= _SESSION_MS:
            began, total = shift.start, 0.0
        last, total = shift.start, total + shift.score
        largest = max(largest, total)
    return largest


def _interactions(events: Sequence[Happened]) -> list[Happened]:
    """The interactions, each as one event, the slowest first."""
    groups: dict[int, list[Happened]] = {}
    for event in events:
        if event.id:
            groups.setdefault(event.id, []).append(event)
    return sorted((_as_one(group) for group in groups.values()), key=lambda event: -event.duration)


def _as_one(events: Sequence[Happened]) -> Happened:
    """One click has a `pointerdown`, a `pointerup` and a `click`. The slowest tells the time, and those that ended with
    the same paint tell what was done; the browser names the element in some of them only."""
    slowest = max(events, key=lambda event: event.duration)
    painted = slowest.start + slowest.duration
    together = [event for event in events if abs(event.start + event.duration - painted) <= _GRANULARITY_MS]
    busiest = max(together, key=lambda event: event.end - event.begin)
    return replace(
        slowest,
        type=busiest.type,
        target=next((event.target for event in (busiest, *events) if event.target), ""),
        begin=min(event.begin for event in together),
        end=max(event.end for event in together),
    )


def _slowest(timeline: PerformanceTimeline, interactions: Sequence[Happened]) -> Happened | None:
    """The interaction that INP measures: the slowest one after leaving out one of every fifty."""
    count = _count(timeline, interactions)
    known = [event for event in interactions if count == 1 or event.duration >= KEPT_FROM_MS]
    at = count // 50
    return known[at] if at < len(known) else None


def _count(timeline: PerformanceTimeline, interactions: Sequence[Happened]) -> int:
    return max(timeline.interactions or 0, len(interactions))


def _largest_paint(timeline: PerformanceTimeline, wait_ms: float) -> LargestPaint | None:
    paint = timeline.paint
    if paint is None:
        return None
    painted = max(0.0, paint.start - timeline.origin)
    loaded = next((each for each in timeline.resources if paint.url and each.url == paint.url), None)
    if loaded is None:
        return LargestPaint(
            element=paint.element, url=paint.url, wait_ms=wait_ms, render_ms=round(max(0.0, painted - wait_ms), 1)
        )
    request = max(wait_ms, (loaded.request or loaded.start) - timeline.origin)
    end = min(painted, max(request, loaded.end - timeline.origin))
    return LargestPaint(
        element=paint.element,
        url=paint.url,
        wait_ms=wait_ms,
        load_delay_ms=round(request - wait_ms, 1),
        load_ms=round(max(0.0, end - request), 1),
        render_ms=round(painted - end, 1),
    )


def _shift(shift: Shifted, at_ms: float) -> Shift:
    def numbers(box: Sequence[float]) -> str:
        return " ".join(f"{number:g}" for number in box)

    moved = [
        f"{source.element or 'a removed element'}: {numbers(source.before)} -> {numbers(source.after)}"
        for source in shift.sources
    ]
    return Shift(score=round(shift.score, 4), at_ms=at_ms, elements=moved)


def _interaction(event: Happened, at_ms: float) -> Interaction:
    return Interaction(
        type=event.type,
        target=event.target,
        at_ms=at_ms,
        duration_ms=round(event.duration, 1),
        input_delay_ms=round(max(0.0, event.begin - event.start), 1),
        processing_ms=round(max(0.0, event.end - event.begin), 1),
        presentation_ms=round(max(0.0, event.start + event.duration - event.end), 1),
    )


def _long_frames(timeline: PerformanceTimeline) -> list[LongFrame]:
    longest = sorted(timeline.frames, key=lambda frame: -frame.duration)[:5]
    return [
        LongFrame(
            at_ms=round(max(0.0, frame.start - timeline.origin), 1),
            duration_ms=round(frame.duration, 1),
            blocking_ms=round(frame.blocking, 1),
            scripts=[
                ScriptTime(
                    url=script.url,
                    function=script.function,
                    invoker=script.invoker,
                    duration_ms=round(script.duration, 1),
                    forced_layout_ms=round(script.forced, 1),
                )
                for script in sorted(frame.scripts, key=lambda script: -script.duration)[:3]
            ],
        )
        for frame in longest
    ]


def _render_blocking(timeline: PerformanceTimeline) -> list[BlockingRequest]:
    blocking = sorted((each for each in timeline.resources if each.blocking), key=lambda each: -each.end)[:10]
    return [
        BlockingRequest(
            url=each.url,
            duration_ms=round(each.end - each.start, 1),
            end_ms=round(max(0.0, each.end - timeline.origin), 1),
            size=int(each.size) if _is_known(each) else None,
        )
        for each in blocking
    ]


def _is_known(resource: Loaded) -> bool:
    """Without the permission of its server, all sizes of a resource are 0."""
    return resource.size > 0 or resource.body > 0


def _other_hosts(timeline: PerformanceTimeline) -> list[HostUse]:
    requests: dict[str, list[Loaded]] = {}
    scripts: dict[str, float] = {}
    for resource in timeline.resources:
        requests.setdefault(resource.host, []).append(resource)
    for script in (script for frame in timeline.frames for script in frame.scripts):
        host = _host_of(script.url)
        scripts[host] = scripts.get(host, 0.0) + script.duration
    uses = [
        HostUse(
            host=host,
            requests=len(requests.get(host, ())),
            size=int(sum(each.size for each in requests.get(host, ()))),
            unknown_sizes=sum(not _is_known(each) for each in requests.get(host, ())),
            script_ms=round(scripts.get(host, 0.0), 1),
        )
        for host in {**requests, **scripts}
        if host not in ("", timeline.host)
    ]
    return sorted(uses, key=lambda use: (-use.script_ms, -use.size, -use.requests))[:10]


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


_LCP = "largest-contentful-paint"


def _unknown(timeline: PerformanceTimeline, interactions: Sequence[Happened]) -> Iterator[str]:
    if _count(timeline, interactions) and _slowest(timeline, interactions) is None:
        short = f"shorter than {KEPT_FROM_MS} ms, which the browser does not keep"
        yield f"inp: those that count were {short}, or are not painted yet"
    if timeline.paint is None and timeline.was_hidden:
        yield "lcp: the page was hidden, and nothing is measured from then on"
    elif timeline.paint is None and timeline.fcp is not None and _LCP not in timeline.unsupported:
        yield "lcp: the document was painted, but the browser has reported no largest paint"
    for kind, what in _TYPES.items():
        if kind in timeline.unsupported:
            yield f"this browser does not measure {what}"
    for kind, number in timeline.dropped.items():
        yield f"{number} entries of the type {kind} were not kept"
