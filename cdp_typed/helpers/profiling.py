"""`tracing` and `heap_snapshot`: recordings that the developer tools open."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

from cdp_typed.client.connection import Connection
from cdp_typed.client.dispatcher import Timeout
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError
from cdp_typed.helpers.io_streams import read_stream
from cdp_typed.helpers.shared.trace import DEFAULT_CATEGORIES, Trace
from cdp_typed.protocol import heap_profiler
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
