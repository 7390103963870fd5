"""A task on its host: its supervisor, its lease and its calls."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, cast

from cdp_typed.errors import CDPError
from cdp_typed.loop_thread import LOOP_THREAD
from supervisor.addons.fleet.checkpoints.kept_checkpoint import age_text, label, unlabelled
from supervisor.addons.fleet.errors import HostLost, TooManyCalls
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement, TaskLoad
from supervisor.config import Config, Settings
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.facade import CDPSupervisor
from supervisor.registry import SupervisorRegistry
from supervisor.saved_state.checkpoint import restore, take
from supervisor.saved_state.checkpoint_values import Checkpoint, InvalidCheckpoint
from supervisor.tools.handlers.handler_calls import in_thread

from .browser_services import services_of, what_ended

T = TypeVar("T")

TOLD = 3
"""At most this many of the things that a checkpoint did not bring back are named."""


class HostTask:
    """One task. Used on the event loop of its host."""

    def __init__(self, placement: Placement, config: Config, registry: SupervisorRegistry, plan: Plan) -> None:
        self.placement = placement
        self.config = config
        self.called_at: float = time.monotonic()
        self._accepted_at = self.called_at
        self.calls: int = 0
        """Under way."""
        self.began_anew: str = ""
        """Why it began anew here, if it did."""
        self.restarted: str = ""
        """Why the task restarts; cleared once a tool's result has reported it."""
        self.to_restore: bytes | None = None
        """The last good checkpoint, which its next supervisor begins with."""
        self.checked_at: float = -math.inf
        """When a checkpoint was last tried."""
        self.saved_from: float = -math.inf
        """When the last one that was kept was begun."""
        self._saved_at: float | None = None
        """When it was kept; without one, when the task began here."""
        self._taken_at: float | None = None
        """When the last one was made here."""
        self._is_kept = plan.limits.checkpoint_s is not None
        self._registry = registry
        self._fleet = plan.name
        self._expire_s = plan.limits.checkpoints_expire_s
        self._limit = plan.limits.calls_per_task
        self._start_timeout_s = plan.hosts.start_timeout_s
        self._lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._starting = asyncio.Lock()
        self._services: dict[str, int] = {}
        """The processes of its browser that hold cookies and storage, when its supervisor started."""
        self._started: CDPSupervisor | None = None
        """Its last supervisor, which may have lost its browser."""

    @property
    def task_id(self) -> str:
        """Its id."""
        return self.placement.task_id

    @property
    def supervisor(self) -> CDPSupervisor | None:
        """Its supervisor, if it runs."""
        return self._registry.get(self.task_id)

    @property
    def age_s(self) -> float:
        """Seconds since this host accepted it."""
        return time.monotonic() - self._accepted_at

    @property
    def has_started(self) -> bool:
        """It has, or had, pages in a browser."""
        return self._started is not None

    @property
    def has_lost(self) -> bool:
        """The supervisor that it had has lost its browser for good."""
        return self._started is not None and not self._started.is_running

    @property
    def load(self) -> TaskLoad:
        """The task as the host reports it."""
        now = self.supervisor
        try:
            dialogs = len(now.snapshot().pending_dialogs) if now is not None else 0
        except NotRunning:
            dialogs = 0
        idle_s = 0.0 if self.calls else time.monotonic() - self.called_at
        return TaskLoad(
            task_id=self.task_id,
            number=self.placement.number,
            calls=self.calls,
            open_dialogs=dialogs,
            idle_s=idle_s,
            checkpoint_age_s=time.monotonic() - self._saved_at if self._saved_at is not None else None,
            restarted=self.restarted,
        )

    def untold(self, missed: bool) -> str:
        """Return why the task restarted, if no caller learned of it so far, or the caller missed its new place."""
        untold, self.restarted = self.restarted, ""
        return untold or (missed and (self.began_anew or "it was ended")) or ""

    async def started(self) -> CDPSupervisor:
        """Return its supervisor; starts one, with what the last checkpoint holds, when none runs. Raises `CDPError`."""
        async with self._starting:
            running = self.supervisor
            if running is not None and running.is_running:
                return running
            settings = cast(Settings, {name: getattr(self.config, name) for name in Settings.__annotations__})
            start = partial(
                self._registry.get_or_start,
                self.task_id,
                self.config.cdp_url,
                start_timeout_s=self._start_timeout_s,
                **settings,
            )
            supervisor = self._started = await in_thread(start)
            if self._is_kept and self._saved_at is None:
                self._saved_at = time.monotonic()
            self._services = await services_of(supervisor.aio)
            await self._restore(supervisor)
            return supervisor

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a call. Raises `HostLost` at once when the task loses its browser meanwhile."""
        if self.calls >= self._limit:
            work.close()
            raise TooManyCalls(self._limit)
        lost = self._lost
        self.calls += 1
        running = asyncio.ensure_future(work)
        try:
            await asyncio.wait((running, lost), return_when=asyncio.FIRST_COMPLETED)
            if lost.done():
                raise HostLost(lost.result())
            return running.result()
        finally:
            running.cancel()
            self.calls -= 1
            self.called_at = time.monotonic()

    def lose(self, reason: str) -> None:
        """End running calls with `HostLost`. The next call restarts the task and reports the restart."""
        if not self._lost.done():
            self._lost.set_result(reason)
        self._lost = asyncio.get_running_loop().create_future()
        self.restarted = reason
        if self.to_restore is not None:
            since = self._taken_at if self._taken_at is not None else self._accepted_at
            self.restarted += age_text(time.monotonic() - since, "" if self._taken_at is not None else "more than ")

    async def end(self) -> None:
        """Stop its supervisor, which closes its pages and its browser context."""
        supervisor, self._started = self._started, None
        if supervisor is not None:
            await in_thread(partial(self._registry.stop, self.task_id, only=supervisor))

    async def checkpoint(self, within_s: float) -> bytes | None:
        """A checkpoint of the present state, labelled; None without a browser context. Raises `HostLost` when the
        browser has lost the state, and `CDPError` or `TimeoutError` when it cannot be read."""
        supervisor = self.supervisor
        if supervisor is None or not supervisor.is_running:
            return None
        self.checked_at = time.monotonic()
        async with asyncio.timeout(within_s):
            taken = (await LOOP_THREAD.hop(take(supervisor.aio))).to_bytes()
            if ended := what_ended(self._services, await services_of(supervisor.aio)):  # after it was read
                raise HostLost(f"its browser ended ({ended})")
        self._taken_at = self.checked_at
        self.to_restore = label(taken, self._fleet, self.task_id, self._expire_s)
        return self.to_restore

    def saved(self) -> None:
        """Record that the last checkpoint is kept."""
        self.saved_from, self._saved_at = self.checked_at, time.monotonic()

    async def _restore(self, supervisor: CDPSupervisor) -> None:
        if self.to_restore is None:
            return
        try:
            checkpoint = Checkpoint.from_bytes(unlabelled(self.to_restore, self._fleet, self.task_id))
            restored = await LOOP_THREAD.hop(restore(supervisor.aio, checkpoint))
        except (CDPError, TimeoutError, ValueError) as error:
            why = error.why if isinstance(error, InvalidCheckpoint) else type(error).__name__
            self.restarted += f"; its cookies and storage could not be restored ({why})"
        else:
            lost = tuple(dict.fromkeys((*checkpoint.missing, *restored.missing)))
            more = f"; and {len(lost) - TOLD} more" if len(lost) > TOLD else ""
            self.restarted += f"; not restored: {'; '.join(lost[:TOLD])}{more}" if lost else ""


async def end_all(tasks: list[HostTask]) -> None:
    """End tasks, all at once."""
    with suppress(CDPError):
        await asyncio.gather(*(task.end() for task in tasks))
