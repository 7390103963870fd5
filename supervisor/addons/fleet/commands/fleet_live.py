"""`fleet live`: the live view of a task, or of all in one grid, on this machine, wherever the tasks run."""

from __future__ import annotations

import argparse
import asyncio
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cdp_agent import LOST
from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, write
from cdp_typed.ending_signals import run_in_order
from cdp_typed.errors import CDPError
from supervisor.cli.exit_codes import Failed
from supervisor.cli.live_views import TOKEN, listed, serving_grid

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet


LOOK_S = 1.0
"""Seconds between two looks at which tasks the fleet has."""


def serve(fleet: Fleet, options: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C. The page of one task fails when the task ends, or gets another place."""
    if options.task is None:
        run_in_order(_serve_all(fleet, options))
        return
    given = os.environ.get(TOKEN)
    try:
        with fleet.live(options.task, token=given, port=options.port) as tunnel:
            reported = f"{tunnel.address}/#token=... ({TOKEN})" if given else tunnel.url
            write(json_text({"url": reported}) if options.json else f"live view: {reported}")
            with listed(_name(options.task), tunnel.address, tunnel.token):
                reason = tunnel.wait()
    except OSError as error:
        raise UsageError(f"127.0.0.1:{options.port}: {error.strerror or error}") from None
    raise Failed(f"the live view has ended: {reason}", LOST)


async def _serve_all(fleet: Fleet, options: argparse.Namespace) -> None:
    """Serve the grid, with a view of each task for as long as the task is at its place."""
    views: dict[str, asyncio.Task[None]] = {}
    async with serving_grid(options.port) as reported:
        write(json_text({"url": reported}) if options.json else f"live views: {reported}")
        try:
            while True:
                views = {task_id: view for task_id, view in views.items() if not view.done()}
                placed = [task.task_id for task in await fleet.aio.tasks() if task.state == "placed"]
                for task_id in placed:
                    if task_id not in views:
                        views[task_id] = asyncio.create_task(_show(fleet, task_id))
                await asyncio.sleep(LOOK_S)
        finally:
            for view in views.values():
                view.cancel()
            await asyncio.gather(*views.values(), return_exceptions=True)


async def _show(fleet: Fleet, task_id: str) -> None:
    with suppress(CDPError, OSError):  # the next look finds the task again, if it still runs
        async with fleet.aio.live(task_id) as tunnel:
            with listed(_name(task_id), tunnel.address, tunnel.token):
                await tunnel.wait_ended()


def _name(task_id: str) -> str:
    return f"fleet task {task_id}"
