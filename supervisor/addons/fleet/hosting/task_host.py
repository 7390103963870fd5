"""A host of a fleet: one browser, many tasks, each with its own browser context. It knows nothing of Ray."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import ExitStack, suppress
from functools import cached_property
from typing import Any, TypeVar

from msgspec.structs import replace

from cdp_typed.errors import CDPError, TargetCrashed
from cdp_typed.loop_thread import LOOP_THREAD
from supervisor.addons.fleet.errors import HostLost, NotHere, NotRecorded, TaskRestarted
from supervisor.addons.fleet.instruments import FAILED, NO_INSTRUMENTS, UNKNOWN, Instruments, measured, with_field
from supervisor.addons.fleet.placement.clients import DirectoryClient
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import HostFacts, HostReport, Placement, RecordingInfo
from supervisor.aio import AsyncSupervisor
from supervisor.config import Config, config_of
from supervisor.lasting import lasting
from supervisor.registry import SupervisorRegistry
from supervisor.tools.handlers.handler_calls import in_thread

from .checkpoint_keeper import CheckpointKeeper
from .driver_calls import DriverCalls
from .host_browser import HostBrowser
from .host_task import HostTask, end_all
from .lease_keeper import CUT_OFF, LeaseKeeper
from .live_tunnels import LiveTunnels
from .perform import METHODS, READING, perform
from .recording_files import RecordingFiles
from .report_times import ReportTimes
from .task_toolbox import TaskToolbox

T = TypeVar("T")

_log = logging.getLogger("supervisor.fleet")

TICK_S = 0.5
TRIM_S = 10.0
"""Seconds between two checks of the recordings' size."""
REPORT_S = 3.0
"""Seconds that the directory has to receive a report."""
ENDING_S = 10.0
"""Seconds that supervisors have to stop when their host stops."""
STOPPED = "its host was stopped"
ENDED = 40
"""So many ended tasks are reported again and again, because a directory that has just begun may not note them."""


