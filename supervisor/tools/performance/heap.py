"""The tool `browser_heap`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed import Session
from cdp_typed.errors import CDPError
from cdp_typed.helpers import heap_snapshot
from cdp_typed.helpers.shared.performance.heap_graph import HeapChange, HeapClass, HeapGraph, with_strings
from cdp_typed.protocol import heap_profiler, runtime
from cdp_typed.redaction import Redaction
from supervisor.aio import AsyncSupervisor
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument, ToolError
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.page_frames import run, top_frame
from supervisor.tools.raw_commands.checks import check_command

from .measurement import Measurement, UntilStopped
from .measurement_files import FOLDER, new_file

LARGEST = 150 * 2**20
"""Bytes of JavaScript memory of which a snapshot is taken."""
TAKE_S = 120.0
MOST_CLASSES = 20


KEPT_S = 600.0
"""The time in which snapshots can be compared."""

SESSIONS: WeakKeyDictionary[AsyncSupervisor, _HeapSession] = WeakKeyDictionary()
"""The session that keeps the numbers of objects, for each supervisor that has one."""


class HeapTooLarge(ToolError):
    """The page uses more memory than a snapshot is taken of."""

    def __init__(self, used: float) -> None:
        super().__init__(f"the page uses {used / 2**20:.0f} MiB, and snapshots are taken up to {LARGEST // 2**20} MiB")


class HeapArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_heap`."""

    since: str | None = None
    """file of an earlier snapshot: show objects that came or went."""
    retained: str | None = None
    """A class: show what keeps an object of it alive."""


class Heap(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A heap snapshot."""

    file: str
    """The name of the snapshot, for `since`."""
    folder: str
    """Its folder. The Memory panel of the developer tools opens the file."""
    used: int
    """Bytes of all objects."""
    classes: list[HeapClass] = []
    """The largest."""
    changes: list[HeapChange] = []
    """The classes that grew most since the earlier snapshot."""
    retaining_path: list[PageText] = []
    """From the object up to the root."""
    not_found: bool = False
    """No object of the class can be reached, except by weak references."""


@tool(toolset="browser-performance")
async def browser_heap(context: ToolContext, arguments: HeapArguments) -> Heap:
    """Take a heap snapshot of the page, which stops it for seconds: the largest classes, what came since an earlier
    snapshot, and what retains a class."""
    supervisor = context.supervisor
    frame_id = top_frame(supervisor).frame_id
    await run(supervisor, frame_id, "0")  # a page with a dialog, or that crashed, has no answer
    await check_command(supervisor, context.policy, heap_profiler.TakeHeapSnapshot(), frame_id)
    session = await _session_of(supervisor)
    isolate = (await supervisor.send(runtime.GetIsolateId(), frame_id)).id
    if arguments.since is not None and session.taken.get(arguments.since) != isolate:
        raise InvalidArgument(
            "since", "not the file of a snapshot that this page's process gave in the last ten minutes; take another"
        )
    used = (await supervisor.send(runtime.GetHeapUsage(), frame_id)).used_size
    if used > LARGEST:
        raise HeapTooLarge(used)
    try:
        data = await heap_snapshot(session.tab, timeout=TAKE_S)
    except CDPError:
        await _end(supervisor, session)
        raise
    earlier = None if arguments.since is None else NamedFiles("performance", FOLDER).path(arguments.since)
    heap = await asyncio.to_thread(_read, data, earlier, arguments.retained, supervisor.redaction)
    session.taken[heap.file] = isolate
    return heap


class _HeapSession:
    """A session that stays between snapshots: when it ends, V8 numbers all objects anew (Chromium 156)."""

    def __init__(self, supervisor: AsyncSupervisor, page_id: str) -> None:
        self.page_id = page_id
        self.taken: dict[str, str] = {}
        """By the name of each snapshot, the id of the process' isolate (`Runtime.getIsolateId`)."""
        self.tab: Session
        self.measurement = Measurement(supervisor, self._stay, KEPT_S)

    async def _stay(self, tab: Session, until_stopped: UntilStopped) -> Struct:
        self.tab = tab
        await until_stopped()
        return Struct()


async def _end(supervisor: AsyncSupervisor, session: _HeapSession) -> None:
    SESSIONS.pop(supervisor, None)
    with suppress(CDPError):
        await session.measurement.ended()


async def _session_of(supervisor: AsyncSupervisor) -> _HeapSession:
    page_id = top_frame(supervisor).frame_id
    session = SESSIONS.get(supervisor)
    if session is not None and not session.measurement.has_ended:
        if session.page_id == page_id:
            return session
        await _end(supervisor, session)
    session = SESSIONS[supervisor] = _HeapSession(supervisor, page_id)
    await session.measurement.begun()
    return session


def _read(data: bytes, earlier: Path | None, retained: str | None, redaction: Redaction) -> Heap:
    clean = with_strings(data, redaction.text)
    path = new_file("heap", ".heapsnapshot")
    path.write_bytes(clean)
    graph = HeapGraph(clean)
    classes = graph.classes()
    changes: list[HeapChange] = []
    if earlier is not None:
        try:
            changes = graph.changes_since(HeapGraph(earlier.read_bytes()))
        except ValueError:
            raise InvalidArgument("since", "the file is no heap snapshot") from None
    way = None if retained is None else graph.retaining_path(retained)
    return Heap(
        file=path.name,
        folder=str(path.parent),
        used=sum(each.size for each in classes),
        classes=classes[:MOST_CLASSES],
        changes=changes[:MOST_CLASSES],
        retaining_path=way or [],
        not_found=retained is not None and way is None,
    )
