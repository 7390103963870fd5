"""The directory of a fleet: it decides which host runs a task. It does not depend on Ray."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from cdp_typed.errors import CDPError
from supervisor.fleet.checkpoints.checkpoint_store import CheckpointStore
from supervisor.fleet.errors import FleetFull, FleetStopped, HostLost, NoSuchTask, NotHere
from supervisor.fleet.instruments import NO_INSTRUMENTS, Instruments
from supervisor.fleet.settings import Plan
from supervisor.fleet.values import FleetStatus, HostReport, Placement, TaskStatus

from .links import FENCE_S, Engine, HostLink
from .placements import HostEntry, LostTask, Placements, Queue, WaitingTask
from .statuses import host_status, task_statuses

_log = logging.getLogger("supervisor.fleet")

TICK_S = 0.5
HOST_REPLY_S = 15.0
"""Seconds that a host has to accept a task."""
PROBE_S = 5.0
RECOVERY_S = FENCE_S + 5.0
"""Seconds that a restarted directory waits for an earlier host. After them the host has ended its tasks."""
DRIVER_S = 30.0
"""Seconds without a report after which a driver counts as gone."""


class Directory:
    """Places every task on at most one host, and again when that host is lost. Used on one event loop."""

    def __init__(
        self, plan: Plan, engine: Engine, *, keeps: bool = True, instruments: Instruments = NO_INSTRUMENTS
    ) -> None:
        self.plan: Plan = plan
        self.checkpoints: CheckpointStore = CheckpointStore(plan.limits.checkpoints, plan.name, engine)
        self._engine = engine
        self._instruments = instruments
        self._keeps = keeps
        """Keep running without drivers."""
        self._placements = Placements(plan.hosts)
        self._queue = Queue()
        self._waiting: dict[str, WaitingTask] = {}
        self._links: dict[str, HostLink] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._drivers: dict[str, float] = {}
        self._moving: set[Placement] = set()
        self._drained_nodes: set[str] = set()
        self._restarts = 0
        self._hosts_made = 0
        self.recovered: asyncio.Event = asyncio.Event()
        """The hosts of the directory before are known."""
        self.stopped: asyncio.Event = asyncio.Event()
        self.abandoned: asyncio.Event = asyncio.Event()
        """It has stopped because no driver is left."""

    async def run(self) -> None:
        """Take over the hosts of an earlier directory, and watch all hosts until it is stopped."""
        found = await self._engine.hosts()
        self._hosts_made = len(found)
        await asyncio.gather(*(self._recover(host_id, link) for host_id, link in found.items()))
        self._drivers[""] = time.time()  # nobody had the time to come
        self.recovered.set()
        while not self.stopped.is_set():
            await self._tick()
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    await self.stopped.wait()

    async def place(self, task_id: str, driver: str, wait_s: float, doubted: int | None = None) -> Placement:
        """Return the placement of a task, which is placed now if it was not.

        `doubted` is the number of a placement whose host failed in a call; the directory checks that host.
        Raises `FleetFull` after `wait_s`, and `FleetStopped`.
        """
        self.greet(driver)
        waiting: WaitingTask | None = None
        try:
            async with asyncio.timeout(wait_s):
                await self.recovered.wait()
                if doubted is not None:
                    await self._check(task_id, doubted)
                present = self._placements.find(task_id) if task_id not in self._waiting else None
                if present is not None:
                    return present
                waiting = self._joined(task_id, driver)
                return await self._placed(waiting)
        except TimeoutError:
            position = waiting.position if waiting is not None else 1
            raise FleetFull(position, self._placements.capacity, self._engine.why_no_room()) from None

    def forget(self, placement: Placement, reason: str) -> None:
        """Record that a host ended a task for this reason."""
        self._placements.lose(placement, reason, time.time())
        self._settle()

    async def keep(self, placement: Placement, checkpoint: bytes) -> None:
        """Keep a checkpoint of a task, unless its host is known to have lost the task."""
        if not self.recovered.is_set() or self._placements.find(placement.task_id) == placement:
            await self.checkpoints.put(placement.task_id, checkpoint)

    async def end_task(self, task_id: str) -> None:
        """End a task, wherever it is.

        Raises `NoSuchTask`, and `HostLost` when its host does not answer: it ends as soon as that does, or is gone.
        """
        placement = self._placements.find(task_id)
        was_lost = self._placements.lost.pop(task_id, None)
        self.checkpoints.drop(task_id)
        if placement is None:
            if was_lost is None:
                raise NoSuchTask(task_id)
            return
        ending = asyncio.create_task(self._withdraw(placement, ""))
        self._hold(ending)
        if not (await asyncio.wait({ending}, timeout=HOST_REPLY_S))[0]:
            raise HostLost("it does not answer; the task ends as soon as it does, or is gone")
        self._placements.lost.pop(task_id, None)
        self._settle()

    def greet(self, driver: str) -> None:
        """Record that a driver is alive. Raises `FleetStopped`."""
        if self.stopped.is_set():
            raise FleetStopped(self.plan.name)
        self._drivers[driver] = time.time()

    def leave(self, driver: str) -> None:
        """Record that a driver has left. Its tasks stay."""
        self._drivers.pop(driver, None)

    def receive_report(self, report: HostReport) -> bool:
        """Take a host's report. Returns False for an unknown host, which then ends."""
        if report.host_id not in self._placements.hosts:
            return not self.recovered.is_set()
        now = time.time()
        self._placements.note(report, now)
        if report.is_sick and self._placements.hosts[report.host_id].state == "serving":
            self._placements.drain(report.host_id, "its browser died three times within a minute", now, now)
        return True

    def drain(self, which: str, within_s: float | None = None) -> int:
        """Drain a host, or all hosts of a node, by id. Returns their number."""
        now = time.time()
        drained = [e.host_id for e in self._placements.hosts.values() if which in (e.host_id, _node_of(e))]
        if any(_node_of(self._placements.hosts[host_id]) == which for host_id in drained):
            self._drained_nodes.add(which)
        for host_id in drained:
            until = now + (self.plan.limits.drain_s if within_s is None else within_s)
            self._placements.drain(host_id, "its host is drained", until, now)
        return len(drained)

    async def roll(self, within_s: float | None = None) -> int:
        """Replace every host by a new one, one after the other. Returns their number."""
        old = [entry.host_id for entry in self._placements.hosts.values() if entry.state == "serving"]
        for host_id in old:
            self._start_host()
            self.drain(host_id, within_s)
            while host_id in self._placements.hosts or self._placements.capacity == 0:  # noqa: ASYNC110 - no event
                await asyncio.sleep(TICK_S / 5)
        return len(old)

    async def stop(self) -> str:
        """End all hosts. Waiting calls fail with `FleetStopped`. Returns why checkpoints that were to be removed stay;
        else an empty text."""
        self.stopped.set()
        for waiting in tuple(self._waiting.values()):
            _refuse(waiting, FleetStopped(self.plan.name))
        links, self._links = self._links, {}
        for task in self._tasks - {asyncio.current_task()}:  # nobody but the directory itself may have asked
            task.cancel()
        try:
            async with asyncio.timeout(30):
                await asyncio.gather(*(link.stop() for link in links.values()), return_exceptions=True)
        finally:
            stay = await self.checkpoints.clear() if self.plan.limits.remove_checkpoints else ""
        return stay

    async def _abandon(self) -> None:
        await self.stop()
        self.abandoned.set()

    def status(self) -> FleetStatus:
        """The present status of the fleet."""
        entries = self._placements.hosts.values()
        moved = sum(entry.report.restarts for entry in entries if entry.report is not None)
        return FleetStatus(
            name=self.plan.name,
            hosts=tuple(host_status(entry, self.plan.hosts.tasks, time.time()) for entry in entries),
            tasks=len(self._placements),
            waiting=len(self._waiting),
            lost=len(self._placements.lost),
            capacity=self._placements.capacity,
            restarts=self._restarts + moved,
        )

    def tasks(self) -> tuple[TaskStatus, ...]:
        """Every task that has a placement, waits for one, or has lost it."""
        return task_statuses(self._placements, self._waiting.values())

    def _joined(self, task_id: str, driver: str) -> WaitingTask:
        waiting = self._waiting.get(task_id)
        if waiting is None:
            waiting = self._waiting[task_id] = WaitingTask(task_id, driver)
            self._queue.join(task_id, driver)
            self._settle()
        return waiting

    async def _placed(self, waiting: WaitingTask) -> Placement:
        waiting.waiters += 1
        try:
            return await asyncio.shield(waiting.placed)
        finally:
            waiting.waiters -= 1
            position = 0 if waiting.placed.done() else self._queue.position(waiting.task_id)
            if position > 0:
                waiting.position = position
                if waiting.waiters == 0:
                    self._queue.leave(waiting.task_id)
                    self._waiting.pop(waiting.task_id, None)

    def _settle(self) -> None:
        """Place the waiting tasks, and start hosts for those that do not fit."""
        while (task_id := self._queue.first) is not None:
            waiting = self._waiting[task_id]
            placement = self._placements.reserve(task_id, waiting.driver)
            if placement is None:
                break
            self._queue.take()
            self._spawn(self._hand_to_host(waiting, placement))
        for _ in range(self._placements.missing(len(self._queue))):
            self._start_host()

    async def _hand_to_host(self, waiting: WaitingTask, placement: Placement) -> None:
        lost = self._placements.lost.get(waiting.task_id)
        checkpoint, unread = await self.checkpoints.find(waiting.task_id) if lost is not None else (None, "")
        link = self._links.get(placement.host_id)
        try:
            if link is None:
                raise HostLost("it ended before it had the task")
            async with asyncio.timeout(HOST_REPLY_S):
                await link.accept(placement, lost.reason + unread if lost is not None else "", checkpoint)
        except (HostLost, NotHere, TimeoutError) as error:
            _log.warning("the host %s did not take a task: %s", placement.host_id, error)
            await self._withdraw(placement, "it was placed elsewhere")
            if lost is None:
                self._placements.lost.pop(waiting.task_id, None)
            self._queue.rejoin(waiting.task_id, waiting.driver)
            self._settle()
            return
        if lost is not None:
            self._restarts += 1
            self._instruments.note_restart(lost.reason)
            self._placements.lost.pop(waiting.task_id, None)
        self._waiting.pop(waiting.task_id, None)
        if not waiting.placed.done():
            waiting.placed.set_result(placement)

    async def _withdraw(self, placement: Placement, reason: str) -> None:
        """Withdraw a placement once it is certain that its host does not run the task and will not start it."""
        while (link := self._links.get(placement.host_id)) is not None:
            try:
                async with asyncio.timeout(HOST_REPLY_S):
                    await link.end_task(placement, reason)
                break
            except (HostLost, TimeoutError):
                await asyncio.sleep(TICK_S)
        self._placements.release(placement, time.time())

    def _start_host(self) -> None:
        self._hosts_made += 1
        host_id = f"host-{self._hosts_made}-{time.time_ns() % 0xFFFFFF:06x}"
        self._placements.add(host_id, time.time())
        link = self._links[host_id] = self._engine.start_host(host_id, self._drained_nodes)
        self._spawn(self._watch(host_id, link))
        self._spawn(self._begin(host_id, link))

    async def _begin(self, host_id: str, link: HostLink) -> None:
        """Wait until a host can take tasks."""
        report = await self._begun(host_id, link)
        if report is not None and host_id in self._placements.hosts:
            self._placements.serve(report, time.time())
            self._settle()

    async def _begun(self, host_id: str, link: HostLink) -> HostReport | None:
        """Start a host, and end it when it cannot start."""
        try:
            return await link.begin()
        except HostLost:  # its watch tells
            return None
        except CDPError as error:
            _log.error("the host %s cannot take tasks: %s", host_id, error)
            await link.stop()
            return None

    async def _watch(self, host_id: str, link: HostLink) -> None:
        reason = await link.wait_ended()
        self._links.pop(host_id, None)
        was_starting = host_id in self._placements.hosts and self._placements.hosts[host_id].state == "starting"
        lost = self._placements.drop(host_id, reason, time.time())
        _log.warning("the host %s ended (%s); tasks lost: %d", host_id, reason, len(lost))
        if was_starting:  # no more of them at once: it may be the same for the next
            await asyncio.sleep(TICK_S)
        self._settle()

    async def _recover(self, host_id: str, link: HostLink) -> None:
        """Take over a host of an earlier directory. A host that stays silent has ended its tasks by then."""
        self._placements.add(host_id, time.time())
        self._links[host_id] = link
        self._spawn(self._watch(host_id, link))
        with suppress(TimeoutError):
            async with asyncio.timeout(RECOVERY_S):
                while host_id in self._placements.hosts:  # else its watch has told that it ended
                    with suppress(HostLost):  # that is not certain: it may be out of reach for a moment
                        report = await link.report()
                        if host_id in self._placements.hosts:
                            self._placements.serve(report, time.time())
                            self._spawn(self._begun(host_id, link))  # nobody may have told it to
                        return
                    await asyncio.sleep(TICK_S / 5)
                return
        now = time.time()
        self._placements.drain(host_id, "it was silent", now, now)  # so it is ended, and another takes its place

    async def _check(self, task_id: str, doubted: int) -> None:
        """Ask the host of a placement whether it runs the task. Without an answer, wait until the host is known to be
        gone."""
        while (placement := self._placements.find(task_id)) is not None and placement.number == doubted:
            link = self._links.get(placement.host_id)
            try:
                if link is None or placement in self._moving:
                    raise HostLost("it is ending")
                async with asyncio.timeout(PROBE_S):
                    report = await link.report()
            except (HostLost, TimeoutError):
                await asyncio.sleep(TICK_S / 5)
                continue
            if all(load.task_id != task_id for load in report.tasks):
                self.forget(placement, "its host had ended it")
            return
        if placement is None and task_id not in self._waiting:  # also when this directory is new, and never knew it
            self._placements.lost.setdefault(task_id, LostTask("its host ended", time.time(), None))

    async def _tick(self) -> None:
        now = time.time()
        self._instruments.show_fleet(self.status())
        for host_id in self._placements.idle(now):
            self._spawn(self._end_host(host_id))
        for entry in tuple(self._placements.hosts.values()):
            if entry.state == "draining" and now >= entry.drained_by:
                for placement in tuple(entry.tasks.values()):
                    if placement not in self._moving:
                        self._spawn(self._move(placement, entry.reason))
        for task_id in self._placements.forget_lost(now - self.plan.limits.ttl_s):
            self.checkpoints.drop(task_id)
        if self.checkpoints.must_sweep(now):
            self._spawn(self.checkpoints.sweep(now))
        self._drivers = {driver: seen for driver, seen in self._drivers.items() if now - seen < DRIVER_S}
        if not (self._keeps or self._drivers or len(self._placements)):
            self._spawn(self._abandon())
        self._settle()

    async def _move(self, placement: Placement, reason: str) -> None:
        """Remove a task's placement. Its next call gets another one."""
        self._moving.add(placement)
        try:
            link = self._links[placement.host_id]
            async with asyncio.timeout(HOST_REPLY_S):
                await link.end_task(placement, reason)
            self._placements.lose(placement, reason, time.time())
        except (KeyError, HostLost, TimeoutError):
            pass  # its watch tells, or the next tick tries again
        finally:
            self._moving.discard(placement)

    async def _end_host(self, host_id: str) -> None:
        link = self._links.get(host_id)
        entry = self._placements.hosts.get(host_id)
        if link is not None and entry is not None and not entry.tasks:
            self._placements.drain(host_id, "it had nothing to do", time.time(), time.time())
            with suppress(HostLost):
                await link.stop()

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        self._hold(asyncio.create_task(work))

    def _hold(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _node_of(entry: HostEntry) -> str | None:
    return entry.report.facts.node_id if entry.report is not None else None


def _refuse(waiting: WaitingTask, error: Exception) -> None:
    if not waiting.placed.done():
        waiting.placed.set_exception(error)
        waiting.placed.exception()  # nobody may be left to ask for it
