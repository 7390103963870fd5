"""The same for a pipe or a file: a line of JSON for each change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.values import Change


async def follow(supervisor: AsyncSupervisor, tell: Callable[[dict[str, object]], None]) -> None:
    """Tell every change that is still held, and each one from now on. Raises `NotRunning` when the supervisor ends."""
    changes: asyncio.Queue[Change] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    listener = supervisor.on_change(lambda change: loop.call_soon_threadsafe(changes.put_nowait, change))
    seen = 0
    try:
        for change in supervisor.changes_since(0).changes:
            tell(msgspec.to_builtins(change))
            seen = change.seq
        while True:
            change = await changes.get()
            if change.seq > seen:
                tell(msgspec.to_builtins(change))
            if change.kind == "link" and change.subject in ("lost", "stopped"):
                raise NotRunning(supervisor.snapshot().reason)
    finally:
        listener.close()
