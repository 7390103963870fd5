"""The directory of a fleet as a Ray actor, and the hosts as it sees them."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from inspect import isawaitable, signature
from typing import Any

from ray.exceptions import ActorDiedError, ActorUnavailableError, RayActorError, RayError

from cdp_typed import __version__
from supervisor.addons.fleet.errors import HostLost, OtherVersion
from supervisor.addons.fleet.placement.clients import HostExit
from supervisor.addons.fleet.placement.control_store import ControlStore
from supervisor.addons.fleet.placement.directory import Directory
from supervisor.addons.fleet.placement.leaving_nodes import LeavingNodes
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import PROTOCOL, HostReport, Placement
from supervisor.lasting import lasting

from .actor_names import NAMESPACE, directory_name, host_name, in_namespace
from .gcs_store import GcsStore
from .host_actor import HostActor
from .metrics import RayInstruments
from .outcomes import Outcome, asked, carried_out, end_of
from .ray_api import list_named_actors, ray
from .ray_nodes import RayNodes
from .spans import apart, describe_span
from .worker_process import on_sigterm

DIRECTORY_CALLS = 20_000
HOST_CALLS = 2_000
WATCHES = "watches"
"""Ray's group of the calls by which drivers and the directory learn that a host has ended. They have separate
places, and one that waits for a place fails with the host as well."""
HOST_WATCHES = 1_000
WATCH_S = 30.0
"""Seconds that such a call takes, before it is made again. A driver that was killed keeps its place that long."""

_log = logging.getLogger("supervisor.fleet")


class DirectoryActor:
    """The directory, in its own process. Ray starts it again where it ended."""

    def __init__(self, plan: Plan, keeps: bool) -> None:
        self._plan = plan
        self._keeps = keeps
        self._directory: Directory | None = None
        self._running: asyncio.Task[None] | None = None
        self._waiting: asyncio.Future[Any] | None = None
        on_sigterm(lambda: os._exit(1))  # Ray starts it again

    def __repr__(self) -> str:
        """Its name, which Ray writes into its log."""
        return directory_name(self._plan.name)

    def _get(self) -> Directory:
        if self._directory is None:
            self._directory = Directory(
                self._plan, RayEngine(self._plan), keeps=self._keeps, instruments=RayInstruments(self._plan.name)
            )
            self._running = asyncio.create_task(self._run(self._directory))
            self._waiting = asyncio.gather(
                self._exit_after(self._directory),
                self._exit_deposed(self._directory),
                lasting(LeavingNodes(self._directory, RayNodes()).watch, 1),
            )
        return self._directory

    @staticmethod
    async def _run(directory: Directory) -> None:
        """Run it; if it cannot take over from an earlier one, end its process. Ray starts it again."""
        try:
            await directory.run()
        except Exception:
            _log.exception("the directory failed")
            os._exit(1)

    @staticmethod
    async def _exit_after(directory: Directory) -> None:
        await directory.abandoned.wait()
        ray.kill(ray.get_runtime_context().current_actor, no_restart=True)

    @staticmethod
    async def _exit_deposed(directory: Directory) -> None:
        """End the process of a directory that decides no more. Ray starts another one if there is none."""
        await directory.handover.deposed.wait()
        os._exit(1)

    async def ask(self, method: str, *args: Any) -> Outcome:
        """Carry out a method of the directory for a driver or a host. Raises `OtherVersion` for one that this version
        does not know."""
        describe_span(f"directory {method}")
        return await carried_out(self._asked, method, *args)

    async def _asked(self, method: str, *args: Any) -> Any:
        directory = self._get()
        decisions: dict[str, Callable[..., Any]] = {
            "status": directory.status,
            "tasks": directory.tasks,
            "drain": directory.drains.drain,
            "undrain": directory.drains.undrain,
            "roll": directory.roll,
        }
        known = decisions | {
            "greet": self._greet,
            "leave": directory.leave,
            "place": directory.place,
            "end_task": directory.end_task,
            "receive_report": directory.receive_report,
            "keep": directory.keep,
            "stop": directory.stop,
        }
        try:
            signature(known[method]).bind(*args)
        except (KeyError, TypeError) as error:
            raise OtherVersion(__version__, f"{method}: {error}") from None
        if method in decisions:
            await directory.decide()
        result = known[method](*args)
        if method in ("drain", "undrain"):  # the next directory knows of it, too
            await directory.handover.write_down()
        return await result if isawaitable(result) else result

    def _greet(self, driver: str, protocol: int) -> Plan:
        """See `Directory.greet`; returns the plan of the fleet. Raises `OtherVersion`."""
        if protocol != PROTOCOL:
            raise OtherVersion(__version__, f"protocol {protocol} in place of {PROTOCOL}")
        self._get().greet(driver)
        return self._plan


class RayHost:
    """A host as the directory sees it (`HostClient`)."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    async def begin(self) -> HostReport:
        """See `HostClient`."""
        report: HostReport = await self._tell("begin")
        return report

    async def accept(self, placement: Placement, restarted: str, checkpoint: bytes | None) -> None:
        """See `HostClient`."""
        await self._tell("accept", placement, restarted, checkpoint)

    async def end_task(self, placement: Placement, reason: str) -> None:
        """See `HostClient`."""
        await self._tell("end_task", placement, reason)

    async def report(self) -> HostReport:
        """See `HostClient`."""
        report: HostReport = await self._tell("report")
        return report

    async def _tell(self, method: str, *args: Any) -> Any:
        return await asked(self._handle.tell.remote(method, *args))

    async def wait_ended(self) -> HostExit:
        """See `HostClient`."""
        while True:
            try:
                await self._stayed()
            except ActorUnavailableError:  # which may pass
                await asyncio.sleep(0.2)
            except (ActorDiedError, RayActorError) as error:
                return end_of(error)
            except RayError as error:
                _log.warning("a host cannot be watched: %s", type(error).__name__)
                await asyncio.sleep(1)

    async def _stayed(self) -> None:
        with apart():
            reference = self._handle.stay.options(concurrency_group=WATCHES).remote(WATCH_S)
        try:
            await reference
        except asyncio.CancelledError:
            with suppress(RayError):  # this process may have left the cluster
                ray.cancel(reference)
            raise

    async def stop(self) -> None:
        """See `HostClient`."""
        try:
            async with asyncio.timeout(15):
                await self._tell("stop")
        except (HostLost, TimeoutError):
            pass
        ray.kill(self._handle, no_restart=True)


