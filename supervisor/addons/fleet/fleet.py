"""`Fleet`: the tools of an agent over many machines, with the methods of `Toolbox`."""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from cdp_typed import __version__
from cdp_typed.errors import CalledFromLoopThread, CDPError
from cdp_typed.loop_thread import HANDLER_LOOP, LOOP_THREAD
from supervisor.config import Config, Settings, config_of
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.tools import CATALOGUE, BaseToolbox, Catalogue, Hook, Policy, ToolCall
from supervisor.tools.framework.base_toolbox import GRACE_S, TASK, TIMEOUT_S, Result
from supervisor.tools.framework.toolsets import DEFAULT

from .async_fleet import AsyncFleet
from .errors import FleetError, FleetStopped, NoSuchFleet
from .live_forwarding import LiveTunnel, open_tunnel
from .on_ray.cluster import connect_to_ray, create_directory, end_directory, find_directory
from .on_ray.router import DIRECTORY_S, TaskRouter
from .remote import RemoteSupervisor
from .settings import Hosts, Limits, Plan, differences
from .values import FleetStatus, RecordingInfo, TaskStatus

_log = logging.getLogger("supervisor.fleet")

_LAUNCHED = "ws://host.invalid"
"""The address of a browser that hosts start: nobody dials it, and the gates of tools see that there is one."""


HOSTS, LIMITS = Hosts(), Limits()
"""The default settings of a fleet."""


