"""A program that cuts the network between two nodes, with a host and the directory beyond.

On both sides a program goes on to call the same task. No moment may be in which both are answered.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from queue import Empty
from typing import Any

from supervisor.addons.fleet import Limits

from .caller import Caller
from .split_cluster import Side, SplitCluster, can_split

CUT_S = 90.0
AFTER_S = 5.0
"""Seconds that both sides are still called when the near side has the task again."""
AT_ONCE_S = 0.5
MOVE_S = 90.0
FENCE_S = Limits().fence_s
TASKS = ("t1", "t2")


def main() -> int:
    """Play it; exit code 0 when the task was served on one side at most."""
    if not can_split():
        sys.stdout.write("partition: left out, as it needs root and ip of iproute2\n")
        return 0
    with SplitCluster() as cluster:
        faults = play(cluster)
    for fault in faults:
        sys.stdout.write(f"WRONG: {fault}\n")
    return 1 if faults else 0


def play(cluster: SplitCluster) -> list[str]:
    """Cut the network, call the far task on both sides, heal it; what was wrong."""
    far, near = (Caller(side.start, cluster.address, "split", FENCE_S) for side in (cluster.far, cluster.near))
    _move_directory_far(cluster)
    for task in TASKS:
        far.call(task, f"window.mark = {task!r}")
    machines = far.call("", "")
    task = next(task for task in TASKS if machines[task] == cluster.far.address)
    assert near.call(task, "window.mark")["value"] == task

    cluster.cut()
    cut_at = time.time()
    seen: dict[str, list[Mapping[str, Any]]] = {"far": [], "near": []}
    for caller in (far, near):
        caller.ask(task, "window.mark")
    ends_at = cut_at + CUT_S
    while time.time() < ends_at:
        for name, caller in (("far", far), ("near", near)):
            try:
                seen[name].append(caller.answer(0.1))
            except Empty:
                continue
            answer = seen[name][-1]
            if name == "near" and answer["success"] and answer["began"] > cut_at + AT_ONCE_S:
                ends_at = min(ends_at, answer["ended"] + AFTER_S)
            caller.ask(task, "window.mark")
    cluster.heal()
    return _faults(seen, cut_at)


def _faults(seen: Mapping[str, list[Mapping[str, Any]]], cut_at: float) -> list[str]:
    served = {name: [answer for answer in answers if answer["success"]] for name, answers in seen.items()}
    last_far = max((answer["ended"] for answer in served["far"]), default=cut_at)
    again = [answer for answer in served["near"] if answer["began"] > cut_at + AT_ONCE_S]
    first_near = min((answer["ended"] for answer in again), default=None)
    refused = {
        name: sorted({str(answer["error"]) for answer in answers if not answer["success"]})
        for name, answers in seen.items()
    }
    sys.stdout.write(
        f"far side: {len(served['far'])} calls answered, the last {last_far - cut_at:.1f} s after the cut\n"
        f"refused: {refused}\n"
        f"near side: answered again {'never' if first_near is None else f'{first_near - cut_at:.1f} s'} after the cut, "
        f"restarted: {[answer['restarted'] for answer in again if 'restarted' in answer]}\n"
    )
    faults: list[str] = []
    if first_near is None:
        faults.append("the near side never got the task")
    elif last_far > first_near:
        faults.append(f"both sides were answered for {last_far - first_near:.1f} s")
    if last_far - cut_at > FENCE_S + AT_ONCE_S:
        faults.append(f"the far side was answered for {last_far - cut_at:.1f} s")
    return faults


def _move_directory_far(cluster: SplitCluster) -> None:
    """Kill the directory until Ray starts it on the far side."""
    deadline = time.monotonic() + MOVE_S
    while not _directories(cluster.far):
        if time.monotonic() > deadline:
            raise TimeoutError("the directory did not move to the far side")
        for pid in _directories(cluster.near):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.5)


def _directories(side: Side) -> list[int]:
    return side.processes("ray::DirectoryActor")


if __name__ == "__main__":
    raise SystemExit(main())
