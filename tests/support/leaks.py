"""What a test may leave behind: nothing."""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Traces", "assert_no_leaks", "launch_directories", "living_children"]

_SETTLE_S = 3.0


@dataclass(frozen=True)
class Traces:
    """The tasks, threads, child processes, sockets and browser directories of this process at one moment."""

    tasks: frozenset[str]
    threads: frozenset[str]
    children: frozenset[str]
    directories: frozenset[Path]
    sockets: int

    @classmethod
    def now(cls) -> Traces:
        """Call it inside the event loop whose tasks are meant."""
        gc.collect()
        return cls(
            tasks=frozenset(task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()),
            threads=frozenset(f"{t.name} ({t.ident})" for t in threading.enumerate()),
            children=living_children(os.getpid()),
            directories=launch_directories(),
            sockets=_open_sockets(),
        )

    def leaked_since(self, before: Traces) -> dict[str, object]:
        """What is here now and was not before, by kind; empty when nothing was left."""
        found: dict[str, object] = {
            "tasks": sorted(self.tasks - before.tasks),
            "threads": sorted(self.threads - before.threads),
            "children": sorted(self.children - before.children),
            "directories": sorted(self.directories - before.directories),
            "sockets": max(0, self.sockets - before.sockets),
        }
        return {kind: what for kind, what in found.items() if what}


async def assert_no_leaks(before: Traces) -> None:
    """Fail unless everything that came since `before` goes within three seconds; what ends, ends in its own time."""
    give_up = time.monotonic() + _SETTLE_S
    while (leaked := Traces.now().leaked_since(before)) and time.monotonic() < give_up:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)
    assert leaked == {}


def launch_directories() -> frozenset[Path]:
    """The directories of browsers that this process launched and that exist now."""
    return frozenset(Path(tempfile.gettempdir()).glob(f"cdp-typed-{os.getpid()}-*"))


def living_children(parent: int) -> frozenset[str]:
    """`PID name` of every child that runs; the dead that are not yet reaped do not count.

    Children only: the shared browser starts and ends helpers of its own whenever it likes.
    """
    processes = [found for stat in Path("/proc").glob("[0-9]*/stat") if (found := _process(stat))]
    return frozenset(f"{pid} {name}" for pid, its_parent, name in processes if its_parent == parent)


def _process(stat: Path) -> tuple[int, int, str] | None:
    try:
        text = stat.read_text(errors="replace")
    except OSError:
        return None
    head, _, rest = text.rpartition(") ")
    pid, _, name = head.partition(" (")
    state, its_parent, *_ = rest.split()
    return None if state in "ZX" else (int(pid), int(its_parent), name)


def _open_sockets() -> int:
    count = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            count += os.readlink(descriptor).startswith("socket:")  # noqa: PTH115 - readlink of a Path raises on "socket:[...]"
        except OSError:
            continue
    return count
