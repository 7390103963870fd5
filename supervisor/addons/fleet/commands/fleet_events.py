"""`fleet events`: which tasks were lost, moved, or have a new dialog, a line of JSON for each event."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from cdp_typed.cli.output import json_line, plain, write
from cdp_typed.ending_signals import run_in_order

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet, TaskStatus

LOOK_S = 3.0
"""Seconds between two looks at the tasks of the fleet."""


class TaskEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened to a task."""

    event: Literal["lost", "moved", "dialog"]
    task_id: str
    host_id: str | None = None
    """Where it is now."""
    reason: str = ""
    """Why it lost its pages."""
    open_dialogs: int = 0


def follow(fleet: Fleet, options: argparse.Namespace) -> None:
    """Write events until Ctrl-C, first those that the present state of the tasks tells."""
    run_in_order(_follow(fleet))


async def _follow(fleet: Fleet) -> None:
    known: dict[str, TaskStatus] = {}
    while True:
        tasks = await fleet.aio.tasks()
        for task in tasks:
            if task.state == "lost" or task.load is not None:
                for event in _events(known.get(task.task_id), task):
                    write(json_line(plain(event)))
                known[task.task_id] = task
        for ended in known.keys() - {task.task_id for task in tasks}:
            del known[ended]
        await asyncio.sleep(LOOK_S)


def _events(before: TaskStatus | None, now: TaskStatus) -> Iterator[TaskEvent]:
    """What happened to a task between two looks, of which the first was the first of all without `before`."""
    was, load = before.load if before is not None else None, now.load
    if load is None:
        if before is None or before.state != "lost":
            yield TaskEvent(event="lost", task_id=now.task_id, reason=now.reason)
        return
    stayed = was if was is not None and was.number == load.number else None
    if before is not None and stayed is None:
        yield TaskEvent(event="moved", task_id=now.task_id, host_id=now.host_id, reason=load.restarted)
    elif load.restarted and not (stayed is not None and stayed.restarted):
        yield TaskEvent(event="lost", task_id=now.task_id, host_id=now.host_id, reason=load.restarted)
    if load.open_dialogs > (stayed.open_dialogs if stayed is not None else 0):
        yield TaskEvent(event="dialog", task_id=now.task_id, host_id=now.host_id, open_dialogs=load.open_dialogs)
