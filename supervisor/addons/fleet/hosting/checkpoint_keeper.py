"""Has the directory keep the cookies and storage of a host's tasks."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

from cdp_typed.errors import CDPError
from supervisor.addons.fleet.errors import FleetError, HostLost
from supervisor.addons.fleet.placement.clients import DirectoryClient

from .host_task import HostTask

_log = logging.getLogger("supervisor.fleet")

CHECKPOINT_S = 10.0
"""Seconds that a checkpoint may take."""


class CheckpointKeeper:
    """Has checkpoints of tasks made and kept, and counts those that are not kept."""

    def __init__(
        self,
        directory: DirectoryClient,
        every_s: float | None,
        tasks: Mapping[str, HostTask],
        lose: Callable[[HostTask, str], None],
    ) -> None:
        self.failures: int = 0
        self.error: str = ""
        """Why the last checkpoint is not kept."""
        self._directory = directory
        self._every_s = every_s
        self._tasks = tasks
        self._lose = lose
        """Called with a task whose browser has ended, and with the reason."""

    def is_due(self, task: HostTask) -> bool:
        """Whether a task was called since its last checkpoint, and that is `checkpoint_s` ago."""
        every, now = self._every_s, time.monotonic()
        return every is not None and now - task.checked_at >= every and task.called_at > task.saved_from

    async def keep(self, task: HostTask) -> None:
        """Have a checkpoint of a task made and kept, if the fleet keeps any. If that fails, it is due again after
        `checkpoint_s`."""
        if self._every_s is None:
            return
        try:
            made = await task.checkpoint(CHECKPOINT_S)
            if made is None:
                return
            problem = await self._directory.keep(task.placement, made)
        except HostLost as lost:
            self._lose(task, lost.reason)
            return
        except (CDPError, TimeoutError) as error:
            problem = str(error) if isinstance(error, FleetError) else type(error).__name__
        if problem:
            if self._tasks.get(task.task_id) is task and not task.has_lost:  # else there is nothing more to keep
                self.failures, self.error = self.failures + 1, problem
                _log.warning("a checkpoint of a task is not kept: %s", problem)
        else:
            self.error = ""
            task.saved()
