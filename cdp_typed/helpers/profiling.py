"""`web_vitals`, and recordings that the developer tools open: `trace_file` and `heap_snapshot`."""

from __future__ import annotations

import sys
from base64 import b64decode
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from pathlib import Path

from cdp_typed.client.blocks import async_block
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import Session
from cdp_typed.conversions import convert
from cdp_typed.errors import CDPError, CommandError, TargetCrashed
from cdp_typed.helpers.shared.deadline import Deadline
from cdp_typed.helpers.shared.javascript_values import raise_thrown
from cdp_typed.helpers.shared.performance.code_coverage import CoverageRecording
from cdp_typed.helpers.shared.performance.cpu_profile import CpuRecording
from cdp_typed.helpers.shared.performance.timeline import SCRIPT, PerformanceTimeline
from cdp_typed.helpers.shared.performance.trace_file import DEFAULT_CATEGORIES, Clean, TraceFile, as_it_is, config_of
from cdp_typed.helpers.shared.performance.vitals import Vitals
from cdp_typed.helpers.shared.performance.vitals_of import vitals_of
from cdp_typed.protocol import css, dom, heap_profiler, io, page, profiler, runtime
from cdp_typed.protocol.ids import StyleSheetId
from cdp_typed.protocol.tracing import End, Start, TracingComplete

_PIECE = 2**20
"""Bytes of a trace that are read at once."""


async def _ended(tab: Session, timeout: float | None) -> TracingComplete:
    async with tab.events(TracingComplete) as completed:
        with suppress(TargetCrashed):  # the browser's own process ends the trace
            await tab.send(End(), timeout=timeout)
        with suppress(TargetCrashed):  # told once
            return await completed.take(timeout)
        return await completed.take(timeout)


@async_block
async def trace_file(
    tab: Session,
    path: str | Path,
    *,
    categories: Sequence[str] = DEFAULT_CATEGORIES,
    limit: int = 200 * 2**20,
    clean: Clean = as_it_is,
    timeout: float | None = 60.0,
) -> AsyncGenerator[TraceFile]:
    """Record a trace of the page's processes during a block, into a file of any size.

    The file is JSON for the developer tools and ui.perfetto.dev, compressed if `path` ends with `.gz`. After the block,
    `summary` of the result has the work of the main thread and its scripts. At most `limit`
    bytes of the trace are read (`IO.read`), for at most `timeout` seconds; `summary.left_out` says what is missing. The
    browser records into 200 MiB, and drops later events when they are full. `clean(line, event)` decides about each
    event: it returns the line to write, or None. A `-` before a category excludes it. Uses `Tracing.start`,
    `Tracing.end` and `Tracing.tracingComplete`; a browser records one trace at a time. Raises `EventTimeout` if the
    browser does not end the trace in time, `OSError`, and what `send` raises.
    """
    trace = TraceFile(Path(path), limit=limit, clean=clean)
    try:
        await tab.send(Start(transfer_mode="ReturnAsStream", trace_config=config_of(categories)))
        try:
            yield trace
        except BaseException:
            with suppress(CDPError):
                await _ended(tab, timeout)
            raise
        completed = await _ended(tab, timeout)
        if completed.data_loss_occurred:
            trace.leave_out("the browser's memory for the trace was full; later events are missing")
        if completed.stream is not None:
            await _read_into(trace, tab, completed.stream, Deadline(timeout))
        trace.complete()
    finally:
        trace.close()


async def _read_into(trace: TraceFile, tab: Session, stream: str, deadline: Deadline) -> None:
    handle = io.StreamHandle(stream)
    try:
        while True:
            piece = await tab.send(io.Read(handle=handle, size=_PIECE), timeout=deadline.left)
            if not trace.feed(b64decode(piece.data) if piece.base64_encoded else piece.data.encode()) or piece.eof:
                return
    except TimeoutError:
        trace.leave_out("the browser took too long to hand the trace out; its rest was not read")
    except TargetCrashed:
        trace.leave_out("the page crashed while the trace was read; its rest was not read")
    finally:
        _ = tab.send_nowait(io.Close(handle=handle))