class RayEngine:
    """Starts hosts on the cluster; Ray says where, and when there is room (`HostLauncher`)."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.store: ControlStore = GcsStore(plan.name)

    def start_host(self, host_id: str, avoided: Collection[str]) -> RayHost:
        """See `HostLauncher`."""
        hosts = self._plan.hosts
        options: dict[str, Any] = {"memory": hosts.memory} if hosts.memory is not None else {}
        if avoided:
            options["label_selector"] = {"ray.io/node-id": f"!in({','.join(sorted(avoided))})"}
        actor = ray.remote(concurrency_groups={WATCHES: HOST_WATCHES})(HostActor)
        handle = actor.options(
            name=host_name(self._plan.name, host_id),
            namespace=NAMESPACE,
            lifetime="detached",
            num_cpus=0,
            resources=dict(hosts.resources),
            scheduling_strategy="SPREAD",
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=HOST_CALLS,
            **options,
        ).remote(host_id, self._plan)
        return RayHost(handle)

    async def hosts(self) -> Mapping[str, RayHost]:
        """See `HostLauncher`."""
        return await asyncio.to_thread(self._find)

    def _find(self) -> Mapping[str, RayHost]:
        start = host_name(self._plan.name, "")
        actors: list[Any] = list(list_named_actors(all_namespaces=True))
        named = [str(actor["name"]) for actor in actors if in_namespace(actor)]
        found: dict[str, RayHost] = {}
        for name in named:
            if name.startswith(start):
                try:
                    found[name.removeprefix(start)] = RayHost(ray.get_actor(name, namespace=NAMESPACE))
                except ValueError:  # it ended meanwhile
                    continue
        return found

    def why_no_room(self) -> str:
        """See `HostLauncher`."""
        there = ray.cluster_resources()
        lacking = [name for name in self._plan.hosts.resources if not there.get(name)]
        return f"no node of the cluster offers the resource {', '.join(map(repr, lacking))}" if lacking else ""

    def put(self, data: bytes) -> Any:
        """See `Memory`."""
        return ray.put(data)

    async def get(self, kept: Any) -> bytes:
        """See `Memory`."""
        try:
            data: bytes = await kept
        except RayError:
            raise KeyError from None
        return data
