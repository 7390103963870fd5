"""`python -m benchmarks.fleet.scale`: what a directory takes for 10 to 10,000 hosts, without Ray and without browsers.

Directory, queue, ledger and leases are real. Hosts and the control store are values in this process, so the time is the
directory's own: a message over Ray comes on top of each call, place and report.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping

from benchmarks.table import render
from supervisor.addons.fleet.placement.clients import HostClient, HostExit, HostLauncher
from supervisor.addons.fleet.placement.control_store import ControlStore
from supervisor.addons.fleet.placement.directory import Directory
from supervisor.addons.fleet.settings import Hosts, Limits, Plan
from supervisor.addons.fleet.values import HostFacts, HostReport, Placement, TaskLoad

SIZES = (10, 100, 1_000, 10_000)
TASKS_EACH = 20
AT_ONCE = 100
TIMED = 100
"""So many tasks are placed last, when the fleet is nearly full, and timed."""
TICKS = 5


class Values(ControlStore):
    """A control store that answers at once."""

    def __init__(self) -> None:
        self._values: dict[str, bytes] = {}

    async def put(self, key: str, value: bytes) -> None:
        """See `ControlStore`."""
        self._values[key] = value

    async def claim(self, key: str, value: bytes) -> bytes | None:
        """See `ControlStore`."""
        return self._values.setdefault(key, value)

    async def get(self, keys: Collection[str]) -> dict[str, bytes]:
        """See `ControlStore`."""
        return {key: self._values[key] for key in keys if key in self._values}

    async def find(self, prefix: str) -> dict[str, bytes]:
        """See `ControlStore`."""
        return {key: value for key, value in self._values.items() if key.startswith(prefix)}

    async def remove(self, key: str) -> None:
        """See `ControlStore`."""
        self._values.pop(key, None)

    async def clear(self) -> None:
        """See `ControlStore`."""
        self._values.clear()


class ValueHost(HostClient):
    """A host that accepts each task."""

    def __init__(self, host_id: str) -> None:
        self._host_id = host_id
        self._tasks: dict[str, int] = {}

    async def begin(self) -> HostReport:
        """See `HostClient`."""
        return await self.report()

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        """See `HostClient`."""
        self._tasks[placement.task_id] = placement.number

    async def end_task(self, placement: Placement, reason: str) -> None:
        """See `HostClient`."""
        self._tasks.pop(placement.task_id, None)

    async def report(self) -> HostReport:
        """See `HostClient`."""
        loads = (
            TaskLoad(task_id=task_id, number=number, calls=0, open_dialogs=0, idle_s=0.0)
            for task_id, number in self._tasks.items()
        )
        return HostReport(
            host_id=self._host_id,
            facts=HostFacts(node_id="", address="127.0.0.1", pid=1, package="", browser=None),
            tasks=tuple(loads),
            calls=0,
            restarts=0,
            browser_deaths=0,
            clock=0.0,
            is_sick=False,
        )

    async def wait_ended(self) -> HostExit:
        """See `HostClient`."""
        await asyncio.Event().wait()
        return HostExit("")

    async def stop(self) -> None:
        """See `HostClient`."""


class ValueEngine(HostLauncher):
    """Starts hosts that are values."""

    def __init__(self) -> None:
        self._store = Values()
        self.links: dict[str, ValueHost] = {}

    @property
    def store(self) -> ControlStore:
        """See `HostLauncher`."""
        return self._store

    def start_host(self, host_id: str, avoided: Collection[str]) -> HostClient:
        """See `HostLauncher`."""
        self.links[host_id] = ValueHost(host_id)
        return self.links[host_id]

    async def hosts(self) -> Mapping[str, HostClient]:
        """See `HostLauncher`."""
        return dict(self.links)

    def why_no_room(self) -> str:
        """See `HostLauncher`."""
        return ""

    def put(self, data: bytes) -> bytes:
        """See `Memory`."""
        return data

    async def get(self, kept: bytes) -> bytes:
        """See `Memory`."""
        return kept


class TimedDirectory(Directory):
    """A directory whose parts are measured."""

    async def tick(self) -> None:
        """What it does every half second."""
        await self._tick()


async def row(hosts: int) -> tuple[str, ...]:
    """Return the line of the table for a fleet of so many hosts, all full."""
    count = hosts * TASKS_EACH
    plan = Plan(
        name="scale",
        hosts=Hosts(least=hosts, most=hosts, tasks=TASKS_EACH),
        limits=Limits(queue_s=600, ttl_s=3600, fence_s=600, tasks_per_driver=count),
    )
    engine = ValueEngine()
    directory = TimedDirectory(plan, engine)
    running = asyncio.create_task(directory.run())
    await directory.recovered.wait()
    timed = min(TIMED, count // 2)
    await _place(directory, range(count - timed))
    placing = await _seconds(lambda: _place(directory, range(count - timed, count)))
    known = await _seconds(lambda: _place(directory, range(timed)))
    tick = await _seconds(lambda: _ticks(directory))
    reports = [await link.report() for link in engine.links.values()]
    began = time.process_time()
    for report in reports:
        directory.receive_report(report)
    reporting = time.process_time() - began
    began = time.process_time()
    assert len(directory.tasks()) == count
    listing = time.process_time() - began
    running.cancel()
    following = TimedDirectory(plan, engine)
    began = time.process_time()
    running = asyncio.create_task(following.run())
    await following.recovered.wait()
    recovering = time.process_time() - began
    assert following.status().tasks == count
    running.cancel()
    return (
        f"{hosts:,}",
        f"{count:,}",
        f"{placing / timed * 1e3:.2f} ms",
        f"{known / timed * 1e3:.3f} ms",
        f"{tick / TICKS * 1e3:.2f} ms",
        f"{reporting / hosts * 1e3:.3f} ms",
        f"{listing:.3f} s",
        f"{recovering:.2f} s",
    )


async def _place(directory: Directory, numbers: range) -> None:
    for start in range(numbers.start, numbers.stop, AT_ONCE):
        some = range(start, min(start + AT_ONCE, numbers.stop))
        await asyncio.gather(*(directory.place(f"task-{number}", "driver", 600.0) for number in some))


async def _ticks(directory: TimedDirectory) -> None:
    for _ in range(TICKS):
        await directory.tick()


async def _seconds(work: Callable[[], Awaitable[None]]) -> float:
    """Seconds of the processor."""
    began = time.process_time()
    await work()
    return time.process_time() - began


def report() -> str:
    """Return the table."""
    head = ["hosts", "tasks", "a place", "a known place", "a tick", "a report", "listing tasks", "recovery"]
    return render(f"A directory with {TASKS_EACH} tasks on each host", head, [asyncio.run(row(size)) for size in SIZES])


if __name__ == "__main__":
    print(report())
