"""The leak check: tasks, threads, child processes, sockets and profiles that a test leaves behind."""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from cdp_typed.loop_thread import HANDLER_LOOP

_SETTLE_S = 3.0
_STEP_S = 0.02
_PROC = Path("/proc")


@dataclass(frozen=True)
class Traces:
    """The tasks, threads, child processes, sockets and browser directories of this process at one moment.

    Child processes and sockets are seen where there is a `/proc` (Linux); elsewhere there seem to be none.
    """

    tasks: frozenset[str]
    threads: frozenset[str]
    children: frozenset[str]
    directories: frozenset[Path]
    sockets: int

    @classmethod
    def now(cls) -> Traces:
        """Take a snapshot. Tasks are those of the running event loop; without a running loop there are none.

        The thread of tool handlers, which lives as long as its process, is started first: it is in every snapshot.
        """
        HANDLER_LOOP.keep()
        gc.collect()
        return cls(
            tasks=_other_tasks(),
            threads=frozenset(f"{t.name} ({t.ident})" for t in threading.enumerate()),
            children=living_children(os.getpid()),
            directories=launch_directories(),
            sockets=_open_sockets(),
        )

    def leaked_since(self, before: Traces) -> dict[str, object]:
        """Return by kind what is here now and was not before; empty when nothing was left behind."""
        leaked: dict[str, object] = {
            "tasks": sorted(self.tasks - before.tasks),
            "threads": sorted(self.threads - before.threads),
            "children": sorted(self.children - before.children),
            "directories": sorted(self.directories - before.directories),
            "sockets": max(0, self.sockets - before.sockets),
        }
        return {kind: names for kind, names in leaked.items() if names}


async def assert_no_leaks(before: Traces, *, settle_s: float = _SETTLE_S) -> None:
    """Raise `AssertionError` if anything new since `before` is still there after `settle_s` seconds."""
    give_up = time.monotonic() + settle_s
    while (leaked := Traces.now().leaked_since(before)) and time.monotonic() < give_up:  # noqa: ASYNC110 - no event
        await asyncio.sleep(_STEP_S)
    _fail_on(leaked)


def assert_no_leaks_blocking(before: Traces, *, settle_s: float = _SETTLE_S) -> None:
    """Do the same as `assert_no_leaks`, for tests without an event loop."""
    give_up = time.monotonic() + settle_s
    while (leaked := Traces.now().leaked_since(before)) and time.monotonic() < give_up:
        time.sleep(_STEP_S)
    _fail_on(leaked)


def launch_directories() -> frozenset[Path]:
    """Return the existing directories of browsers that this process launched."""
    return frozenset(Path(tempfile.gettempdir()).glob(f"cdp-typed-{os.getpid()}-*"))


def living_children(parent: int) -> frozenset[str]:
    """Return `PID name` of every running child process; zombies do not count.

    Grandchildren do not count either: a shared browser starts and ends helper processes at any time.
    """
    processes = [process for stat in _PROC.glob("[0-9]*/stat") if (process := _process(stat))]
    return frozenset(f"{pid} {name}" for pid, its_parent, name in processes if its_parent == parent)


def _fail_on(leaked: dict[str, object]) -> None:
    __tracebackhide__ = True
    if leaked:
        raise AssertionError("left behind: " + "; ".join(f"{kind}: {names}" for kind, names in leaked.items()))


def _other_tasks() -> frozenset[str]:
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return frozenset()
    return frozenset(task.get_name() for task in asyncio.all_tasks(loop) if task is not asyncio.current_task())


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
    return sum(_is_socket(descriptor) for descriptor in _PROC.glob("self/fd/*"))


def _is_socket(descriptor: Path) -> bool:
    try:
        return os.readlink(descriptor).startswith("socket:")  # noqa: PTH115 - readlink of a Path raises on "socket:[...]"
    except OSError:
        return False
