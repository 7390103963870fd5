"""One supervisor per task id."""

from __future__ import annotations

import threading
from typing import Any

from .facade import CDPSupervisor


class SupervisorRegistry:
    """Hands every caller with the same task id the same running supervisor. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._task_locks: dict[str, threading.Lock] = {}
        self._supervisors: dict[str, CDPSupervisor] = {}

    def get_or_start(self, task_id: str, cdp_url: str, **settings: Any) -> CDPSupervisor:
        """The task's supervisor, started when there is none, or replaced when its URL or settings changed or its
        browser is gone. `settings` are those of `CDPSupervisor`.

        Calls for one task wait for each other, so that only one supervisor is ever started; other tasks do not wait.
        Raises what `CDPSupervisor` and its `start` raise; the task then has no supervisor.
        """
        wanted = CDPSupervisor(cdp_url, **settings)
        with self._task_lock(task_id):
            present = self._supervisors.get(task_id)
            if present is not None and present.is_running and present.config == wanted.config:
                return present
            self._stop(task_id)
            wanted.start()
            with self._lock:
                self._supervisors[task_id] = wanted
            return wanted

    def get(self, task_id: str) -> CDPSupervisor | None:
        """The task's supervisor, or None."""
        with self._lock:
            return self._supervisors.get(task_id)

    def stop(self, task_id: str) -> bool:
        """Stop the task's supervisor; False when it has none."""
        with self._task_lock(task_id):
            return self._stop(task_id)

    def stop_all(self) -> None:
        """Stop every supervisor."""
        with self._lock:
            task_ids = list(self._supervisors)
        for task_id in task_ids:
            self.stop(task_id)

    def _stop(self, task_id: str) -> bool:
        with self._lock:
            supervisor = self._supervisors.pop(task_id, None)
        if supervisor is None:
            return False
        supervisor.stop()
        return True

    def _task_lock(self, task_id: str) -> threading.Lock:
        with self._lock:
            return self._task_locks.setdefault(task_id, threading.Lock())


SUPERVISOR_REGISTRY = SupervisorRegistry()
"""The registry of this process."""
