"""The tool `browser_trace`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed.helpers import trace_file
from cdp_typed.helpers.shared.performance.trace_summary import TraceSummary
from cdp_typed.protocol import profiler, tracing
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import CallError
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.page.page_frames import check_no_dialog, top_frame
from supervisor.tools.raw_commands.checks import check_command

from .measurement_files import new_file
from .second_session import second_session
from .trace_cleaning import TraceCleaning

LONGEST_S = 120.0
"""A trace that nobody stops ends by itself after this time."""
LARGEST = 100 * 2**20
"""Bytes of a trace that are read."""
READ_S = 45.0

_RUNNING: WeakKeyDictionary[AsyncSupervisor, _Recording] = WeakKeyDictionary()


class TraceState(CallError):
    """A trace is running already, or none is."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem, maybe_executed=False)


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
    """Record a performance trace of the page: vitals of the visit, main-thread time, slow scripts, and a file for the
    developer tools."""
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    recording = _RUNNING.get(supervisor)
    if arguments.action == "stop":
        if recording is None:
            raise TraceState("no trace is running: start one first")
        del _RUNNING[supervisor]
        return await recording.stop()
    if recording is not None and not recording.has_ended:
        raise TraceState("a trace is running: stop it first")
    context.policy.check_method(tracing.Start.METHOD)
    # A trace holds a profile of the scripts, so it is refused where a profile is.
    await check_command(supervisor, context.policy, profiler.Start(), top_frame(supervisor).frame_id)
    _RUNNING[supervisor] = recording = _Recording(supervisor)
    try:
        await recording.start()
    except BaseException:
        _RUNNING.pop(supervisor, None)
        raise
    return Traced(recording=True)


class _Recording:
    """A trace under way, in a task that ends with the supervisor."""

    def __init__(self, supervisor: AsyncSupervisor) -> None:
        self._supervisor = supervisor
        self._began = asyncio.Event()
        self._is_stopping = asyncio.Event()
        self._task: asyncio.Task[Traced] | None = None

    @property
    def has_ended(self) -> bool:
        """It was not stopped, and nobody can have it any more: the browser ended it."""
        return self._task is not None and self._task.done() and self._task.exception() is not None

    async def start(self) -> None:
        """Return when the trace runs. Raises `CommandError` when the browser records another one."""
        self._task = asyncio.create_task(self._record())
        began = asyncio.ensure_future(self._began.wait())
        try:
            await asyncio.wait({began, self._task}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._task.cancel()
            raise
        finally:
            began.cancel()
        if self._task.done():
            self._task.result()

    async def stop(self) -> Traced:
        """End the trace and return it. Raises the error that ended it before."""
        assert self._task is not None
        self._is_stopping.set()
        return await self._task

    async def _record(self) -> Traced:
        path = new_file("trace", ".json.gz")
        try:
            return await self._record_into(path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    async def _record_into(self, path: Path) -> Traced:
        cleaning = TraceCleaning(self._supervisor.redaction)
        async with (
            second_session(self._supervisor) as tab,
            trace_file(tab, path, limit=LARGEST, clean=cleaning, timeout=READ_S) as trace,
        ):
            self._began.set()
            await self._until_stopped()
        return Traced(file=str(path), size=trace.size, summary=trace.summary)

    async def _until_stopped(self) -> None:
        """Return when it is to stop, or after `LONGEST_S`. Raises `NotRunning` when the supervisor stops."""
        stopping = asyncio.ensure_future(self._is_stopping.wait())
        alive = asyncio.ensure_future(self._supervisor.wait_for(lambda _: False, timeout_s=LONGEST_S))
        try:
            await asyncio.wait({stopping, alive}, return_when=asyncio.FIRST_COMPLETED)
            if alive.done() and not isinstance(error := alive.exception(), TimeoutError) and error is not None:
                raise error
        finally:
            for waiting in (stopping, alive):
                waiting.cancel()
            await asyncio.gather(stopping, alive, return_exceptions=True)
