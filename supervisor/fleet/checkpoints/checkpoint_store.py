"""Where the directory keeps checkpoints: in the cluster's memory, or in a directory that all nodes share."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct


class Memory(Protocol):
    """The memory of the cluster."""

    def put(self, data: bytes) -> Any:
        """Store bytes. They are kept while the caller holds the returned reference."""
        ...

    async def get(self, kept: Any) -> bytes:
        """Return the stored bytes. Raises `KeyError` when they are gone."""
        ...


class LocalMemory(Struct, frozen=True):
    """The memory of this process."""

    def put(self, data: bytes) -> bytes:
        """See `Memory`."""
        return data

    async def get(self, kept: bytes) -> bytes:
        """See `Memory`."""
        return kept


class CheckpointStore:
    """The last checkpoint of each task."""

    def __init__(self, folder: str | None, memory: Memory) -> None:
        self._folder = Path(folder) if folder is not None else None
        self._memory = memory
        self._kept: dict[str, Any] = {}

    async def put(self, task_id: str, data: bytes) -> None:
        """Keep a checkpoint in place of the one before. Raises `OSError` for a directory that cannot be written."""
        if self._folder is None:
            self._kept[task_id] = self._memory.put(data)
        else:
            await asyncio.to_thread(_write, self._path(task_id), data)

    async def get(self, task_id: str) -> bytes | None:
        """Return the checkpoint of a task, or None."""
        if self._folder is None:
            try:
                return await self._memory.get(self._kept[task_id])
            except KeyError:
                return None
        with contextlib.suppress(FileNotFoundError):
            return await asyncio.to_thread(self._path(task_id).read_bytes)
        return None

    def drop(self, task_id: str) -> None:
        """Forget the checkpoint of a task."""
        self._kept.pop(task_id, None)
        if self._folder is not None:
            self._path(task_id).unlink(missing_ok=True)

    def _path(self, task_id: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{hashlib.sha256(task_id.encode()).hexdigest()}.checkpoint"


def _write(path: Path, data: bytes) -> None:
    """Write a file atomically, readable only by its owner."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    begun = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    begun.replace(path)
