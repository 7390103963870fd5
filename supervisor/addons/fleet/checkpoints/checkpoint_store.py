"""Where the directory keeps checkpoints: in the cluster's memory, or in a directory that all nodes share."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from supervisor.addons.fleet.file_names import plain_name
from supervisor.addons.fleet.settings import Plan
from supervisor.saved_state.private_files import BEGUN, begun

from .kept_checkpoint import age_text, lasts_of

KEPT = ".checkpoint"
BEGUN_S = 3600.0
SWEEP_S = 600.0
"""Seconds between two searches for files that have expired."""
LABEL_BYTES = 2**20

_log = logging.getLogger("supervisor.fleet")


class Memory(Protocol):
    """The memory of the cluster."""

    def put(self, data: bytes) -> Any:
        """Store bytes. They are kept while the caller holds the returned reference."""
        ...

    async def get(self, kept: Any) -> bytes:
        """Return the stored bytes. Raises `KeyError` when they are gone."""
        ...


class CheckpointStore:
    """The last checkpoint of each task of one fleet. In a directory, the fleet has its own folder.

    The age of a checkpoint that was put here is measured by the monotonic clock. That of a file which somebody else
    wrote is measured by the clock of the file system, which also dated it.
    """

    def __init__(self, plan: Plan, memory: Memory) -> None:
        folder, fleet = plan.limits.checkpoints, plan.name
        self._shared = Path(folder) if folder is not None else None
        self._own = Path(folder) / plain_name(fleet) if folder is not None else None
        self._fleet = fleet
        self._memory = memory
        self._lasts_s = plan.limits.checkpoints_expire_s
        self._kept: dict[str, Any] = {}
        self._put_at: dict[str, float] = {}
        self._lock = threading.Lock()
        """Held while files are put in place and removed."""
        self._newest: dict[str, object] = {}
        """By task id: which of the checkpoints that are being written is put in place."""
        self._is_cleared = False
        self._sweeps_at = -math.inf

    async def put(self, task_id: str, data: bytes) -> str:
        """Keep a checkpoint in place of the one before. Returns why it could not be written, and logs it; else an empty
        text."""
        if self._is_cleared:
            return "the fleet was stopped"
        if self._own is None:
            self._kept[task_id] = self._memory.put(data)
            self._put_at[task_id] = time.monotonic()
        else:
            newest = self._newest[task_id] = object()
            try:
                await asyncio.to_thread(self._write, self._own, task_id, data, newest)
            except OSError as error:
                problem = f"it could not be written: {error.strerror or type(error).__name__}"
                _log.error("a checkpoint is not kept: %s", problem)
                return problem
        return ""

    async def find(self, task_id: str) -> tuple[bytes | None, str]:
        """Return the checkpoint of a task, or None; and how old it is or why it cannot be read."""
        try:
            age_s = await self._age(task_id)
            if age_s >= self._lasts_s:
                return None, "; its cookies and storage could not be restored (the checkpoint has expired)"
            if self._own is None:
                return await self._memory.get(self._kept[task_id]), age_text(age_s)
            return await asyncio.to_thread(_path(self._own, task_id).read_bytes), age_text(age_s)
        except (KeyError, FileNotFoundError):
            return None, ""
        except OSError as error:
            return None, f"; its cookies and storage could not be read ({type(error).__name__})"

    def drop(self, task_id: str) -> None:
        """Forget the checkpoint of a task."""
        self._kept.pop(task_id, None)
        self._put_at.pop(task_id, None)
        if self._own is not None:
            with self._lock:
                self._newest.pop(task_id, None)
                _path(self._own, task_id).unlink(missing_ok=True)

    async def clear(self) -> str:
        """Forget all checkpoints of the fleet, and keep none any more. Returns why files stay; else an empty text."""
        self._is_cleared = True
        self._kept.clear()
        self._put_at.clear()
        if self._own is not None:
            try:
                await asyncio.to_thread(self._remove_own, self._own)
            except OSError as error:
                stay = f"the checkpoints of the fleet {self._fleet!r} could not be removed: {type(error).__name__}"
                _log.error("%s", stay)
                return stay
        return ""

    @property
    def must_sweep(self) -> bool:
        """Whether it is time to call `sweep`."""
        return self._shared is not None and time.monotonic() >= self._sweeps_at

    async def sweep(self) -> None:
        """Remove the files that have expired, also those of fleets that have ended."""
        self._sweeps_at = time.monotonic() + SWEEP_S
        if self._shared is not None and self._own is not None:
            now = time.monotonic()
            ages = {_path(self._own, task_id): now - put_at for task_id, put_at in self._put_at.items()}
            await asyncio.to_thread(_sweep, self._shared, ages)

    async def _age(self, task_id: str) -> float:
        """Seconds since the checkpoint of a task was written. Raises `KeyError` or `FileNotFoundError`
        when there is none."""
        if self._own is None or task_id in self._put_at:
            return time.monotonic() - self._put_at[task_id]
        return await asyncio.to_thread(_age, _path(self._own, task_id))

    def _write(self, folder: Path, task_id: str, data: bytes, newest: object) -> None:
        """Write a file atomically, readable only by its owner."""
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        with begun(folder, data) as new, self._lock:
            if self._newest.get(task_id) is newest:
                del self._newest[task_id]
                new.replace(_path(folder, task_id))
                self._put_at[task_id] = time.monotonic()

    def _remove_own(self, folder: Path) -> None:
        failure: OSError | None = None
        with self._lock:
            self._newest.clear()
            for path in (*folder.glob(f"*{KEPT}"), *folder.glob(f"*{BEGUN}")):
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    failure = error
        if failure is not None:
            raise failure
        with contextlib.suppress(OSError):  # somebody may have put something else there
            folder.rmdir()


def _path(folder: Path, task_id: str) -> Path:
    return folder / f"{plain_name(task_id)}{KEPT}"


def _age(path: Path) -> float:
    """Seconds since a file was written, by the clock that the file system dates its files with."""
    os.utime(path.parent)
    return path.parent.stat().st_mtime - path.stat().st_mtime


def _sweep(shared: Path, ages: Mapping[Path, float]) -> None:
    for path in (*shared.glob(f"*/*{KEPT}"), *shared.glob(f"*/*{BEGUN}")):
        with contextlib.suppress(OSError):  # it is gone, or of another user
            if ages.get(path, _age(path)) >= _lasts(path):
                path.unlink()


def _lasts(path: Path) -> float:
    """Seconds that a file may stay. One that was not written to its end stays for an hour."""
    if path.suffix == BEGUN:
        return BEGUN_S
    with path.open("rb") as file:
        lasts_s = lasts_of(file.readline(LABEL_BYTES).rstrip(b"\n"))
    return math.inf if lasts_s is None else lasts_s
