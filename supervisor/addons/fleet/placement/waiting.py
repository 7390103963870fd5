"""The tasks that wait for a place, and the calls that wait for them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from supervisor.addons.fleet.values import Placement

DRIVER_S = 30.0
"""Seconds without a report after which a driver counts as gone."""

PACED, PACE_S = 100, 300.0
"""So many of the latest places, of so many seconds, say how fast the queue moves."""
GONE_S = 600.0
"""Seconds for which one that is gone is remembered."""
STILL_S = 5.0
"""Seconds between two looks at the drivers after which the directory must have stood still."""


class Drivers:
    """The drivers that are alive."""

    def __init__(self) -> None:
        self._seen_at: dict[str, float] = {}
        self._gone: dict[str, float] = {}
        """Those that left or were silent, and since when."""
        self._looked_at: float | None = None

    def __bool__(self) -> bool:
        return bool(self._seen_at)

    def note(self, driver: str, now: float) -> None:
        """Record that a driver is alive."""
        self._seen_at[driver] = now
        self._gone.pop(driver, None)

    def gone(self, drivers: Iterable[str], now: float) -> tuple[str, ...]:
        """Return which of these are gone. One that is not known yet has as much time to report as all others."""
        for driver in drivers:
            if driver not in self._gone:
                self._seen_at.setdefault(driver, now)
        return tuple(driver for driver in drivers if driver in self._gone)

    def remove(self, driver: str, now: float) -> None:
        """Record that a driver has left."""
        self._gone[driver] = now
        self._seen_at.pop(driver, None)

    def remove_silent(self, now: float) -> None:
        """Remove the drivers that were not heard of. While this process stood still, it heard of nobody."""
        stood_s = 0.0 if self._looked_at is None else max(now - self._looked_at - STILL_S, 0.0)
        self._looked_at = now
        for driver in self._seen_at:
            self._seen_at[driver] += stood_s
        for driver in [driver for driver, seen_at in self._seen_at.items() if now - seen_at >= DRIVER_S]:
            self.remove(driver, now)
        self._gone = {driver: at for driver, at in self._gone.items() if now - at < GONE_S}


class Queue:
    """The tasks that wait for a place. Drivers take turns, and each driver's own tasks wait in order."""

    def __init__(self) -> None:
        self.full: set[str] = set()
        """The drivers that have as many tasks as they may; their tasks are passed over."""
        self._lines: dict[str, OrderedDict[str, None]] = {}
        """The tasks of each driver, the driver whose turn is next first."""
        self._drivers: dict[str, str] = {}
        """By task id, its driver."""

    def __len__(self) -> int:
        return len(self._drivers)

    def __iter__(self) -> Iterator[str]:
        """The tasks in the order in which they get places, if no driver is full."""
        for turn in zip_longest(*(iter(tuple(line)) for line in self._lines.values())):
            yield from (task_id for task_id in turn if task_id is not None)

    @property
    def first(self) -> str | None:
        """The task whose turn is next."""
        lines = (line for driver, line in self._lines.items() if driver not in self.full)
        return next((task_id for line in lines for task_id in line), None)

    def join(self, task_id: str, driver: str) -> None:
        """Put a task at the end of its driver's line."""
        self._lines.setdefault(driver, OrderedDict())[task_id] = None
        self._drivers[task_id] = driver

    def rejoin(self, task_id: str, driver: str) -> None:
        """Put a task at the head of its line, because the place that it got could not be used."""
        self.join(task_id, driver)
        self._lines[driver].move_to_end(task_id, last=False)

    def leave(self, task_id: str) -> None:
        """Take a task out that waits no longer."""
        driver = self._drivers.pop(task_id, None)
        if driver is None:
            return
        del self._lines[driver][task_id]
        if not self._lines[driver]:
            del self._lines[driver]

    def take(self) -> str | None:
        """Take the next task out; its driver's turn comes again after the others'."""
        task_id = self.first
        if task_id is not None:
            driver = self._drivers[task_id]
            self.leave(task_id)
            if driver in self._lines:
                self._lines[driver] = self._lines.pop(driver)
        return task_id

    def position(self, task_id: str) -> int:
        """The place of a task in the queue, from 1; 0 when it is not there."""
        driver = self._drivers.get(task_id)
        if driver is None:
            return 0
        before = next(number for number, waiting in enumerate(self._lines[driver]) if waiting == task_id)
        turn = list(self._lines).index(driver)
        others = (min(len(line), before + (at < turn)) for at, line in enumerate(self._lines.values()) if at != turn)
        return before + 1 + sum(others)

    def placeable(self, held: Mapping[str, int], most: int | None) -> int:
        """The number of tasks that may get places, if each driver may have so many and has some already."""
        if most is None:
            return len(self)
        return sum(min(len(line), max(most - held.get(driver, 0), 0)) for driver, line in self._lines.items())


class Pace:
    """How fast tasks got places lately."""

    def __init__(self) -> None:
        self._placed_at: deque[float] = deque(maxlen=PACED)

    def note(self, now: float) -> None:
        """Record that a task got a place."""
        self._placed_at.append(now)

    def seconds(self, position: int, now: float) -> float | None:
        """Return in how many seconds the task at this position would get a place; None without a place lately."""
        lately = [at for at in self._placed_at if now - at < PACE_S]
        return position * (now - lately[0]) / len(lately) if lately else None


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
        self.pace: Pace = Pace()
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

    def settle(self, waiting: WaitingTask, placement: Placement, now: float) -> None:
        """Give the waiting calls the place of their task."""
        self.pace.note(now)
        self._waiting.pop(waiting.task_id, None)
        if not waiting.placed.done():
            waiting.placed.set_result(placement)

    def refuse_all(self, error: Exception) -> None:
        """Have all waiting calls raise an error."""
        for waiting in self:
            if not waiting.placed.done():
                waiting.placed.set_exception(error)
                waiting.placed.exception()  # nobody may be left to ask for it
