"""A directory's records for the next directory: places, losses, drains and counts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from supervisor.addons.fleet.values import Placement

from .control_store import ControlStore
from .leases import DirectoryLease

T = TypeVar("T")

_TASK, _DRAIN, _COUNTS = "task/", "drain/", "counts"


class TaskRecord(Struct, frozen=True):
    """A task that has a place, or has lost it."""

    placement: Placement | None
    driver: str | None
    lost: str = ""
    """Why it was lost, until its next place is certain."""


class DrainRecord(Struct, frozen=True):
    """A host that is drained, or a node on which no host starts."""

    reason: str
    left_s: float = 0.0
    """Seconds until tasks of the host lose their places, when this was written."""
    is_node: bool = False


class Counts(Struct, frozen=True):
    """Counts over the whole life of a fleet."""

    hosts_made: int = 0
    restarts: int = 0
    failed_starts: int = 0


class Records(Struct):
    """All that is written down."""

    tasks: dict[str, TaskRecord] = {}
    drains: dict[str, DrainRecord] = {}
    """By id of the host or node."""
    counts: Counts = Counts()


class Ledger:
    """Writes changes in the order in which they were noted, many at once. Used on one event loop."""

    def __init__(self, store: ControlStore, lease: DirectoryLease) -> None:
        self._store = store
        self._lease = lease
        self._noted: dict[str, bytes | None] = {}
        """By key: the value to write; None to remove it."""
        self._writing = asyncio.Lock()

    async def read(self) -> Records:
        """Return all that earlier directories wrote. Raises `CutOff`."""
        tasks = await self._store.find(_TASK)
        drains = await self._store.find(_DRAIN)
        counts = await self._store.get((_COUNTS,))
        return Records(
            tasks={key.removeprefix(_TASK): _read(value, TaskRecord) for key, value in tasks.items()},
            drains={key.removeprefix(_DRAIN): _read(value, DrainRecord) for key, value in drains.items()},
            counts=_read(counts[_COUNTS], Counts) if counts else Counts(),
        )

    def note_task(self, task_id: str, record: TaskRecord | None) -> None:
        """Note a task; None: the fleet does not know it any more."""
        self._noted[_TASK + task_id] = _written(record)

    def note_drain(self, which: str, record: DrainRecord | None) -> None:
        """Note that a host or a node is drained; None: it is not any more."""
        self._noted[_DRAIN + which] = _written(record)

    def note_counts(self, counts: Counts) -> None:
        """Note the counts."""
        self._noted[_COUNTS] = _written(counts)

    async def write(self) -> None:
        """Write all that was noted before. A later directory then reads it, as none had begun when it was written.

        Raises `CutOff` if that is not certain; then the next call writes it.
        """
        async with self._writing:
            noted, self._noted = self._noted, {}
            unwritten: Mapping[str, bytes | None] = noted
            try:
                for done in await asyncio.gather(*map(self._write, noted.items()), return_exceptions=True):
                    if done is not None:
                        raise done
                if noted:
                    await self._lease.renew()
                self._lease.check()
                unwritten = {}
            finally:
                self._noted = {**unwritten, **self._noted}

    async def _write(self, noted: tuple[str, bytes | None]) -> None:
        key, value = noted
        if value is None:
            await self._store.remove(key)
        else:
            await self._store.put(key, value)


def _written(record: Struct | None) -> bytes | None:
    return None if record is None else msgspec.msgpack.encode(record)


def _read(data: bytes, kind: type[T]) -> T:
    return msgspec.msgpack.decode(data, type=kind)
