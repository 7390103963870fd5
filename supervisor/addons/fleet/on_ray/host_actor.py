"""A host of a fleet as a Ray actor, and the directory as it sees it."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

from ray.exceptions import RayError

from cdp_typed import __version__
from supervisor.addons.fleet.errors import FleetError, OtherVersion
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.placement.control_store import ControlStore
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import PROTOCOL, HostFacts, HostReport, Placement

from .actor_names import NAMESPACE, directory_name, host_name
from .gcs_store import GcsStore
from .metrics import RayInstruments
from .outcomes import Outcome, carried_out, packed, value_of
from .ray_api import cloudpickle, ray
from .spans import apart, describe_span
from .worker_process import on_sigterm


class HostActor:
    """A host, in its own process. It is never started again: another one takes its place."""

    def __init__(self, host_id: str, plan: Plan) -> None:
        self._host_id = host_id
        self._plan = plan
        self._host: Host | None = None
        self._waiting: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        """Its name, which Ray writes into its log."""
        return host_name(self._plan.name, self._host_id)

    def _get(self) -> Host:
        if self._host is None:
            context = ray.get_runtime_context()
            facts = HostFacts(
                node_id=context.get_node_id(),
                address=ray.util.get_node_ip_address(),
                pid=os.getpid(),
                package=__version__,
                browser=None,
            )
            self._host = Host(
                self._host_id, self._plan, RayDirectory(self._plan.name), facts, RayInstruments(self._plan.name)
            )
            self._waiting = asyncio.create_task(self._exit_after(self._host))
            self._drain_at_sigterm(asyncio.get_running_loop())
        return self._host

    def _drain_at_sigterm(self, loop: asyncio.AbstractEventLoop) -> None:
        async def drain() -> None:
            with suppress(FleetError):
                await RayDirectory(self._plan.name).drain(self._host_id)

        on_sigterm(lambda: asyncio.run_coroutine_threadsafe(drain(), loop))

    @staticmethod
    async def _exit_after(host: Host) -> None:
        await host.outcast.wait()
        try:
            await host.stop()
        finally:
            os._exit(0)

    async def tell(self, method: str, *args: Any) -> Outcome:
        """Carry out a method of `Host` for the directory, which ends the process after `stop`."""
        return await carried_out(getattr(self._get(), method), *args)

    async def call(self, work: bytes) -> bytes:
        """Carry out one of `Host.calls`: what is `packed` are the protocol, the driver, the name, the placement and the
        arguments, and then the outcome. Ray sends one piece of bytes sooner than several values."""
        try:
            protocol, driver, method, placement, args = cloudpickle.loads(work)
            if protocol != PROTOCOL:
                raise ValueError(f"protocol {protocol} in place of {PROTOCOL}")
            describe_span(f"host {method}", host=self._host_id)
            begun = self._get().begun(driver, method, placement, args)
        except Exception as error:  # whatever it is, nothing was carried out
            return packed(Outcome(error=OtherVersion(__version__, f"{type(error).__name__}: {error}"[:200])))
        return packed(await carried_out(lambda: begun))

    async def stay(self, for_s: float) -> None:
        """Return after so many seconds. A failure says that the process has ended."""
        await asyncio.sleep(for_s)


class RayDirectory:
    """The directory as a host sees it (`DirectoryClient`)."""

    def __init__(self, fleet: str) -> None:
        self.store: ControlStore = GcsStore(fleet)
        self._name = directory_name(fleet)
        self._handle: Any = None

    async def receive_report(self, report: HostReport) -> tuple[str, ...] | None:
        """See `DirectoryClient`."""
        gone: tuple[str, ...] | None = await self._ask("receive_report", report)
        return gone

    async def keep(self, placement: Placement, checkpoint: bytes) -> str:
        """See `DirectoryClient`."""
        problem: str = await self._ask("keep", placement, checkpoint)
        return problem

    async def drain(self, host_id: str) -> None:
        """See `Drains.drain`."""
        await self._ask("drain", host_id, None)

    async def _ask(self, method: str, *args: Any) -> Any:
        try:
            if self._handle is None:
                self._handle = await asyncio.to_thread(ray.get_actor, self._name, namespace=NAMESPACE)
            with apart():
                reference = self._handle.ask.remote(method, *args)
            return value_of(await reference)
        except (RayError, ValueError):
            self._handle = None
            raise FleetError("the directory does not answer") from None
