"""Sends the calls of a driver to the hosts of their tasks. Used on the event loop of the handlers."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from functools import partial
from typing import Any

from ray.exceptions import ActorUnavailableError, RayActorError, RayError

from cdp_typed.errors import CDPError
from supervisor.addons.fleet.errors import FleetError, FleetStopped, HostLost, NotHere, TaskRestarted
from supervisor.addons.fleet.instruments import measured
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import PROTOCOL, Placement
from supervisor.lasting import lasting
from supervisor.tools.handlers.handler_calls import in_thread

from .actor_names import NAMESPACE, host_name
from .directory_actor import RayHost
from .outcomes import asked_directory, packed, unpacked
from .ray_api import ray
from .spans import TRACER, SpanInstruments, apart, describe_span

_log = logging.getLogger("supervisor.fleet")

GREET_S = 5.0
"""Seconds between two reports of this driver to the directory."""
DIRECTORY_S = 45.0
"""Seconds to wait for the directory: Ray restarts it when its machine is lost."""
HOST_S = 30.0
"""Seconds that a host has for a reply that needs no work in the browser."""
PAUSE_S = 0.1
TRIES = 5
"""Most outdated placements of a task that one call tries."""


class TaskRouter:
    """Keeps the placements of this driver's tasks, and asks the directory for missing ones."""

    def __init__(self, plan: Plan, directory: Any) -> None:
        self.plan: Plan = plan
        self.driver: str = f"driver-{secrets.token_hex(4)}"
        self._directory = directory
        self._places: dict[str, Placement] = {}
        self._answered: dict[str, Placement] = {}
        """By task id: the place of the last call that was answered. At another place, the host tells of a restart."""
        self._hosts: dict[str, Any] = {}
        self._doubted: dict[str, int] = {}
        """By task id: the number of the place that was lost in a call, or that its host did not know."""
        self._background: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Start to report this driver to the directory. Takes over the plan of a fleet that runs already."""
        self.plan = await self.ask("greet", self.driver, PROTOCOL)
        with apart():
            self._background.add(asyncio.create_task(lasting(self._greet, GREET_S)))

    async def end(self) -> None:
        """Stop the reports."""
        for task in self._background:
            task.cancel()
        with suppress(CDPError, TimeoutError):
            async with asyncio.timeout(5):
                await self.ask("leave", self.driver)

    async def call(self, task_id: str, method: str, args: tuple[Any, ...], patience_s: float) -> Any:
        """Call a method on the host of a task, once. Raises the method's errors, `HostLost` and `NotPlaced`."""
        name = args[0] if method == "call_tool" else f"supervisor.{args[0]}"
        with TRACER.start_as_current_span(f"fleet {name}", record_exception=False, set_status_on_exception=False):
            return await measured(SpanInstruments(), name, self._called(task_id, method, args, patience_s))

    async def _called(self, task_id: str, method: str, args: tuple[Any, ...], patience_s: float) -> Any:
        describe_span(fleet=self.plan.name, task=task_id)
        for _ in range(TRIES):
            placement = await self.placement(task_id)
            describe_span(host=placement.host_id)
            missed = self._answered.get(task_id, placement) != placement
            try:
                result = await self.ask_host(placement, method, *args, missed, patience_s=patience_s)
            except NotHere:  # nothing was carried out
                self._doubt(placement)
            except HostLost as error:
                _log.warning("the task %r lost its host %s: %s", task_id, placement.host_id, error.reason)
                self._doubt(placement)
                raise
            except TaskRestarted:
                self._answered[task_id] = placement
                raise
            else:
                if not missed or method == "call_tool":  # other methods have not told of the restart
                    self._answered[task_id] = placement
                return result
        raise HostLost("its place changed again and again", maybe_executed=False)

    async def end_task(self, task_id: str) -> None:
        """End a task. Raises `NoSuchTask`."""
        self._places.pop(task_id, None)
        self._answered.pop(task_id, None)
        self._doubted.pop(task_id, None)
        await self.ask("end_task", task_id)

    async def ask(self, method: str, *args: Any) -> Any:
        """Call the directory, and call again when Ray restarts it; all its methods are idempotent. Raises the method's
        errors, `FleetStopped` when it has ended, and `FleetError` when it does not come back.
        """
        try:
            async with asyncio.timeout(None if method == "roll" else DIRECTORY_S + self.plan.limits.queue_s):
                while True:
                    try:
                        return await asked_directory(self._directory, method, *args)
                    except ActorUnavailableError:
                        await asyncio.sleep(PAUSE_S)
                    except RayActorError as error:
                        if "creation task" in str(error):
                            raise FleetError(f"the directory of the fleet {self.plan.name!r} could not start") from None
                        raise FleetStopped(self.plan.name) from None
        except TimeoutError:
            raise FleetError(f"the directory of the fleet {self.plan.name!r} does not answer") from None

    async def ask_host(self, placement: Placement, method: str, *args: Any, patience_s: float = HOST_S) -> Any:
        """Call a host. Only the task and the host of the placement count, unless the method needs more. Raises the
        method's errors, `HostLost`, and `NotHere` without such a host.
        """
        host = await self._host(placement)
        reference = host.call.remote(packed((PROTOCOL, self.driver, method, placement, args)))
        try:
            async with asyncio.timeout(patience_s):
                return await unpacked(reference)
        except TimeoutError:
            ray.cancel(reference)
            raise HostLost(f"its host did not answer within {patience_s:g} s") from None
        except asyncio.CancelledError:
            ray.cancel(reference)
            raise

    async def placement(self, task_id: str) -> Placement:
        """Return the placement of a task, which is placed now if it was not. Raises `NotPlaced` and `FleetStopped`."""
        known = self._places.get(task_id)
        if known is not None:
            return known
        doubted = self._doubted.get(task_id)
        placement: Placement = await self.ask("place", task_id, self.driver, self.plan.limits.queue_s, doubted)
        self._places[task_id] = placement
        self._doubted.pop(task_id, None)
        return placement

    def _doubt(self, placement: Placement) -> None:
        if self._places.get(placement.task_id) == placement:
            del self._places[placement.task_id]
        self._doubted[placement.task_id] = placement.number

    async def _host(self, placement: Placement) -> Any:
        host = self._hosts.get(placement.host_id)
        if host is None:
            name = host_name(self.plan.name, placement.host_id)
            try:
                host = await in_thread(partial(ray.get_actor, name, namespace=NAMESPACE))
            except (ValueError, RayError):
                raise NotHere(placement.task_id) from None
            if placement.host_id not in self._hosts:  # another call may have found it meanwhile
                self._hosts[placement.host_id] = host
                self._watch(placement.host_id, host)
        return host

    def _watch(self, host_id: str, host: Any) -> None:
        """Forget the placements on a host as soon as it has ended, so that no later call goes there."""

        async def watch() -> None:
            await RayHost(host).wait_ended()
            del self._hosts[host_id]
            for placement in tuple(self._places.values()):
                if placement.host_id == host_id:
                    self._doubt(placement)

        watching = asyncio.create_task(watch())
        self._background.add(watching)
        watching.add_done_callback(self._background.discard)

    async def _greet(self) -> None:
        while True:
            await asyncio.sleep(GREET_S)
            try:
                await self.ask("greet", self.driver, PROTOCOL)
            except CDPError as error:
                _log.warning("%s", error)
