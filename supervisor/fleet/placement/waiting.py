"""The tasks that wait for a place, and the calls that wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from supervisor.fleet.values import Placement

from .placements import Queue


class WaitingTask:
    """A task that waits for a placement, and its waiting calls."""

    def __init__(self, task_id: str, driver: str) -> None:
        self.task_id = task_id
        self.driver = driver
        self.placed: asyncio.Future[Placement] = asyncio.get_running_loop().create_future()
        self.waiters = 0
        self.position = 1
        """Its place in the queue when the last of them gave up."""


class WaitingTasks:
    """The tasks that wait: in the queue, or while their host is asked to accept them."""

    def __init__(self) -> None:
        self.queue: Queue = Queue()
        self._waiting: dict[str, WaitingTask] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[WaitingTask]:
        return iter(tuple(self._waiting.values()))

    def __contains__(self, task_id: str) -> bool:
        return task_id in self._waiting

    def __getitem__(self, task_id: str) -> WaitingTask:
        return self._waiting[task_id]

    def join(self, task_id: str, driver: str) -> WaitingTask:
        """Put a task into the queue, unless it waits already."""
        waiting = self._waiting.get(task_id)
        if waiting is None:
            waiting = self._waiting[task_id] = WaitingTask(task_id, driver)
            self.queue.join(task_id, driver)
        return waiting

    async def placed(self, waiting: WaitingTask) -> Placement:
        """Wait until a task has a place. When the last call has given up, the task leaves the queue."""
        waiting.waiters += 1
        try:
            return await asyncio.shield(waiting.placed)
        finally:
            waiting.waiters -= 1
            position = 0 if waiting.placed.done() else self.queue.position(waiting.task_id)
            if position > 0:
                waiting.position = position
                if waiting.waiters == 0:
                    self.queue.leave(waiting.task_id)
                    self._waiting.pop(waiting.task_id, None)

    def settle(self, waiting: WaitingTask, placement: Placement) -> None:
        """Give the waiting calls the place of their task."""
        self._waiting.pop(waiting.task_id, None)
        if not waiting.placed.done():
            waiting.placed.set_result(placement)

    def refuse_all(self, error: Exception) -> None:
        """Have all waiting calls raise an error."""
        for waiting in self:
            if not waiting.placed.done():
                waiting.placed.set_exception(error)
                waiting.placed.exception()  # nobody may be left to ask for it
