"""A measurement that a model starts with one call and stops with another."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed import Session
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import CallError
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools.framework.tool_errors import name_in
from supervisor.tools.page.scripts.second_session import second_session


def new_file(kind: str, ending: str, data: bytes = b"") -> Path:
    """Make a file (mode 0600) whose name has its kind and the time. Raises `OSError`, and leaves none then."""
    folder = NamedFiles("performance").folder
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}-", suffix=ending, dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError:
        Path(name).unlink()
        raise
    return Path(name)


def named(path: Path, name: str | None) -> Path:
    """Give a new file the name that its caller chose, in the folder of now. Raises `InvalidArgument`, and `OSError`."""
    if name is None:
        return path
    with name_in("name"):
        chosen = NamedFiles("performance").path(f"{name}{''.join(path.suffixes)}")
    chosen.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.move(path, chosen)
    return chosen


LONGEST_S = 120.0
"""A measurement that nobody stops ends by itself after this time."""

UntilStopped: TypeAlias = Callable[[], Awaitable[None]]
"""Tells that the measurement runs, and returns when it is to end."""
Measure: TypeAlias = Callable[[Session, UntilStopped], Awaitable[Struct]]

_RUNNING: WeakKeyDictionary[AsyncSupervisor, dict[str, Measurement]] = WeakKeyDictionary()


class MeasurementState(CallError):
    """A measurement of the kind is running already, or none is."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem, maybe_executed=False)


async def start(supervisor: AsyncSupervisor, kind: str, measure: Measure) -> None:
    """Begin a measurement of the current page, and return when it runs.

    Raises `MeasurementState` when one of the kind runs, and what `measure` raises.
    """
    running = _RUNNING.setdefault(supervisor, {})
    if kind in running and not running[kind].has_failed:
        raise MeasurementState(f"a {kind} is running: stop it first")
    running[kind] = measurement = Measurement(supervisor, measure)
    try:
        await measurement.begun()
    except BaseException:
        running.pop(kind, None)
        raise


async def stop(supervisor: AsyncSupervisor, kind: str) -> Any:
    """End a measurement and return it. Raises `MeasurementState` when none runs, and the error that ended it before."""
    measurement = _RUNNING.get(supervisor, {}).pop(kind, None)
    if measurement is None:
        raise MeasurementState(f"no {kind} is running: start one first")
    return await measurement.ended()


class Measurement:
    """A measurement under way, in a task that ends with the supervisor."""

    def __init__(self, supervisor: AsyncSupervisor, measure: Measure, longest_s: float = LONGEST_S) -> None:
        self._supervisor = supervisor
        self._longest_s = longest_s
        self._began = asyncio.Event()
        self._is_stopping = asyncio.Event()
        self._task = asyncio.create_task(self._run(measure))
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may ask for its end

    @property
    def has_ended(self) -> bool:
        """It was stopped, or ended by itself."""
        return self._task.done()

    @property
    def has_failed(self) -> bool:
        """It ended with an error before anybody stopped it."""
        return self._task.done() and (self._task.cancelled() or self._task.exception() is not None)

    async def begun(self) -> None:
        """Return when it runs. Raises the error that kept it from running."""
        began = asyncio.ensure_future(self._began.wait())
        try:
            await asyncio.wait({began, self._task}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._task.cancel()
            raise
        finally:
            began.cancel()
        if self._task.done():
            self._task.result()

    async def ended(self) -> Any:
        """End it, and return the result."""
        self._is_stopping.set()
        return await self._task

    async def _run(self, measure: Measure) -> Any:
        async with second_session(self._supervisor) as tab:
            return await measure(tab, self._until_stopped)

    async def _until_stopped(self) -> None:
        """Return when it is to stop, or after its longest time. Raises `NotRunning` when the supervisor stops."""
        self._began.set()
        stopping = asyncio.ensure_future(self._is_stopping.wait())
        alive = asyncio.ensure_future(self._supervisor.wait_for(lambda _: False, timeout_s=self._longest_s))
        try:
            await asyncio.wait({stopping, alive}, return_when=asyncio.FIRST_COMPLETED)
            if alive.done() and not isinstance(error := alive.exception(), TimeoutError) and error is not None:
                raise error
        finally:
            for waiting in (stopping, alive):
                waiting.cancel()
            await asyncio.gather(stopping, alive, return_exceptions=True)
