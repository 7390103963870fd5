"""One supervisor per task id."""

from __future__ import annotations

import atexit
import threading
import time
from concurrent.futures import Future, wait
from typing import Unpack

from .config import Endpoint, Settings
from .core.vocabulary.errors import NotRunning
from .facade import CDPSupervisor
from .status import Status

STOP_S = 5.0
"""Seconds for a start to end. In a forked process there is no thread that could end it."""
STEP_S = 0.02


class _TaskEntry:
    """A task's supervisor, and the end of its start. A new one for the same task makes a new generation."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self.supervisor = supervisor
        self.started: Future[CDPSupervisor] = Future()

    @property
    def is_usable(self) -> bool:
        """Starting, or running."""
        return not self.started.done() or (self.started.exception() is None and self.supervisor.is_running)

    def stop(self) -> None:
        """Stop it; also where its start has been asked for and has not begun, so that there is nothing to stop yet."""
        gives_up = time.monotonic() + STOP_S
        while True:
            self.supervisor.stop()
            if wait([self.started], STEP_S).done or time.monotonic() > gives_up:
                return


class SupervisorRegistry:
    """Hands every caller with the same task id the same running supervisor. Safe to use from several threads.

    Without `replaces_lost`, a task whose browser is gone gets no new supervisor before `stop`: the start raises
    `NotRunning`. So no person is asked again for a browser that was lost while somebody used it.
    """

    def __init__(self, replaces_lost: bool = True) -> None:
        self._replaces_lost = replaces_lost
        self._lock = threading.Lock()
        self._entries: dict[str, _TaskEntry] = {}

    def get_or_start(
        self, task_id: str, cdp_url: Endpoint, *, start_timeout_s: float = 15.0, **settings: Unpack[Settings]
    ) -> CDPSupervisor:
        """Return the task's supervisor: started when there is none, replaced when its URL or settings changed or its
        browser is gone. `settings` are those of `Config`; a start ends within `start_timeout_s`.

        Callers for one task with the same settings share one start; a caller with others replaces it, and the start
        that was replaced or stopped meanwhile raises `NotRunning`: it is never handed out. Other tasks do not
        wait. Raises what `CDPSupervisor` and its `start` raise; the task then has no supervisor.
        """
        return self.obtain(task_id, cdp_url, start_timeout_s=start_timeout_s, **settings)[0]

    def obtain(
        self, task_id: str, cdp_url: Endpoint, *, start_timeout_s: float = 15.0, **settings: Unpack[Settings]
    ) -> tuple[CDPSupervisor, bool]:
        """Do the same as `get_or_start`, and also return whether this very call started the supervisor."""
        wanted = CDPSupervisor(cdp_url, **settings)
        with self._lock:
            present = self._entries.get(task_id)
            if present and not (present.is_usable or self._replaces_lost):
                raise NotRunning(present.supervisor.status().reason)
            is_shared = present and present.is_usable and present.supervisor.config == wanted.config
            entry = present if present and is_shared else _TaskEntry(wanted)
            self._entries[task_id] = entry
        if entry is present:
            return entry.started.result(), False
        if present is not None:
            present.stop()
        return self._start(task_id, entry, start_timeout_s), True

    def get(self, task_id: str) -> CDPSupervisor | None:
        """The task's supervisor; None when it has none, its start has not ended, or it is lost for good."""
        with self._lock:
            entry = self._entries.get(task_id)
        return entry.supervisor if entry and entry.started.done() and entry.is_usable else None

    def status(self, task_id: str) -> Status:
        """The state of the task's supervisor, also while it starts."""
        with self._lock:
            entry = self._entries.get(task_id)
        return Status(state="not started") if entry is None else entry.supervisor.status()

    def stop(self, task_id: str, *, only: CDPSupervisor | None = None) -> bool:
        """Stop the task's supervisor, also one that is starting; False when it has none, or another than `only`."""
        with self._lock:
            entry = self._entries.get(task_id)
            if entry is None or (only is not None and entry.supervisor is not only):
                return False
            del self._entries[task_id]
        entry.stop()
        return True

    def stop_all(self) -> None:
        """Stop every supervisor."""
        with self._lock:
            task_ids = list(self._entries)
        for task_id in task_ids:
            self.stop(task_id)

    def _start(self, task_id: str, entry: _TaskEntry, timeout_s: float) -> CDPSupervisor:
        try:
            entry.supervisor.start(timeout_s)
            with self._lock:
                is_current = self._entries.get(task_id) is entry
            if not is_current:
                entry.supervisor.stop()
                raise NotRunning("stopped while it was starting")
        except BaseException as error:
            with self._lock:
                if self._entries.get(task_id) is entry:
                    del self._entries[task_id]
            entry.started.set_exception(error)
            raise
        entry.started.set_result(entry.supervisor)
        return entry.supervisor


SUPERVISOR_REGISTRY = SupervisorRegistry()
"""The registry of this process; its supervisors are stopped when the process ends."""

atexit.register(SUPERVISOR_REGISTRY.stop_all)
