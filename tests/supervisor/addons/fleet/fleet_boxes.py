"""Fleets in place of toolboxes, for the tests of tools: each of one browser, whose tasks end with each test."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cdp_typed.loop_thread import HANDLER_LOOP
from supervisor import Config
from supervisor.addons.fleet import Fleet, FleetStopped, Hosts, NoSuchTask, RemoteSupervisor
from supervisor.tools import Policy

__all__ = ["FleetBoxes", "FleetRegistry", "RemoteBlocking"]

WAIT_S = 10.0


class FleetBoxes:
    """Makes fleets on the cluster that this process is connected to, and each only once: to start a host takes long."""

    def __init__(self) -> None:
        self._made: list[tuple[tuple[Config, Policy | None, str], Fleet]] = []
        self._in_use: list[Fleet] = []

    def make(self, config: Config, policy: Policy | None, toolsets: str) -> Fleet:
        """Return a fleet with these settings, whose tasks are new."""
        wanted = (config, policy, toolsets)
        fleet = next((fleet for settings, fleet in self._made if settings == wanted), None)
        if fleet is None:
            fleet = Fleet(config, policy=policy, toolsets=toolsets, hosts=Hosts(tasks=1))
            self._made.append((wanted, fleet))
        self._in_use.append(fleet)
        return fleet

    @property
    def last(self) -> Fleet:
        return self._in_use[-1]

    def end_tasks(self) -> None:
        """End the tasks of the fleets that the test has used."""
        used, self._in_use = self._in_use, []
        for fleet in used:
            with suppress(FleetStopped):
                for task in fleet.tasks():
                    with suppress(NoSuchTask):
                        fleet.end_task(task.task_id)

    def close(self) -> None:
        made, self._made = self._made, []
        for _, fleet in made:
            fleet.close()


class FleetRegistry:
    """What tests ask a `SupervisorRegistry` for: here the supervisors are on the hosts."""

    def __init__(self, boxes: FleetBoxes) -> None:
        self._boxes = boxes

    def get(self, task_id: str) -> RemoteBlocking:
        """Return the supervisor of a task of the fleet that was made last."""
        return RemoteBlocking(self._boxes.last.supervisor(task_id))

    def stop_all(self) -> None:
        """End the tasks: their browser may end now."""
        self._boxes.end_tasks()


class RemoteBlocking:
    """A `RemoteSupervisor` with blocking methods, as `CDPSupervisor` has them."""

    def __init__(self, remote: RemoteSupervisor) -> None:
        self._remote = remote

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._remote, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            return HANDLER_LOOP.run(method(*args, **kwargs))

        return call

    def wait_for(self, is_true: Callable[[Any], bool], timeout_s: float = WAIT_S) -> Any:
        """Wait until the snapshot is as it is to be, and return it; a function cannot be sent to the host."""
        give_up = time.monotonic() + timeout_s
        while not is_true(now := HANDLER_LOOP.run(self._remote.snapshot())):
            if time.monotonic() > give_up:
                raise TimeoutError("the state that a test waits for did not come")
            HANDLER_LOOP.run(asyncio.sleep(0.02))
        return now
