"""Names, reads and removes the recordings on a host's machine."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from supervisor.addons.fleet.errors import NoSuchRecording
from supervisor.addons.fleet.file_names import plain_name, recording_order
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement, RecordingInfo

_log = logging.getLogger("supervisor.fleet")

MB = 2**20
CHUNK = MB
"""Most bytes of one read."""


class RecordingFiles:
    """One directory per task, in one for the fleet; hosts on a machine share them.

    Files that are younger than `rests_s` may be those of a task that runs on another host, and are not removed.
    """

    def __init__(self, folder: str, fleet: str, most_mb: int, rests_s: float) -> None:
        self._root = Path(folder)
        self._folder = self._root / plain_name(fleet)
        self._most = most_mb * MB
        self._rests_s = rests_s
        self._seen: dict[Path, tuple[tuple[float, int], float]] = {}
        """By file: the time and size of its last change, and when that was by the monotonic clock."""

    @classmethod
    def of(cls, plan: Plan) -> Self | None:
        """The recordings of a fleet, or None if it keeps none."""
        hosts = plan.hosts
        if hosts.recordings is None:
            return None
        return cls(hosts.recordings, plan.name, hosts.recordings_mb, plan.limits.ttl_s)

    def path(self, placement: Placement) -> Path:
        """The recording of a task at this place; a supervisor that is started there again adds a number to the name."""
        folder = self._of(placement.task_id)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder / f"{placement.host_id}-{placement.number}.jsonl"

    def list(self, task_id: str) -> tuple[RecordingInfo, ...]:
        """The recordings of a task on this machine, the oldest first; those of hosts that have ended, too."""
        found: list[RecordingInfo] = []
        for path in self._of(task_id).glob("*.jsonl"):
            with suppress(FileNotFoundError):  # it was removed meanwhile
                now = path.stat()
                found.append(RecordingInfo(task_id=task_id, name=path.name, size=now.st_size, changed_at=now.st_mtime))
        return tuple(sorted(found, key=lambda info: recording_order(info.name)))

    def read(self, task_id: str, name: str, offset: int) -> bytes:
        """A piece of a recording from this byte on; empty at its end. Raises `NoSuchRecording`."""
        if all(info.name != name for info in self.list(task_id)):
            raise NoSuchRecording(task_id, name)
        try:
            with (self._of(task_id) / name).open("rb") as file:
                file.seek(offset)
                return file.read(CHUNK)
        except OSError:
            raise NoSuchRecording(task_id, name) from None

    def trim(self, host_id: str, running: Collection[Placement]) -> None:
        """Remove the oldest recordings while there are more bytes than may be, but none of a task that runs."""
        files = sorted(self._all(), reverse=True)
        self._look(files)
        total = sum(size for _, size, _ in files)
        running_now = {f"{placement.host_id}-{placement.number}" for placement in running}
        while total > self._most and files:
            _, size, path = files.pop()
            own = path.name.startswith(f"{host_id}-")
            stem = path.stem.removeprefix(f"{host_id}-").partition("-")[0]
            is_used = (
                f"{host_id}-{stem}" in running_now if own else time.monotonic() - self._seen[path][1] < self._rests_s
            )
            if is_used:
                continue
            with suppress(OSError):
                path.unlink()
                total -= size
                _log.info("a recording was removed: there were more than %d MB", self._most // MB)
            with suppress(OSError):  # it has others
                path.parent.rmdir()

    def _look(self, files: Collection[tuple[float, int, Path]]) -> None:
        """Note which files have changed. The wall clock, which somebody may set, only dates those not seen before."""
        now, wall = time.monotonic(), time.time()
        before, self._seen = self._seen, {}
        for changed_at, size, path in files:
            known = before.get(path)
            if known is None or known[0] != (changed_at, size):
                age = max(wall - changed_at, 0.0) if known is None else 0.0
                known = (changed_at, size), now - age
            self._seen[path] = known

    def _of(self, task_id: str) -> Path:
        return self._folder / plain_name(task_id)

    def _all(self) -> Iterator[tuple[float, int, Path]]:
        """Time of the last change, size and path of each recording of any fleet."""
        for path in self._root.glob("*/*/host-*.jsonl"):
            with suppress(FileNotFoundError):
                now = path.stat()
                yield now.st_mtime, now.st_size, path
