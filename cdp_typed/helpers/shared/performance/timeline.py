"""The browser's performance timeline of a document: the script that reads it, and its entries."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

MOST = 1_000
"""Entries of a type that are read; a page can have the browser keep more."""

SCRIPT: Final = (
    """(async () => {
    const named = node => {
        const element = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
        if (!element) return '';
        const id = element.id ? `#${element.id}` : '', classes = [...element.classList].slice(0, 3);
        return `${element.localName}${id}${classes.map(each => `.${each}`).join('')}`.slice(0, 200);
    };
    const box = rect => [rect.x, rect.y, rect.width, rect.height].map(Math.round);
    const start = performance.getEntriesByType('navigation')[0];
    const dropped = {}, unsupported = [];
    const read = async (type, fields) => {
        if (!PerformanceObserver.supportedEntryTypes?.includes(type)) { unsupported.push(type); return []; }
        let found = [];
        const quick = new PerformanceObserver(() => {});
        quick.observe({type, buffered: true});
        const all = quick.takeRecords();
        quick.disconnect();
        found = all.slice(-MOST);
        if (all.length > MOST) dropped[type] = all.length - MOST;
        if (all.length) await new Promise(done => {  // only a callback says how many entries the browser left out
            const slow = new PerformanceObserver((list, observer, options) => {
                observer.disconnect();
                if (options?.droppedEntriesCount) dropped[type] = options.droppedEntriesCount + (dropped[type] || 0);
                done();
            });
            slow.observe({type, buffered: true});
            setTimeout(done, 1000);
        });
        return found.map(fields);
    };
    const event = entry => ({type: entry.name, id: entry.interactionId || 0, target: named(entry.target),
        start: entry.startTime, duration: entry.duration,
        begin: entry.processingStart, end: entry.processingEnd});
    const [fcp, lcp, shifts, events, first, frames, resources] = await Promise.all([
        read('paint', entry => ({name: entry.name, start: entry.startTime})),
        read('largest-contentful-paint', entry => ({element: named(entry.element), url: entry.url,
            start: entry.startTime})),
        read('layout-shift', entry => ({score: entry.value, start: entry.startTime, input: entry.hadRecentInput,
            sources: (entry.sources || []).map(each => ({element: named(each.node), before: box(each.previousRect),
                after: box(each.currentRect)}))})),
        read('event', event),
        read('first-input', event),
        read('long-animation-frame', entry => ({start: entry.startTime, duration: entry.duration,
            blocking: entry.blockingDuration, scripts: entry.scripts.map(each => ({url: each.sourceURL,
                function: each.sourceFunctionName, invoker: each.invoker, duration: each.duration,
                forced: each.forcedStyleAndLayoutDuration}))})),
        read('resource', entry => ({url: entry.name, start: entry.startTime, request: entry.requestStart,
            end: entry.responseEnd, blocking: entry.renderBlockingStatus === 'blocking',
            size: entry.transferSize, body: entry.decodedBodySize, host: URL.parse?.(entry.name)?.host ?? ''})),
    ]);
    return {url: location.href, host: location.host, dropped, unsupported, resources, frames, shifts,
        interactions: performance.interactionCount ?? null,
        wasHidden: performance.getEntriesByType('visibility-state').some(entry => entry.name === 'hidden'),
        origin: start?.activationStart || 0, response: start?.responseStart ?? null, load: start?.loadEventEnd ?? null,
        fcp: fcp.find(entry => entry.name === 'first-contentful-paint')?.start ?? null,
        paint: lcp.at(-1) ?? null, events: [...events, ...first]};
})()"""
).replace("MOST", str(MOST))
"""An expression whose value is a `PerformanceTimeline` as JSON. It reads entries and changes nothing."""


class Painted(Struct, frozen=True):
    """An entry of the type `largest-contentful-paint`."""

    element: str
    url: str
    start: float


class Moved(Struct, frozen=True):
    """An element of a layout shift, with its box before and after."""

    element: str
    before: tuple[float, ...]
    after: tuple[float, ...]


class Shifted(Struct, frozen=True):
    """An entry of the type `layout-shift`."""

    score: float
    start: float
    input: bool
    """It came within half a second of an input, and so does not count."""
    sources: tuple[Moved, ...] = ()


class Happened(Struct, frozen=True):
    """An entry of the type `event` or `first-input`."""

    type: str
    id: int
    """Of the interaction; 0 for an event that is none."""
    target: str
    start: float
    duration: float
    begin: float
    end: float


class Ran(Struct, frozen=True):
    """A script of a long animation frame."""

    url: str
    function: str
    invoker: str
    duration: float
    forced: float


class Drawn(Struct, frozen=True):
    """An entry of the type `long-animation-frame`."""

    start: float
    duration: float
    blocking: float
    scripts: tuple[Ran, ...] = ()


class Loaded(Struct, frozen=True):
    """An entry of the type `resource`."""

    url: str
    host: str
    start: float
    request: float
    """0 where the server does not allow the page to know it."""
    end: float
    blocking: bool
    size: float
    body: float


class PerformanceTimeline(Struct, frozen=True, rename="camel"):
    """The entries of a document. Times are milliseconds since the navigation began."""

    url: str
    host: str
    origin: float
    """The time at which a prerendered page was shown; 0 for any other."""
    was_hidden: bool
    response: float | None = None
    load: float | None = None
    fcp: float | None = None
    paint: Painted | None = None
    interactions: int | None = None
    shifts: tuple[Shifted, ...] = ()
    events: tuple[Happened, ...] = ()
    frames: tuple[Drawn, ...] = ()
    resources: tuple[Loaded, ...] = ()
    dropped: dict[str, int] = {}
    """By type, the number of entries that the browser, or the script, left out."""
    unsupported: tuple[str, ...] = ()
    """The types that the browser does not have."""
