"""The session of a page that takes its heap snapshots."""

from __future__ import annotations

from contextlib import suppress
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed import Session
from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.tools.page.page_frames import top_frame

from .measurement import Measurement, UntilStopped

KEPT_S = 600.0
"""The time in which snapshots can be compared."""

SESSIONS: WeakKeyDictionary[AsyncSupervisor, HeapSession] = WeakKeyDictionary()
"""The session that keeps the numbers of objects, for each supervisor that has one."""


class HeapSession:
    """A session that stays between snapshots: when it ends, V8 numbers all objects anew (Chromium 156)."""

    def __init__(self, supervisor: AsyncSupervisor, page_id: str) -> None:
        self.page_id = page_id
        self.taken: dict[str, str] = {}
        """By the name of each snapshot, the id of the process' isolate (`Runtime.getIsolateId`)."""
        self.tab: Session
        self.measurement: Measurement = Measurement(supervisor, self._stay, KEPT_S)

    async def _stay(self, tab: Session, until_stopped: UntilStopped) -> Struct:
        self.tab = tab
        await until_stopped()
        return Struct()


async def end(supervisor: AsyncSupervisor, session: HeapSession) -> None:
    """End a session; the next snapshot begins another one."""
    SESSIONS.pop(supervisor, None)
    with suppress(CDPError):
        await session.measurement.ended()


async def session_of(supervisor: AsyncSupervisor) -> HeapSession:
    """The session of the current page. Raises what its start raises."""
    page_id = top_frame(supervisor).frame_id
    session = SESSIONS.get(supervisor)
    if session is not None and not session.measurement.has_ended:
        if session.page_id == page_id:
            return session
        await end(supervisor, session)
    session = SESSIONS[supervisor] = HeapSession(supervisor, page_id)
    await session.measurement.begun()
    return session
