"""The tool `browser_trace`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cdp_typed import Session
from cdp_typed.helpers import trace_file
from cdp_typed.helpers.shared.performance.trace_summary import TraceSummary
from cdp_typed.protocol import profiler, tracing
from cdp_typed.redaction import Redaction
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.page.page_frames import check_no_dialog, top_frame
from supervisor.tools.raw_commands.checks import check_command

from .measurement import UntilStopped, start, stop
from .measurement_files import new_file
from .trace_cleaning import TraceCleaning

LARGEST = 100 * 2**20
"""Bytes of a trace that are read."""
READ_S = 45.0


class TraceArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_trace`."""

    action: Literal["start", "stop"]
    """Load or use the page in between."""


class Traced(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trace."""

    recording: bool = False
    """It runs, for at most 120 seconds."""
    file: str = ""
    """A file for the Performance panel of the developer tools."""
    size: int = 0
    """Bytes of the file."""
    summary: TraceSummary | None = None


@tool(toolset="browser-performance")
async def browser_trace(context: ToolContext, arguments: TraceArguments) -> Traced:
    """Record a trace of the page: vitals, main-thread time, slow scripts, a file for the developer tools."""
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    if arguments.action == "stop":
        traced: Traced = await stop(supervisor, "trace")
        return traced
    context.policy.check_method(tracing.Start.METHOD)
    # A trace holds a profile of the scripts, so it is refused where a profile is.
    await check_command(supervisor, context.policy, profiler.Start(), top_frame(supervisor).frame_id)
    redaction = supervisor.redaction
    await start(supervisor, "trace", lambda tab, until_stopped: _trace(tab, until_stopped, redaction))
    return Traced(recording=True)


async def _trace(tab: Session, until_stopped: UntilStopped, redaction: Redaction) -> Traced:
    path = new_file("trace", ".json.gz")
    try:
        async with trace_file(tab, path, limit=LARGEST, clean=TraceCleaning(redaction), timeout=READ_S) as trace:
            await until_stopped()
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Traced(file=str(path), size=trace.size, summary=trace.summary)