class Fleet(BaseToolbox):
    """The tools of an agent, whose tasks run on the machines of a Ray cluster, each in a separate browser context.

    `config` is a `Config`, whose endpoint every host uses, or settings of one (a mapping without `cdp_url`), and every
    host launches a Chromium. `hosts` and `limits` say how many there are, and how long tasks live. The other
    arguments are those of `Toolbox`; hooks run in this process, tools on the host of their task.

    `address` is the cluster's; without it the one that Ray is connected to, then `RAY_ADDRESS`, and else one that is
    started on this machine. Programs that give the same `name` share a fleet, with the settings of the one that came
    first; with `detached` it stays when the last of them has gone, until `stop`. While tasks wait for a host, programs
    take turns.

    The first result after a restart of the task has the field `restarted`. A call whose host is lost fails with
    `HostLost` and is not repeated. Raises `FleetError` when the cluster cannot be used, and `InvalidConfig`.
    """

    def __init__(
        self,
        config: Config | Settings | None = None,
        *,
        toolsets: str | Iterable[str] = DEFAULT,
        enabled: Iterable[str] = (),
        disabled: Iterable[str] = (),
        custom: Mapping[str, Sequence[str]] | None = None,
        policy: Policy | None = None,
        catalogue: Catalogue = CATALOGUE,
        timeout_s: float = TIMEOUT_S,
        hooks: Sequence[Hook] = (),
        hosts: Hosts = HOSTS,
        limits: Limits = LIMITS,
        name: str | None = None,
        address: str | None = None,
        detached: bool = False,
    ) -> None:
        super().__init__(
            toolsets=toolsets,
            enabled=enabled,
            disabled=disabled,
            custom=custom,
            policy=policy,
            catalogue=catalogue,
            timeout_s=timeout_s,
            hooks=hooks,
        )
        plan = Plan(
            name=name or f"fleet-{secrets.token_hex(4)}",
            config=config if isinstance(config, Config) else None,
            settings={} if config is None or isinstance(config, Config) else dict(config),
            hosts=hosts,
            limits=limits,
            policy=self.policy,
            catalogue=None if catalogue is CATALOGUE else catalogue,
            tools=sorted(self._names),
            timeout_s=timeout_s,
            is_own=name is None and not detached,
        )
        _check(plan)
        connect_to_ray(address)
        self._begin(plan, create_directory(plan, keeps=detached), is_own=name is None)
        _tell_differences(plan, self._router.plan)

    @classmethod
    def attach(cls, name: str, *, address: str | None = None, hooks: Sequence[Hook] = ()) -> Self:
        """Join a running fleet, with its settings. Raises `NoSuchFleet` and `FleetError`."""
        connect_to_ray(address)
        fleet = cls.__new__(cls)
        try:
            fleet._begin(Plan(name=name), find_directory(name), is_own=False)
        except FleetStopped:
            raise NoSuchFleet(name) from None
        plan = fleet._router.plan
        BaseToolbox.__init__(
            fleet,
            toolsets=(),
            enabled=plan.tools,
            disabled=(),
            custom=None,
            policy=plan.policy,
            catalogue=plan.catalogue or CATALOGUE,
            timeout_s=plan.timeout_s,
            hooks=hooks,
        )
        _tell_differences(plan, plan)
        return fleet

    def _begin(self, plan: Plan, directory: Any, *, is_own: bool) -> None:
        self._directory = directory
        self._is_own = is_own
        self._pid = os.getpid()
        self._opened = TaskRouter(plan, directory)
        HANDLER_LOOP.keep()
        HANDLER_LOOP.run(self._router.begin())
        running = self._router.plan
        self._shown = running.config or config_of(_LAUNCHED, running.task_settings)

    @property
    def name(self) -> str:
        """The name of the fleet."""
        return self._opened.plan.name

    @property
    def aio(self) -> AsyncFleet:
        """The same methods, to be awaited on any event loop."""
        return AsyncFleet(self._router)

    @property
    def _router(self) -> TaskRouter:
        """Raises `FleetError` in a forked child, where Ray would never answer."""
        if os.getpid() != self._pid:
            text = f"the fleet {self.name!r} was opened before this process was forked: attach to it in a new process"
            raise FleetError(f"{text} (multiprocessing: spawn)")
        return self._opened

    def supervisor(self, task_id: str = TASK) -> RemoteSupervisor:
        """The supervisor of a task, wherever it runs; the task is started by the first call."""
        return RemoteSupervisor(task_id, self)

    async def call(
        self, task_id: str, method: str, args: tuple[Any, ...], kwargs: dict[str, Any], timeout_s: float | None
    ) -> Any:
        """Carry out a method of a task's supervisor; `RemoteSupervisor` is made of this.

        Raises what the method raises, `HostLost` and `NotPlaced`.
        """
        if self._is_closed:
            raise FleetStopped(self.name)
        own_s = self._shown.call_timeout_s if timeout_s is None else timeout_s
        work = self._router.call(task_id, "call_supervisor", (method, args, kwargs), own_s + self._timeout_s)
        return await HANDLER_LOOP.hop(work)

    def status(self) -> FleetStatus:
        """The hosts of the fleet, and how many tasks there are."""
        return HANDLER_LOOP.run(self.aio.status())

    def tasks(self) -> tuple[TaskStatus, ...]:
        """Every task of the fleet, of all drivers."""
        return HANDLER_LOOP.run(self.aio.tasks())

    def end_task(self, task_id: str) -> None:
        """End a task: its pages are closed, its cookies and storage are gone. Raises `NoSuchTask`."""
        HANDLER_LOOP.run(self.aio.end_task(task_id))

    def drain(self, which: str, within_s: float | None = None) -> int:
        """Send no further tasks to a host, or to the hosts of a node (`status` has their ids). Running tasks have
        `limits.drain_s` seconds to end, then they restart on another host. A drained host ends when it has no task.
        Returns the number of hosts."""
        return HANDLER_LOOP.run(self.aio.drain(which, within_s))

    def undrain(self, which: str) -> int:
        """Let a drained host take tasks again, or let hosts start on a drained node again, and its drained hosts take
        tasks. A host that has ended does not come back. Returns how many hosts and nodes were drained."""
        return HANDLER_LOOP.run(self.aio.undrain(which))

    def roll(self, within_s: float | None = None) -> int:
        """Replace all hosts by new ones, one after the other, for a new version of the browser. Each new host serves
        before an old one is drained (see `drain`), so the cluster needs room for one more.

        Returns the number of hosts once all are replaced. Raises `RollStopped` when new hosts do not start; the old
        ones then go on.
        """
        return HANDLER_LOOP.run(self.aio.roll(within_s))

    def recordings(self, task_id: str) -> tuple[RecordingInfo, ...]:
        """The recordings of a task, the oldest first, on the machines of all hosts that live; the task may have ended.

        Raises `NotRecorded` without `Hosts(recordings=...)`.
        """
        return HANDLER_LOOP.run(self.aio.recordings(task_id))

    def fetch_recordings(self, task_id: str, folder: str | Path) -> tuple[Path, ...]:
        """Copy the recordings of a task into a directory, which is made; the paths, the oldest recording first.

        Copies that are there already are replaced. Raises `NotRecorded`, `NoSuchRecording`, `HostLost` and `OSError`.
        """
        return HANDLER_LOOP.run(self.aio.fetch_recordings(task_id, folder))

    @contextmanager
    def live(self, task_id: str, *, token: str | None = None, port: int = 0) -> Generator[LiveTunnel]:
        """Serve the live view of a task on a port of this machine's loopback for the length of the block.

        The host serves it on its own loopback, and the bytes go over Ray. Without a token one is made up. Raises
        `NoSuchTask` for a task without a place, `FleetError` and `OSError`.
        """
        tunnel = HANDLER_LOOP.run(open_tunnel(self._router, task_id, token, port))
        try:
            yield tunnel
        finally:
            HANDLER_LOOP.run(tunnel.close())

    def stop(self) -> None:
        """End the fleet for everybody: all tasks, all hosts, and the directory.

        With `Limits(remove_checkpoints=True)` it removes the checkpoints. Raises `FleetError` when some may be left.
        """
        stay = ""
        try:
            stay = HANDLER_LOOP.run(self._router.ask("stop"))
        except FleetStopped:
            pass
        except CDPError:
            if self._router.plan.limits.remove_checkpoints:
                stay = f"it is not known whether the checkpoints of the fleet {self.name!r} were removed"
        self._leave()
        end_directory(self._directory)
        if stay:
            raise FleetError(stay)

    def close(self) -> None:
        """End the calls that are under way. A fleet without a name ends; the tasks of one that is shared stay for other
        drivers, until they were not called for `limits.ttl_s`."""
        if LOOP_THREAD.is_current:
            raise CalledFromLoopThread
        if self._is_closed or os.getpid() != self._pid:
            return
        if self._is_own:
            self.stop()
        else:
            self._leave()

    async def _use(self, call: ToolCall) -> Result:
        self._chosen(call.name)
        work = (call.name, call.arguments)
        result: Result = json.loads(
            await self._router.call(call.task_id, "call_tool", work, self._timeout_s + GRACE_S * 2)
        )
        if "restarted" in result:
            _log.warning("the task %r began anew: %s", call.task_id, result["restarted"])
        return result

    def _config_of(self, task_id: str, must: bool = False) -> Config | None:
        return self._shown

    @property
    def _patience_s(self) -> float | None:
        first_s = self._opened.plan.limits.queue_s + DIRECTORY_S
        return None if self._hooks else self._timeout_s + GRACE_S * 3 + first_s

    def _leave(self) -> None:
        self._is_closed = True
        self._calls.cancel()
        HANDLER_LOOP.run(self._router.end())