@async_block
async def cpu_profile(tab: Session, *, timeout: Timeout = DEFAULT) -> AsyncGenerator[CpuRecording]:
    """Record which functions of a page or worker run during a block: `async with cpu_profile(tab) as profile:`.

    After the block, `profile.summary` has the functions that took longest, and `profile.data` is a `.cpuprofile` of the
    developer tools. Iframes of other processes are not included. Uses `Profiler.enable`, `Profiler.start`,
    `Profiler.stop` and `Profiler.disable`. Raises as `send` does. `timeout` is the deadline of each command.
    """
    profile = CpuRecording()
    await tab.send(profiler.Enable(), timeout=timeout)
    try:
        await tab.send(profiler.Start(), timeout=timeout)
        yield profile
        profile.complete((await tab.send(profiler.Stop(), timeout=timeout)).profile)
    finally:
        _ = tab.send_nowait(profiler.Disable())


@async_block
async def code_coverage(tab: Session, *, timeout: Timeout = DEFAULT) -> AsyncGenerator[CoverageRecording]:
    """Measure during a block which JavaScript and CSS a page uses: `async with code_coverage(tab) as coverage:`.

    After the block, `coverage.summary` has the unused part of each file. Load the page within the block: code that ran
    before does not count. Style sheets are those of the last document. Scripts run slower during the block. Uses
    `Profiler.startPreciseCoverage`, `CSS.startRuleUsageTracking`, the commands that stop them, `CSS.getStyleSheetText`,
    and enables DOM and CSS. Raises as `send` does. `timeout` is the deadline of each command.
    """
    coverage = CoverageRecording()
    listening = tab.listen(coverage.note, css.StyleSheetAdded, css.StyleSheetRemoved)
    try:
        counting = profiler.StartPreciseCoverage(call_count=False, detailed=True)
        for begin in (dom.Enable(), css.Enable(), css.StartRuleUsageTracking(), profiler.Enable(), counting):
            await tab.send(begin, timeout=timeout)
        yield coverage
        scripts = (await tab.send(profiler.TakePreciseCoverage(), timeout=timeout)).result
        rules = (await tab.send(css.StopRuleUsageTracking(), timeout=timeout)).rule_usage
        for sheet in [*coverage.sheets]:  # Chromium 156 does not announce that those of an earlier document are gone
            try:
                await tab.send(css.GetStyleSheetText(style_sheet_id=StyleSheetId(sheet)), timeout=timeout)
            except CommandError:
                del coverage.sheets[sheet]
        coverage.complete(scripts, rules)
    finally:
        listening.close()
        for end in (profiler.StopPreciseCoverage(), profiler.Disable(), css.Disable(), dom.Disable()):
            _ = tab.send_nowait(end)


async def heap_snapshot(tab: Session, *, timeout: Timeout = 120.0) -> bytes:
    """Return the heap of a page or worker as JSON, a `.heapsnapshot` of the developer tools.

    Uses `HeapProfiler.takeHeapSnapshot` and its chunks; the page stops until the snapshot is taken. Raises as `send`
    does.
    """
    async with tab.events(heap_profiler.AddHeapSnapshotChunk, maxsize=sys.maxsize) as chunks:
        await tab.send(heap_profiler.TakeHeapSnapshot(), timeout=timeout)
    return b"".join([chunk.chunk.encode() async for chunk in chunks])


async def web_vitals(tab: Session, *, timeout: Timeout = DEFAULT) -> Vitals:
    """Return the Core Web Vitals of the page's visit until now, with their causes: LCP, CLS, INP, TTFB, FCP.

    The browser keeps them for each document, so nothing has to be enabled before the page loads, and the page does not
    change. Layout shifts and paints within iframes do not count. Uses `Page.getFrameTree`, `Page.createIsolatedWorld`
    and `Runtime.evaluate`. Raises as `send` does. `timeout` is the deadline of each command.
    """
    frame_id = (await tab.send(page.GetFrameTree(), timeout=timeout)).frame_tree.frame.id
    make = page.CreateIsolatedWorld(frame_id=frame_id, world_name="cdp-typed")
    world = (await tab.send(make, timeout=timeout)).execution_context_id
    read = runtime.Evaluate(expression=SCRIPT, context_id=world, await_promise=True, return_by_value=True)
    reply = await tab.send(read, timeout=timeout)
    raise_thrown(reply.exception_details)
    return vitals_of(convert(reply.result.value, PerformanceTimeline))