class Host:
    """Carries out the calls of the tasks that the directory has given it. Used on one event loop."""

    def __init__(
        self,
        host_id: str,
        plan: Plan,
        directory: DirectoryClient,
        facts: HostFacts,
        instruments: Instruments = NO_INSTRUMENTS,
    ) -> None:
        self.host_id = host_id
        self.outcast: asyncio.Event = asyncio.Event()
        """The directory does not know this host, or gave it up, so no driver will call it."""
        self._lease = LeaseKeeper(directory.store, host_id, plan.limits.fence_s)
        self._ended_alone: dict[Placement, str] = {}
        """The latest tasks that the host ended by itself, and why: the directory may learn of them later."""
        self._plan = plan
        self._directory = directory
        self._facts = facts
        self._instruments = instruments
        self._loop = asyncio.get_running_loop()
        self._held = ExitStack()
        self._held.enter_context(LOOP_THREAD.held())
        self._registry = SupervisorRegistry()
        self._tasks: dict[str, HostTask] = {}
        self._withdrawn: set[Placement] = set()
        """Placements that were withdrawn before their tasks arrived."""
        self._browser: HostBrowser | None = None
        self._config = self._base_config()
        self._toolbox = TaskToolbox(self._config, self._registry, plan, self._tasks)
        self._recordings = RecordingFiles.of(plan)
        self._trims_at = -math.inf
        self._live = LiveTunnels()
        self._driver_calls = DriverCalls()
        self._calls = 0
        self._restarts = 0
        self._checkpoints = CheckpointKeeper(directory, plan.limits.checkpoint_s, self._tasks, self._lose)
        self._times = ReportTimes()
        self._running: list[asyncio.Task[None]] = []
        self._work: set[asyncio.Task[Any]] = set()

    async def begin(self) -> HostReport:
        """Start the browser, and look after the tasks from now on. Raises `LaunchError` and `CutOff`."""
        if not self._running:
            await self._lease.lease.renew()
            if self._browser is not None:
                await LOOP_THREAD.hop(self._browser.endpoint())
                self._facts = replace(self._facts, browser=self._browser.product)
            self._running = [asyncio.create_task(lasting(work, TICK_S)) for work in (self._run, self._keep_lease)]
        return self.report()

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        """Accept a task. Raises `NotHere` for a placement that was withdrawn or that an earlier directory gave, and
        `HostLost` when the host is cut off."""
        if placement in self._withdrawn or placement.epoch < self._lease.lease.epoch:
            raise NotHere(placement.task_id)
        self._lease.check(maybe_executed=False)
        task = self._tasks.get(placement.task_id)
        if task is not None and task.placement == placement:
            return
        if task is not None:
            await self._end(task, "it was placed anew")
        task = HostTask(placement, self._config_of(placement), self._registry, self._plan)
        task.began_anew, task.restarted, task.to_restore = restarted, restarted, checkpoint
        self._tasks[placement.task_id] = task

    async def end_task(self, placement: Placement, reason: str) -> None:
        """End a task. With a reason, its calls end with that reason, and cookies and storage are saved if the fleet
        keeps checkpoints."""
        task = self._tasks.get(placement.task_id)
        if task is not None and task.placement == placement:
            if reason:
                await self._checkpoints.keep(task)
            await self._end(task, reason or "the task was ended")
        elif task is None:
            self._withdrawn.add(placement)

    async def call_tool(self, placement: Placement, name: str, arguments: object, missed: bool = False) -> str:
        """Call a tool; see `Toolbox.adispatch`. Raises `NotHere`, `HostLost` and `TooManyCalls`.

        `missed` says that the caller's last call of the task went to another place, so that it learns of a restart.
        """
        task = self._task(placement)
        known = name if name in self._toolbox.names else UNKNOWN
        result = await measured(self._instruments, known, self._answered(task, self._tool(task, name, arguments)))
        reported = task.untold(missed)
        return with_field(result, "restarted", reported) if reported else result

    async def call_supervisor(
        self, placement: Placement, method: str, args: tuple[Any, ...], kwargs: dict[str, Any], missed: bool = False
    ) -> Any:
        """Have the task's supervisor carry out a method.

        Raises what `call_tool` and the method raise, and `TaskRestarted` once, unless the method only reads.
        """
        task = self._task(placement)
        if method not in READING and (reported := task.untold(missed)):
            raise TaskRestarted(reported)
        known = f"supervisor.{method}" if method in METHODS else UNKNOWN
        return await measured(self._instruments, known, self._answered(task, self._method(task, method, args, kwargs)))

    def report(self) -> HostReport:
        """The host's report to the directory."""
        return HostReport(
            host_id=self.host_id,
            facts=self._facts,
            tasks=tuple(task.load for task in self._tasks.values()),
            calls=self._calls,
            restarts=self._restarts,
            drivers=self._driver_calls.drivers,
            ended=tuple(self._ended_alone.items()),
            checkpoint_failures=self._checkpoints.failures,
            checkpoint_error=self._checkpoints.error,
            clock=time.time(),
            **(self._browser.reported if self._browser is not None else {}),
        )

    def begun(self, driver: str, method: str, placement: Placement, args: tuple[Any, ...]) -> Coroutine[Any, Any, Any]:
        """Begin one of `calls` for a driver. Raises `KeyError` and `TypeError` for one that this version does not
        know."""
        return self._driver_calls.run(driver, self.calls[method](placement, *args))

    @cached_property
    def calls(self) -> Mapping[str, Callable[..., Coroutine[Any, Any, Any]]]:
        """The methods that drivers may call; the first argument of each is a placement."""
        return {
            "call_tool": self.call_tool,
            "call_supervisor": self.call_supervisor,
            "recordings": self.recordings,
            "read_recording": self.read_recording,
            "open_live": self.open_live,
            "keep_live": self._live_call(self._live.keep),
            "connect_live": self._live_call(self._live.connect),
            "read_live": self._live_call(self._live.read),
            "write_live": self._live_call(self._live.write),
            "disconnect_live": self._live_call(self._live.disconnect),
            "close_live": self._live_call(self._live.close),
        }

    async def open_live(self, placement: Placement, token: str) -> str:
        """Serve the live view of a task; see `LiveTunnels.open`. Raises `NotHere`."""
        task = self._task(placement)

        def running() -> AsyncSupervisor | None:
            supervisor = task.supervisor
            return supervisor.aio if supervisor is not None else None

        return await LOOP_THREAD.hop(self._live.open(placement, running, token))

    @staticmethod
    def _live_call(method: Callable[..., Coroutine[Any, Any, T]]) -> Callable[..., Coroutine[Any, Any, T]]:
        """A method of the live tunnels, on their loop; the placement is that of the tunnel, and is left out."""

        async def call(place: Placement, *args: Any) -> T:
            return await LOOP_THREAD.hop(method(*args))

        return call

    async def recordings(self, place: Placement) -> tuple[RecordingInfo, ...]:
        """The recordings of a task on this machine; the task may have ended, or be elsewhere."""
        return await asyncio.to_thread(self._files().list, place.task_id)

    async def read_recording(self, place: Placement, name: str, offset: int) -> bytes:
        """A piece of a recording, see `RecordingFiles.read`. Raises `NoSuchRecording`."""
        return await asyncio.to_thread(self._files().read, place.task_id, name, offset)

    async def stop(self) -> None:
        """End all tasks and the browser."""
        for running in self._running:
            running.cancel()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.lose(STOPPED)
        self._tasks.clear()
        if self._live:
            await asyncio.gather(*(LOOP_THREAD.hop(self._live.end(task.placement, STOPPED)) for task in tasks))
        self._spawn(end_all(tasks))
        await asyncio.wait(self._work, timeout=ENDING_S)  # also for tasks that were ending already
        browser, self._browser = self._browser, None
        if browser is not None:
            await LOOP_THREAD.hop(browser.close())
        await in_thread(self._held.close)

    # -- calls ---------------------------------------------------------------------------------------------------

    def _task(self, placement: Placement) -> HostTask:
        self._lease.check(maybe_executed=False)
        task = self._tasks.get(placement.task_id)
        if task is None or task.placement != placement:
            raise NotHere(placement.task_id)
        return task

    async def _answered(self, task: HostTask, work: Coroutine[Any, Any, T]) -> T:
        try:
            result = await task.run(work)
            self._lease.check(maybe_executed=True)
            return result
        except CDPError as error:
            self._check(task)
            if isinstance(error, TargetCrashed) and (why := self._page_ended):
                error.add_note(why)
            raise
        finally:
            self._calls += 1

    @property
    def _page_ended(self) -> str:
        return self._browser.memory.ended_lately if self._browser is not None else ""

    async def _tool(self, task: HostTask, name: str, arguments: object) -> str:
        result = await self._toolbox.adispatch(name, arguments, task.task_id)
        if result.startswith(FAILED):
            self._check(task)
            if '"TargetCrashed"' in result and (why := self._page_ended):
                return with_field(result, "page_ended", why)
        return result

    async def _method(self, task: HostTask, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        supervisor = await task.started()
        await self._toolbox.guard(supervisor)
        return await LOOP_THREAD.hop(perform(supervisor.aio, method, args, kwargs, self._toolbox.policy))

    def _check(self, task: HostTask) -> None:
        """Raise `HostLost` when a call failed because the task's browser has ended and the host has not noticed yet."""
        if task.has_lost:
            reason = "the connection to its browser ended"
            self._lose(task, reason)
            raise HostLost(reason)

    # -- the life of tasks ---------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            report = self.report()
            if self._times.is_due(report):
                await self._report(report)
            self._instruments.show_host(report)
            await self._trim()
            if self._live:
                self._spawn(LOOP_THREAD.hop(self._live.sweep({task.placement for task in self._tasks.values()})))
            for task in tuple(self._tasks.values()):
                longest_s, ttl_s = self._plan.limits.longest_s, self._plan.limits.ttl_s
                if longest_s is not None and task.age_s > longest_s:
                    self._spawn(self._expire(task, f"it had run for {longest_s:g} s", during_calls=True))
                elif task.load.idle_s > ttl_s:
                    self._spawn(self._expire(task, f"it was not called for {ttl_s:g} s"))
                elif self._checkpoints.is_due(task):
                    self._spawn(self._checkpoints.keep(task))
            await asyncio.sleep(TICK_S)

    async def _report(self, report: HostReport) -> None:
        """Report to the directory. A host that it rejects ends."""
        with suppress(CDPError, TimeoutError):
            async with asyncio.timeout(REPORT_S):
                gone = await self._directory.receive_report(report)
                if gone is None:
                    self.outcast.set()
                self._driver_calls.end(gone or ())
            self._times.note(report)

    async def _keep_lease(self) -> None:
        """Serve until the directory gives the host up; then the host ends."""
        await self._lease.run(self._end_alone)
        self.outcast.set()

    def _end_alone(self) -> None:
        """End all tasks: others may get them from now on."""
        if self._tasks:
            _log.error("the cluster's control store was not reached: all tasks end")
        for task in tuple(self._tasks.values()):
            self._spawn(self._end_by_itself(task, CUT_OFF))

    async def _expire(self, task: HostTask, reason: str, *, during_calls: bool = False) -> None:
        await self._checkpoints.keep(task)
        if (during_calls or task.calls == 0) and self._tasks.get(task.task_id) is task:
            await self._end_by_itself(task, reason)

    async def _end_by_itself(self, task: HostTask, reason: str) -> None:
        self._ended_alone[task.placement] = reason
        for old in list(self._ended_alone)[:-ENDED]:
            del self._ended_alone[old]
        await self._end(task, reason)

    async def _end(self, task: HostTask, reason: str) -> None:
        if self._tasks.get(task.task_id) is task:
            del self._tasks[task.task_id]
        task.lose(reason)
        if self._live:
            self._spawn(LOOP_THREAD.hop(self._live.end(task.placement, reason)))
        await task.end()
        if self._plan.hosts.tasks == 1 and self._browser is not None:
            await LOOP_THREAD.hop(self._browser.restart())

    def _lose(self, task: HostTask, reason: str) -> None:
        self._restarts += 1
        self._instruments.note_restart(reason)
        task.lose(reason)
        self._spawn(task.end())

    def _browser_ended(self, reason: str) -> None:
        """On the loop thread."""

        def lose_all() -> None:
            for task in self._tasks.values():
                if task.has_started:
                    self._lose(task, reason)

        self._loop.call_soon_threadsafe(lose_all)

    # -- settings ------------------------------------------------------------------------------------------------

    def _base_config(self) -> Config:
        plan = self._plan
        given: dict[str, Any] = {}
        if plan.hosts.tasks > 1:
            given = {"scope": "own", "own_context": True}
        if plan.config is not None:
            return replace(plan.config, **given)
        self._browser = HostBrowser(plan.hosts, self._browser_ended)
        # A browser at the other end of a pipe does not come back.
        return config_of(self._browser.endpoint, {**plan.task_settings, **given, "reconnect_attempts": 0})

    def _config_of(self, placement: Placement) -> Config:
        config = self._config
        return config if self._recordings is None else replace(config, record_to=str(self._recordings.path(placement)))

    def _files(self) -> RecordingFiles:
        if self._recordings is None:
            raise NotRecorded(self._plan.name)
        return self._recordings

    async def _trim(self) -> None:
        """Keep the recordings within their limit, now and then."""
        now = time.monotonic()
        if self._recordings is not None and now >= self._trims_at:
            self._trims_at = now + TRIM_S
            running = tuple(task.placement for task in self._tasks.values())
            await asyncio.to_thread(self._recordings.trim, self.host_id, running)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
