"""The tool `browser_trace`."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed import CDPError, Session
from cdp_typed.helpers import trace_file
from cdp_typed.helpers.shared.performance.vitals import TraceSummary
from cdp_typed.protocol import profiler, tracing
from cdp_typed.redaction import Redaction
from supervisor.tools.browser.navigate import Journey, Navigated
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.page.page_frames import check_no_dialog, run, top_frame
from supervisor.tools.raw_commands.checks import check_command

from .measurement import UntilStopped, named, new_file, start, stop
from .trace_cleaning import TraceCleaning

LARGEST = 100 * 2**20
"""Bytes of a trace that are read."""
READ_S = 45.0
RELOAD_S = 30.0
AFTERWARDS_S = 3.0
"""Seconds that a trace of a reload goes on once the page is drawn: it may shift, and paint something larger. A page
that draws nothing has as many more."""

_DRAWN = f"""new Promise(done => {{
    if (document.hidden) done(0);
    const look = list => list.getEntriesByName('first-contentful-paint').length && done(0);
    new PerformanceObserver(look).observe({{type: 'paint', buffered: true}});
    requestAnimationFrame(() => setTimeout(() => done(0), {AFTERWARDS_S * 1000}));
}})"""


class TraceArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_trace`."""

    action: Literal["start", "stop", "reload", "hard_reload"]
    """Use the page between start and stop. reload: trace a reload, then stop; hard_reload: without cache."""
    name: str | None = None
    """Of the file."""


class Traced(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trace."""

    navigated: Navigated | None = None
    """The page after a reload. If it opened a dialog, the trace was stopped, and no file was written."""
    recording: bool = False
    """It runs, for at most 120 seconds."""
    file: str = ""
    """A file for the Performance panel of the developer tools."""
    size: int = 0
    """Bytes of the file."""
    summary: TraceSummary | None = None


@tool(toolset="browser-performance")
async def browser_trace(context: ToolContext, arguments: TraceArguments) -> Traced:
    """Record a trace of the page: main-thread time, slow scripts, a file for DevTools."""
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    if arguments.action == "stop":
        return _named(await stop(supervisor, "trace"), arguments.name)
    context.policy.check_method(tracing.Start.METHOD)
    # A trace holds a profile of the scripts, so it is refused where a profile is.
    await check_command(supervisor, context.policy, profiler.Start(), top_frame(supervisor).frame_id)
    redaction = supervisor.redaction
    await start(supervisor, "trace", lambda tab, until_stopped: _trace(tab, until_stopped, redaction))
    if arguments.action == "start":
        return Traced(recording=True)
    return _named(await _reloaded(context, ignore_cache=arguments.action == "hard_reload"), arguments.name)


def _named(traced: Traced, name: str | None) -> Traced:
    return replace(traced, file=str(named(Path(traced.file), name))) if traced.file else traced


async def _reloaded(context: ToolContext, *, ignore_cache: bool) -> Traced:
    """Reload the page, and end the trace a while after it has loaded."""
    supervisor, navigated = context.supervisor, None
    try:
        journey = Journey(context, RELOAD_S)
        navigated = await journey.follow(supervisor.reload_page(ignore_cache=ignore_cache, timeout_s=journey.left_s))
        if not navigated.opened_dialog:
            with contextlib.suppress(CDPError):  # a dialog opened, or the page is gone; the trace has what came before
                await run(supervisor, top_frame(supervisor).frame_id, _DRAWN)
            with contextlib.suppress(TimeoutError):
                await supervisor.wait_for(lambda _: False, timeout_s=AFTERWARDS_S)
    finally:
        traced: Traced = await stop(supervisor, "trace")
        if navigated is None or navigated.opened_dialog:
            await asyncio.to_thread(Path(traced.file).unlink, missing_ok=True)
            traced = Traced()
    return replace(traced, navigated=navigated)


async def _trace(tab: Session, until_stopped: UntilStopped, redaction: Redaction) -> Traced:
    path = new_file("trace", ".json.gz")
    try:
        async with trace_file(tab, path, limit=LARGEST, clean=TraceCleaning(redaction), timeout=READ_S) as trace:
            await until_stopped()
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Traced(file=str(path), size=trace.size, summary=trace.summary)
