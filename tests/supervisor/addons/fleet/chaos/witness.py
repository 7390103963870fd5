"""Runs in the hosts: writes down which task has a running supervisor in this process, and until when.

An interval begins when a call is carried out, and ends when the supervisor was last seen running: where two of a task
overlap, it was in two places.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from supervisor import CDPSupervisor

EVERY_S = 0.02
_lock = threading.Lock()
_running: dict[str, CDPSupervisor] = {}
_thread: threading.Thread | None = None


class Stay(NamedTuple):
    """A supervisor of a task, from its first to its last sign of life."""

    task_id: str
    key: str
    began: float
    ended: float


def folder() -> Path:
    """Where the hosts of this cluster write."""
    return Path(os.environ["TMPDIR"]).parent


def seen(task_id: str, supervisor: CDPSupervisor) -> None:
    """A call of a task is carried out by this supervisor."""
    global _thread
    with _lock:
        key = f"{os.getpid()}-{id(supervisor)}"
        if _running.get(key) is not supervisor:
            _running[key] = supervisor
            _write(f"begin {key} {task_id}")
        if _thread is None:
            _thread = threading.Thread(target=_watch, daemon=True)
            _thread.start()


def _watch() -> None:
    while True:
        with _lock:
            for key, supervisor in tuple(_running.items()):
                if not supervisor.is_running:
                    del _running[key]
                    _write(f"end {key}")
            _write("beat")
        time.sleep(EVERY_S)


def _write(what: str) -> None:
    with (folder() / f"witness-{os.getpid()}").open("a") as log:
        log.write(f"{time.time():.4f} {what}\n")


def stays(where: Path) -> list[Stay]:
    """All that the hosts have written."""
    return [stay for log in where.glob("witness-*") for stay in _stays_of(log.read_text())]


def _stays_of(log: str) -> list[Stay]:
    stays: list[Stay] = []
    open_now: dict[str, tuple[str, float]] = {}
    beat = 0.0
    lines = log.splitlines() if log.endswith("\n") else log.splitlines()[:-1]
    for line in lines:
        at, what, *more = line.split()
        if what == "begin":
            open_now[more[0]] = (more[1], float(at))
        elif what == "end":
            task_id, began = open_now.pop(more[0])
            stays.append(Stay(task_id, more[0], began, max(beat, began)))
        else:
            beat = float(at)
    return stays + [Stay(task, key, began, max(beat, began)) for key, (task, began) in open_now.items()]


def in_two_places(stays: list[Stay]) -> list[tuple[Stay, Stay]]:
    """The stays of one task that overlap."""
    by_task: dict[str, list[Stay]] = defaultdict(list)
    for stay in sorted(stays, key=lambda stay: stay.began):
        by_task[stay.task_id].append(stay)
    return [
        (earlier, later)
        for known in by_task.values()
        for earlier, later in itertools.combinations(known, 2)
        if later.began < earlier.ended
    ]
