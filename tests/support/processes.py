"""The processes of a launched browser that still run, read from `/proc` without the code under test."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

_SETTLE_S = 3.0


def processes_of(group: int, root: Path) -> dict[int, str]:
    """Pid and name of every running process in the group, or with the directory in its arguments or environment."""
    running: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            head, _, rest = (folder / "stat").read_text(errors="replace").rpartition(") ")
            state, _, its_group = rest.split()[:3]
            said = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        except OSError:
            continue
        if state not in "ZX" and (int(its_group) == group or str(root).encode() in said):
            running[int(folder.name)] = head.partition(" (")[2]
    return running


def kill_group(group: int) -> None:
    """Kill every process of the group, if there is one."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows has no process groups")
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def assert_gone(group: int, profile: Path) -> None:
    """Fail unless the browser's processes and its directory are gone, or go within three seconds."""
    root = profile.parent
    give_up = time.monotonic() + _SETTLE_S
    while (processes_of(group, root) or root.exists()) and time.monotonic() < give_up:
        time.sleep(0.02)
    assert (processes_of(group, root), root.exists()) == ({}, False)
