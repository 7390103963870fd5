"""The tool `browser_heap`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from weakref import WeakKeyDictionary

from cdp_typed.errors import CDPError
from cdp_typed.helpers import heap_snapshot
from cdp_typed.helpers.shared.performance.heap.heap_graph import HeapGraph
from cdp_typed.helpers.shared.performance.heap.snapshot import with_strings
from cdp_typed.protocol import heap_profiler, runtime
from cdp_typed.redaction import Redaction
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, ToolError
from supervisor.tools.page.page_frames import run, top_frame
from supervisor.tools.raw_commands.checks import check_command

from .heap_answers import Heap, HeapArguments, answer, check
from .heap_session import KEPT_S, SESSIONS, HeapSession, end, session_of
from .measurement import named, new_file

LARGEST = 150 * 2**20
"""Bytes of JavaScript memory of which a snapshot is taken."""
TAKE_S = 120.0

_GRAPHS: WeakKeyDictionary[AsyncSupervisor, tuple[Path, HeapGraph]] = WeakKeyDictionary()
"""The snapshot that was asked last, for the next question."""


class HeapTooLarge(ToolError):
    """The page uses more memory than a snapshot is taken of."""

    def __init__(self, used: float) -> None:
        super().__init__(f"the page uses {used / 2**20:.0f} MiB, and snapshots are taken up to {LARGEST // 2**20} MiB")


@tool(toolset="browser-performance")
async def browser_heap(context: ToolContext, arguments: HeapArguments) -> Heap:
    """Take a heap snapshot, which stops the page for seconds, or ask an earlier one: classes, changes, objects, what
    keeps one alive."""
    check(arguments)
    supervisor = context.supervisor
    if arguments.file is None:
        path, earlier = await _taken(context, arguments)
    else:
        context.policy.check_method(heap_profiler.TakeHeapSnapshot.METHOD)
        path, session = _existing(arguments.file, "file"), SESSIONS.get(supervisor)
        earlier = _earlier(arguments.since, session, None if session is None else session.taken.get(path.name))
    graph = await _graph(supervisor, path)
    before = None if earlier is None else await asyncio.to_thread(_read, earlier, "since")
    return await asyncio.to_thread(answer, path, graph, before, arguments)


async def _taken(context: ToolContext, arguments: HeapArguments) -> tuple[Path, Path | None]:
    """Take a snapshot. Returns its file, and the earlier one."""
    supervisor = context.supervisor
    frame_id = top_frame(supervisor).frame_id
    await run(supervisor, frame_id, "0")  # a page with a dialog, or that crashed, has no answer
    await check_command(supervisor, context.policy, heap_profiler.TakeHeapSnapshot(), frame_id)
    session = await session_of(supervisor)
    isolate = (await supervisor.send(runtime.GetIsolateId(), frame_id)).id
    earlier = _earlier(arguments.since, session, isolate)
    used = (await supervisor.send(runtime.GetHeapUsage(), frame_id)).used_size
    if used > LARGEST:
        raise HeapTooLarge(used)
    try:
        data = await heap_snapshot(session.tab, timeout=TAKE_S)
    except CDPError:
        await end(supervisor, session)
        raise
    path = named(await asyncio.to_thread(_write, data, supervisor.redaction), arguments.name)
    session.taken[path.name] = isolate
    return path, earlier


def _write(data: bytes, redaction: Redaction) -> Path:
    return new_file("heap", ".heapsnapshot", with_strings(data, redaction.text))


def _earlier(name: str | None, session: HeapSession | None, isolate: str | None) -> Path | None:
    """The file of the earlier snapshot. Raises `InvalidArgument` unless both number objects alike."""
    if name is None:
        return None
    if session is None or isolate is None or session.taken.get(name) != isolate:
        raise InvalidArgument(
            "since",
            "no snapshot of this page's process from the last ten minutes has this name; take another to compare with",
        )
    return _existing(name, "since")


def _existing(name: str, argument: str) -> Path:
    try:
        path = NamedFiles("performance").path(name)
    except InvalidConfig:
        raise InvalidArgument(argument, "not the name of a file") from None
    if not path.is_file():
        raise InvalidArgument(argument, "the folder of measurements has no such file; take a snapshot")
    return path


async def _graph(supervisor: AsyncSupervisor, path: Path) -> HeapGraph:
    """The snapshot in a file. The newest stays in memory for some minutes."""
    kept = _GRAPHS.get(supervisor)
    if kept is not None and kept[0] == path:
        return kept[1]
    graph = await asyncio.to_thread(_read, path, "file")
    _GRAPHS[supervisor] = (path, graph)
    asyncio.get_running_loop().call_later(KEPT_S, _forget, graph)
    return graph


def _forget(graph: HeapGraph) -> None:
    for supervisor, (_, kept) in [*_GRAPHS.items()]:
        if kept is graph:
            _GRAPHS.pop(supervisor, None)


def _read(path: Path, argument: str) -> HeapGraph:
    try:
        return HeapGraph(path.read_bytes())
    except (ValueError, OSError):
        raise InvalidArgument(argument, "the file is not a heap snapshot") from None
