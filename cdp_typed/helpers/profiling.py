"""`web_vitals`, and recordings that the developer tools open: `tracing` and `heap_snapshot`."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

import msgspec

from cdp_typed.client.connection import Connection
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError
from cdp_typed.helpers.io_streams import read_stream
from cdp_typed.helpers.shared.javascript_values import raise_thrown
from cdp_typed.helpers.shared.performance.timeline import SCRIPT, PerformanceTimeline
from cdp_typed.helpers.shared.performance.vitals import Vitals
from cdp_typed.helpers.shared.performance.vitals_of import vitals_of
from cdp_typed.helpers.shared.trace import DEFAULT_CATEGORIES, Trace
from cdp_typed.protocol import heap_profiler, page, runtime
from cdp_typed.protocol.tracing import End, Start, TraceConfig, TracingComplete


@asynccontextmanager
async def tracing(
    tab: Session | Connection, *, categories: Sequence[str] = DEFAULT_CATEGORIES, timeout: Timeout = 60.0
) -> AsyncGenerator[Trace]:
    """Record a trace of the whole browser during a block: `async with tracing(tab) as trace:`.

    `trace.data` is JSON as the developer tools save it, `trace.events` its events, both after the block. A `-` before
    a category leaves it out. Uses `Tracing.start`, `Tracing.end`, `Tracing.tracingComplete` and `read_stream`; a
    browser records one trace at a time. Raises as `send` does; `EventTimeout` if the trace is not complete `timeout`
    seconds after the block.
    """
    config = TraceConfig(
        included_categories=[name for name in categories if not name.startswith("-")],
        excluded_categories=[name[1:] for name in categories if name.startswith("-")],
    )
    trace = Trace()
    await tab.send(Start(transfer_mode="ReturnAsStream", trace_config=config))
    try:
        yield trace
    except BaseException:
        with suppress(CDPError):
            trace.complete(await _end_tracing(tab, timeout))
        raise
    trace.complete(await _end_tracing(tab, timeout))


async def _end_tracing(tab: Session | Connection, timeout: Timeout) -> bytes:
    async with tab.expect(TracingComplete, timeout=timeout) as completed:
        await tab.send(End(), timeout=timeout)
    stream = completed.value.stream
    return b"" if stream is None else await read_stream(tab, stream)


async def heap_snapshot(tab: Session, *, timeout: Timeout = 120.0) -> bytes:
    """Return the heap of a page or worker as JSON, a `.heapsnapshot` of the developer tools.

    Uses `HeapProfiler.takeHeapSnapshot`, which stops the page for that long, and its chunks. Raises as `send` does.
    """
    async with tab.events(heap_profiler.AddHeapSnapshotChunk, maxsize=sys.maxsize) as chunks:
        await tab.send(heap_profiler.TakeHeapSnapshot(), timeout=timeout)
    return b"".join([chunk.chunk.encode() async for chunk in chunks])


async def web_vitals(tab: Session, *, timeout: Timeout = DEFAULT) -> Vitals:
    """Return the Core Web Vitals of the page's visit until now, with their causes: LCP, CLS, INP, TTFB, FCP.

    The browser keeps them for each document, so nothing has to be on before the page loads, and nothing of the page
    changes. Layout shifts and paints within iframes do not count. Uses `Page.getFrameTree`,
    `Page.createIsolatedWorld` and `Runtime.evaluate`. Raises as `send` does. `timeout` is the deadline of each command.
    """
    frame_id = (await tab.send(page.GetFrameTree(), timeout=timeout)).frame_tree.frame.id
    make = page.CreateIsolatedWorld(frame_id=frame_id, world_name="cdp-typed")
    world = (await tab.send(make, timeout=timeout)).execution_context_id
    read = runtime.Evaluate(expression=SCRIPT, context_id=world, await_promise=True, return_by_value=True)
    reply = await tab.send(read, timeout=timeout)
    raise_thrown(reply.exception_details)
    return vitals_of(msgspec.convert(reply.result.value, PerformanceTimeline))
