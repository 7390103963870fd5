"""The tools of a host."""

from __future__ import annotations

import asyncio

from supervisor.addons.fleet.settings import Plan
from supervisor.config import Config
from supervisor.facade import CDPSupervisor
from supervisor.registry import SupervisorRegistry
from supervisor.tools import CATALOGUE, Toolbox

from .host_task import HostTask


class TaskToolbox(Toolbox):
    """The tools of a host; each task has separate settings, and a supervisor that the host starts."""

    def __init__(self, config: Config, registry: SupervisorRegistry, plan: Plan, tasks: dict[str, HostTask]) -> None:
        super().__init__(
            config,
            registry=registry,
            toolsets=(),
            enabled=plan.tools,
            policy=plan.policy,
            catalogue=plan.catalogue or CATALOGUE,
            timeout_s=plan.timeout_s,
        )
        self.names: frozenset[str] = frozenset(tool.name for tool in self.chosen)
        """Those of its tools."""
        self._tasks_here = tasks
        self._loop = asyncio.get_running_loop()

    async def _supervisor(self, task_id: str, config: Config | None) -> CDPSupervisor | None:
        task = self._tasks_here.get(task_id)
        if config is not None and task is not None and task.supervisor is None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(task.started(), self._loop))
        return await super()._supervisor(task_id, config)

    def _config_of(self, task_id: str, must: bool = False) -> Config | None:
        task = self._tasks_here.get(task_id)
        return task.config if task is not None else super()._config_of(task_id, must)
