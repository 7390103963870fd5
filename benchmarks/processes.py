"""Memory and processor time of processes, as Linux counts them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def family(pids: set[int]) -> set[int]:
    """The processes, and those that they have started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(_stat(int(entry.name))[1])
            except OSError:  # it has ended
                continue
    found = set(pids)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _stat(pid: int) -> list[str]:
    """The kernel's fields about a process, from its state on."""
    return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(") ")[2].split()


def memory_of(pid: int) -> int:
    """The bytes of a process; those that it shares with others count in parts."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def processor_s(pids: Iterable[int]) -> float:
    """The processor time that the processes have used so far."""
    ticks = sum(int(stat[11]) + int(stat[12]) for stat in map(_stat, pids))
    return ticks / os.sysconf("SC_CLK_TCK")