def _tell_differences(given: Plan, running: Plan) -> None:
    """Log what a fleet does that runs already, and that this program did not ask for."""
    differing = differences(given, running)
    if differing:
        names = ", ".join(differing)
        _log.warning("the fleet %r runs already, and keeps its own settings; it differs in: %s", given.name, names)
    if running.package != __version__:
        _log.warning("the fleet %r runs cdp-typed %s; this is %s", given.name, running.package, __version__)


def _check(plan: Plan) -> None:
    """Raise `InvalidConfig` for settings that a fleet cannot keep."""
    config = plan.config
    if config is None:
        config = config_of(_LAUNCHED, plan.task_settings)
    if config.ssl is not None:
        raise InvalidConfig("ssl", "an SSLContext", "none in a fleet: it cannot be sent to other machines")
    if config.scope == "tab":
        raise InvalidConfig("scope", "tab", "browser or own in a fleet: its hosts do not know the tab")
    if plan.policy.approve:
        raise InvalidConfig("approve", plan.policy.approve, "none in a fleet: its hosts ask no person")
    if plan.policy.watches and plan.hosts.tasks > 1:
        expected = "1 under a policy with URL rules: in a browser that tasks share, pages can get around them"
        raise InvalidConfig("tasks", plan.hosts.tasks, expected)
    if plan.policy.watches and config.context_proxy is not None:
        expected = "none under a policy with URL rules: a proxy finds the addresses of names itself"
        raise InvalidConfig("context_proxy", "a proxy", expected)
