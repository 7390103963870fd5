"""The directory of a fleet: it decides which host runs a task. It does not depend on Ray."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from supervisor.addons.fleet.checkpoints.checkpoint_store import CheckpointStore
from supervisor.addons.fleet.errors import CutOff, FleetFull, FleetStopped, HostLost, NoSuchTask, NotHere, NotPlaced
from supervisor.addons.fleet.instruments import NO_INSTRUMENTS, Instruments
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import FleetStatus, HostReport, Placement, TaskStatus
from supervisor.lasting import lasting

from .clients import HostLauncher
from .drains import Drains
from .endings import ENDED, ENDED_IT
from .handover import Handover
from .host_clients import HOST_REPLY_S, TICK_S, HostLinks
from .placements import LostTask, Placements
from .rolls import Roll
from .statuses import fleet_status, task_statuses, why_no_room
from .waiting import Drivers, WaitingTask, WaitingTasks

_log = logging.getLogger("supervisor.fleet")

PROBE_S = 5.0
RENEWAL_S = 3.0
"""Seconds that a directory without its lease tries to get it back before it refuses to decide."""


class Directory:
    """Places every task on at most one host, and again when that host is lost. Used on one event loop."""

    def __init__(
        self, plan: Plan, engine: HostLauncher, *, keeps: bool = True, instruments: Instruments = NO_INSTRUMENTS
    ) -> None:
        self.plan: Plan = plan
        self.checkpoints: CheckpointStore = CheckpointStore(plan, engine)
        self._engine = engine
        self._instruments = instruments
        self._keeps = keeps
        """Keep running without drivers."""
        self._placements = Placements(plan.hosts)
        self.handover: Handover = Handover(plan, engine.store, self._placements)
        self.drains: Drains = Drains(self._placements, self.handover, plan.limits.drain_s)
        self._hosts = HostLinks(
            engine, self._placements, self.handover, self.drains, instruments, self._spawn, self._settle
        )
        self._waiting = WaitingTasks()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._drivers = Drivers()
        self._moving: set[Placement] = set()
        self.recovered: asyncio.Event = asyncio.Event()
        """The hosts of the directory before are known."""
        self.stopped: asyncio.Event = asyncio.Event()
        self.abandoned: asyncio.Event = asyncio.Event()
        """It has stopped because no driver is left."""

    async def run(self) -> None:
        """Take over from an earlier directory, and watch all hosts until it is stopped."""
        await self.handover.begin()
        self._spawn(lasting(partial(self.handover.keep_lease, lambda: self._placements.hosts), TICK_S))
        await self._hosts.take_over()
        self._drivers.note("", time.monotonic())  # nobody had the time to come
        self.recovered.set()
        await lasting(self._watch_over, TICK_S)

    async def _watch_over(self) -> None:
        while not self.stopped.is_set():
            await self._tick()
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    await self.stopped.wait()

    async def place(self, task_id: str, driver: str, wait_s: float, doubted: int | None = None) -> Placement:
        """Return the placement of a task, which is placed now if it was not.

        `doubted` is the number of a placement whose host failed in a call; the directory checks that host.
        Raises `NotPlaced` (`FleetFull` if all places are taken) or `CutOff` after `wait_s`, and `FleetStopped`.
        """
        self.greet(driver)
        waiting: WaitingTask | None = None
        began = time.monotonic()
        try:
            async with asyncio.timeout(wait_s):
                await self.recovered.wait()
                if doubted is not None:
                    await self._check(task_id, doubted)
                await self.handover.lease.wait_held()
                present = self._placements.find(task_id) if task_id not in self._waiting else None
                if present is not None:
                    return present
                waiting = self._waiting.join(task_id, driver)
                self._settle()
                placement = await self._waiting.placed(waiting)
                self._instruments.note_wait(time.monotonic() - began, "placed")
                return placement
        except TimeoutError:
            self.handover.lease.check()
            refused = self._refusal(task_id, driver, waiting)
            self._instruments.note_wait(time.monotonic() - began, "full" if isinstance(refused, FleetFull) else "late")
            raise refused from None

    async def decide(self) -> None:
        """Wait until it knows what the one before knew, and may decide: after it stood still, its next renewal comes
        first. Raises `CutOff`."""
        await self.recovered.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(RENEWAL_S):
                await self.handover.lease.wait_held()
        self.handover.lease.check()

    def _refusal(self, task_id: str, driver: str, waiting: WaitingTask | None) -> NotPlaced:
        """Return what a task waited for until its time was over."""
        if not self.recovered.is_set():
            return NotPlaced("the directory is new, and has not heard of all hosts of the one before")
        placement = self._placements.find(task_id)
        if placement is not None:
            what = (
                "has been lost or does not answer" if waiting is None else "was asked to take it, and has not answered"
            )
            return NotPlaced(f"its host {placement.host_id} {what}")
        if waiting is None:
            return NotPlaced("the directory did not reach the control store of the cluster until now")
        why = why_no_room(self.plan, self._placements, driver, self._engine.why_no_room(), self._hosts.starts.error)
        retry_s = self._waiting.pace.seconds(waiting.position, time.monotonic())
        length = max(len(self._waiting.queue), waiting.position)
        return FleetFull(waiting.position, self._placements.capacity, why, length, retry_s)

    async def keep(self, placement: Placement, checkpoint: bytes) -> str:
        """Keep a checkpoint of a task, unless its host is known to have lost the task. Returns why it is not kept; else
        an empty text."""
        if not self.handover.lease.holds:
            return "the directory does not reach the cluster's control store"
        if self.recovered.is_set() and self._placements.find(placement.task_id) != placement:
            return "the task is not on this host any more"
        return await self.checkpoints.put(placement.task_id, checkpoint)

    async def end_task(self, task_id: str) -> None:
        """End a task, wherever it is.

        Raises `NoSuchTask`, `CutOff`, and `HostLost` when its host does not answer: it ends as soon as that does, or is
        gone.
        """
        await self.decide()
        placement = self._placements.find(task_id)
        was_lost = self._placements.lost.pop(task_id, None)
        self.checkpoints.drop(task_id)
        if placement is None:
            if was_lost is None:
                raise NoSuchTask(task_id)
            self.handover.note(task_id)
            await self.handover.write_down()
            return
        ending = asyncio.create_task(self._hosts.withdraw(placement, ""))
        self._hold(ending)
        if not (await asyncio.wait({ending}, timeout=HOST_REPLY_S))[0]:
            raise HostLost("it does not answer; the task ends as soon as it does, or is gone")
        self._placements.lost.pop(task_id, None)
        self.handover.note(task_id)
        self._settle()
        await self.handover.write_down()

    def greet(self, driver: str) -> None:
        """Record that a driver is alive. Raises `FleetStopped`."""
        if self.stopped.is_set():
            raise FleetStopped(self.plan.name)
        self._drivers.note(driver, time.monotonic())

    def leave(self, driver: str) -> None:
        """Record that a driver has left. Its tasks stay."""
        self._drivers.remove(driver, time.monotonic())

    def receive_report(self, report: HostReport) -> tuple[str, ...] | None:
        """Take a host's report. Returns which of its drivers are gone; None for an unknown host, which then ends."""
        if report.host_id not in self._placements.hosts:
            return None if self.recovered.is_set() else ()
        now = time.monotonic()
        self._placements.note(report, now)
        if report.is_sick and self._placements.hosts[report.host_id].state == "serving":
            self._placements.drain(report.host_id, "its browser died three times within a minute", now, now)
        for placement, reason in report.ended:
            self._hosts.endings.lose(placement, reason)
        return self._drivers.gone(report.drivers, now)

    async def roll(self, within_s: float | None = None) -> int:
        """See `Roll.run`."""
        return await Roll(self._placements, self.drains, self._hosts).run(within_s)

    async def stop(self) -> str:
        """End all hosts. Waiting calls fail with `FleetStopped`. Returns why checkpoints that were to be removed stay;
        else an empty text."""
        self.stopped.set()
        self._waiting.refuse_all(FleetStopped(self.plan.name))
        for task in self._tasks - {asyncio.current_task()}:  # nobody but the directory itself may have asked
            task.cancel()
        try:
            async with asyncio.timeout(30):
                await self._hosts.stop()
        finally:
            stay = await self.checkpoints.clear() if self.plan.limits.remove_checkpoints else ""
            with suppress(CutOff):
                await self._engine.store.clear()
        return stay

    async def _abandon(self) -> None:
        await self.stop()
        self.abandoned.set()

    def status(self) -> FleetStatus:
        """The present status of the fleet."""
        return fleet_status(
            self.plan, self._placements, len(self._waiting), self.handover.counts, self._hosts.starts.error
        )

    def tasks(self) -> tuple[TaskStatus, ...]:
        """Every task that has a placement, waits for one, or has lost it."""
        return task_statuses(self._placements, self._waiting)

    def _settle(self) -> None:
        """Place the waiting tasks, and start hosts for those that do not fit."""
        queue, most = self._waiting.queue, self.plan.limits.tasks_per_driver
        held = self._placements.counts_of_drivers() if most is not None else Counter[str]()
        queue.full = {driver for driver, count in held.items() if most is not None and count >= most}
        while (task_id := queue.first) is not None:
            waiting = self._waiting[task_id]
            placement = self._placements.reserve(task_id, waiting.driver)
            if placement is None:
                break
            queue.take()
            held[waiting.driver] += 1
            if held[waiting.driver] == most:
                queue.full.add(waiting.driver)
            self._spawn(self._hand_to_host(waiting, placement))
        for _ in range(
            self._hosts.starts.allowed(self._placements.missing(queue.placeable(held, most)), time.monotonic())
        ):
            self._hosts.start()

    async def _hand_to_host(self, waiting: WaitingTask, placement: Placement) -> None:
        lost = self._placements.lost.get(waiting.task_id)
        checkpoint, how_old = await self.checkpoints.find(waiting.task_id) if lost is not None else (None, "")
        link = self._hosts.get(placement.host_id)
        try:
            if link is None:
                raise HostLost("it ended before it had the task")
            self.handover.note(waiting.task_id)
            await self.handover.write_down()
            async with asyncio.timeout(HOST_REPLY_S):
                await link.accept(placement, lost.reason + how_old if lost is not None else "", checkpoint)
        except (CutOff, HostLost, NotHere, TimeoutError) as error:
            _log.warning("the host %s did not take a task: %s", placement.host_id, error)
            await asyncio.sleep(TICK_S)  # it may be the same at once
            await self._hosts.withdraw(placement, "it was placed elsewhere")
            if lost is None:
                self._placements.lost.pop(waiting.task_id, None)
            self.handover.note(waiting.task_id)
            self._waiting.queue.rejoin(waiting.task_id, waiting.driver)
            self._settle()
            return
        if lost is not None:
            self.handover.count(restarts=1)
            self._instruments.note_restart(lost.reason)
            self._placements.lost.pop(waiting.task_id, None)
            self.handover.note(waiting.task_id)
        self._waiting.settle(waiting, placement, time.monotonic())
        with suppress(CutOff):  # the next write has it
            await self.handover.write_down()

    async def _check(self, task_id: str, doubted: int) -> None:
        """Ask the host of a placement whether it runs the task. Without an answer, wait until the host is known to be
        gone."""
        while (placement := self._placements.find(task_id)) is not None and placement.number == doubted:
            link = self._hosts.get(placement.host_id)
            try:
                if link is None or placement in self._moving:
                    raise HostLost("it is ending")
                async with asyncio.timeout(PROBE_S):
                    report = await link.report()
            except (HostLost, TimeoutError):
                await asyncio.sleep(TICK_S / 5)
                continue
            if all(load.task_id != task_id for load in report.tasks):
                self._hosts.endings.lose(placement, dict(report.ended).get(placement, ENDED_IT))
            return
        if placement is None and task_id not in self._waiting:  # also when this directory is new, and never knew it
            self._placements.lost.setdefault(task_id, LostTask(ENDED, time.monotonic(), None))

    async def _tick(self) -> None:
        now = time.monotonic()
        self._instruments.show_fleet(self.status())
        for host_id in self._placements.idle(now):
            self._spawn(self._hosts.end(host_id))
        for entry in tuple(self._placements.hosts.values()):
            if entry.state == "draining" and now >= entry.drained_by:
                for placement in tuple(entry.tasks.values()):
                    if placement not in self._moving:
                        self._spawn(self._move(placement, entry.reason))
        for task_id in self._placements.forget_lost(now - self.plan.limits.ttl_s):
            self.checkpoints.drop(task_id)
            self.handover.note(task_id)
        if self.checkpoints.must_sweep:
            self._spawn(self.checkpoints.sweep())
        self._drivers.remove_silent(now)
        if not (self._keeps or self._drivers or (len(self._placements) and not self.plan.is_own)):
            self._spawn(self._abandon())
        self._settle()

    async def _move(self, placement: Placement, reason: str) -> None:
        """Remove a task's placement. Its next call gets another one."""
        self._moving.add(placement)
        try:
            link = self._hosts.get(placement.host_id)
            if link is None:  # its watch tells
                return
            async with asyncio.timeout(HOST_REPLY_S):
                await link.end_task(placement, reason)
            self._hosts.endings.lose(placement, reason)
        except (HostLost, TimeoutError):
            pass  # its watch tells, or the next tick tries again
        finally:
            self._moving.discard(placement)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        self._hold(asyncio.create_task(work))

    def _hold(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
