"""Tools for an agent, over the supervisors of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import cast

from msgspec.structs import replace

from cdp_typed.errors import CalledFromLoopThread, NotAllowed
from cdp_typed.loop_thread import LOOP_THREAD
from supervisor.config import Config, Settings
from supervisor.core.vocabulary.errors import InvalidConfig, NotRunning, WaitingForPerson
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.driver.takeover import allowed
from supervisor.facade import CDPSupervisor
from supervisor.registry import SUPERVISOR_REGISTRY, SupervisorRegistry
from supervisor.saved_state.logins import protect_saved
from supervisor.tools.handlers.call_observers import observed, observers_of
from supervisor.tools.handlers.handler_calls import call_handler, in_thread

from .base_toolbox import TIMEOUT_S, BaseToolbox, Hook, Result, ToolCall
from .coercion import read
from .navigation_guard import Guards
from .policy import Policy
from .results import success
from .tool import CATALOGUE, Catalogue, ToolContext, ToolInvoker
from .tool_errors import ToolUnavailable
from .toolsets import DEFAULT

STEP_S = 0.25
PERSON_S = 20.0
"""So long a call that acts waits for a person who controls the browser; hosts give a call a minute, as a rule."""


class Toolbox(BaseToolbox):
    """The tools that one agent gets, over the supervisors of a registry: one per task.

    `config` is the endpoint. A callable that returns one, or None, is asked when no supervisor runs for the task;
    without `config` that is the environment's endpoint (`CDP_SUPERVISOR_CDP_URL`, see `Config.from_environment`).
    `toolsets` names sets or tools, `enabled` adds tools to them, `disabled` takes some away; `custom` defines your
    own sets. No call takes longer than `timeout_s`. `hooks` are called around every call, the first one outermost.
    Raises `InvalidConfig` for a name that is none.

    Handlers that are async run on one event loop, the same for every call and every toolbox of the process, so that
    they may keep clients that belong to a loop; so do the hooks. A handler that blocks must not be async: it gets a
    separate thread.

    `close`, or the end of a `with` or `async with` block, ends what the toolbox started.
    """

    def __init__(
        self,
        config: Config | Callable[[], Config | None] | None = None,
        *,
        registry: SupervisorRegistry = SUPERVISOR_REGISTRY,
        toolsets: str | Iterable[str] = DEFAULT,
        enabled: Iterable[str] = (),
        disabled: Iterable[str] = (),
        custom: Mapping[str, Sequence[str]] | None = None,
        policy: Policy | None = None,
        catalogue: Catalogue = CATALOGUE,
        timeout_s: float = TIMEOUT_S,
        hooks: Sequence[Hook] = (),
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
        protect_saved()
        self._config = config
        self._registry = registry
        self._guards = Guards(self.policy)
        self._reported_downloads: dict[str, frozenset[tuple[str, float]]] = {}
        self._earlier_downloads: dict[str, frozenset[tuple[str, float]]] = {}
        """By task id: those that were reported before the latest call that acts had its result."""
        self._started: dict[str, CDPSupervisor] = {}
        """By task id: the supervisors that were started for this toolbox, and are to end with it."""
        self._left: dict[str, tuple[Config, asyncio.Future[CDPSupervisor]]] = {}
        """By task id: the starts that wait for a person, and no longer have a call that waits for them."""

    async def guard(self, supervisor: CDPSupervisor) -> None:
        """Hold a supervisor's pages to the policy from now on; the first call of a tool does it otherwise."""
        await self._guards.watch(supervisor.aio)

    def close(self) -> None:
        """End the calls that are under way and stop the supervisors that were started for this toolbox; those that
        others started stay. Calls that come later fail with `ToolUnavailable`. A second call does nothing.

        Raises `CalledFromLoopThread` in a supervisor's own callbacks.
        """
        if LOOP_THREAD.is_current:
            raise CalledFromLoopThread
        with self._lock:
            self._is_closed = True
            started, self._started = self._started, {}
        self._calls.cancel()
        for task_id, supervisor in started.items():
            self._registry.stop(task_id, only=supervisor)

    async def _use(self, call: ToolCall) -> Result:
        tool = self._chosen(call.name)
        config = self._config_of(call.task_id, must=tool.uses_browser)
        opened = frozenset(tool.name for tool in self._open(config))
        if tool.name not in opened:
            is_missing = tool.uses_browser and config is None
            raise ToolUnavailable(
                tool.name, "no browser endpoint is configured" if is_missing else "its gate is closed"
            )
        self.policy.check_approved(tool.name, acts=not tool.reads_only)
        arguments = read(call.arguments, tool.arguments)
        async with asyncio.timeout(self._timeout_s):
            context = ToolContext(
                task_id=call.task_id,
                running=await self._supervisor(call.task_id, config if tool.uses_browser else None),
                policy=self.policy,
                available=opened,
                others=self._others(call.task_id) if tool.calls_tools else None,
                earlier_downloads=self._earlier_downloads.get(call.task_id, frozenset()),
            )
            if context.running is not None and tool.uses_browser and not (tool.leaves_pages or tool.calls_tools):
                self.policy.check_page(context.running.snapshot())
            if context.running is not None and tool.uses_browser and not tool.reads_only:
                await context.running.takeover.wait_until_allowed(tool.name, PERSON_S)
            observers = () if context.running is None else observers_of(context.running.aio)
            with allowed():  # a call that has begun runs to its end
                handle = partial(call_handler, tool.handler, context, arguments)
                result = await observed(observers, tool.name, arguments, handle)
        if not isinstance(result, tool.result):
            raise TypeError(f"the handler returned {type(result).__name__}, not {tool.result.__name__}")
        if not (tool.reads_only or tool.calls_tools):
            self._earlier_downloads[call.task_id] = self._reported_downloads.get(call.task_id, frozenset())
        return self._with_person_note(call, success(result, self._look(call.task_id)))

    def _others(self, task_id: str) -> ToolInvoker:
        def check(name: str, arguments: object) -> None:
            read(arguments, self._chosen(name).arguments)

        async def call(name: str, arguments: object) -> Result:
            return await self._answer(ToolCall(name=name, arguments=arguments, task_id=task_id))

        return ToolInvoker(check, call, self.as_text)

    def _config_of(self, task_id: str, must: bool = False) -> Config | None:
        """The task's endpoint, if any; with `must`, what is wrong with the settings raises."""
        if isinstance(self._config, Config):
            return self._config
        running = self._registry.get(task_id)
        if running is not None:
            return running.config
        try:
            return self._config() if self._config else Config.from_environment()
        except Exception as error:  # of a function that the caller gave
            is_missing = isinstance(error, InvalidConfig) and error.value is None
            if must and not is_missing:
                raise
            return None

    async def _supervisor(self, task_id: str, config: Config | None) -> CDPSupervisor | None:
        """The task's supervisor, held to the policy: with `config` started where it is not, without only if it runs."""
        supervisor = self._registry.get(task_id)
        if config is not None and not (supervisor and supervisor.is_running and supervisor.config == config):
            supervisor = await self._start_soon(task_id, config)
        if supervisor is not None:
            await self.guard(supervisor)
        return supervisor

    async def _start_soon(self, task_id: str, config: Config) -> CDPSupervisor:
        """Start the task's supervisor. If a person has to allow the connection, and does not within `PERSON_S`, the
        start goes on without this call, and the next call joins it, or learns that the person refused."""
        starting = self._asking(task_id, config) or asyncio.ensure_future(
            in_thread(partial(self._start, task_id, config))
        )
        waited = 0.0
        try:
            while not (await asyncio.wait({starting}, timeout=STEP_S))[0]:
                status = self._registry.status(task_id)
                waited = waited + STEP_S if status.state == "waiting_for_person" else 0.0
                if waited >= PERSON_S:
                    raise WaitingForPerson(status.reason)
            return starting.result()
        except WaitingForPerson:
            starting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # a call may never come
            self._left[task_id] = config, starting
            raise
        except BaseException:
            starting.cancel()
            raise

    def _asking(self, task_id: str, config: Config) -> asyncio.Future[CDPSupervisor] | None:
        """The start that an earlier call left with the person, unless that person allowed it."""
        asked, starting = self._left.pop(task_id, (None, None))
        if starting is None or asked != config:
            return None
        is_over = starting.done() and (starting.cancelled() or not isinstance(starting.exception(), NotAllowed))
        return None if is_over else starting

    def _start(self, task_id: str, config: Config) -> CDPSupervisor:
        settings = cast(Settings, {name: getattr(config, name) for name in Settings.__annotations__})
        supervisor, is_ours = self._registry.obtain(task_id, config.cdp_url, **settings)
        with self._lock:
            if is_ours and not self._is_closed:
                self._started[task_id] = supervisor
        if is_ours and self._is_closed:
            self._registry.stop(task_id, only=supervisor)
            raise NotRunning("the toolbox was closed meanwhile")
        return supervisor

    def _running_supervisor(self, task_id: str) -> CDPSupervisor | None:
        return self._registry.get(task_id)

    def _look(self, task_id: str) -> SupervisorSnapshot | None:
        """The task's snapshot as a result shows it: with those ended downloads that no result had before."""
        running = self._registry.get(task_id)
        try:
            now = running.snapshot() if running is not None else None
        except NotRunning:
            now = None
        if now is None or not now.recent_downloads:
            return now
        ended = {(download.id, download.ended_at): download for download in now.recent_downloads}
        with self._lock:
            reported = self._reported_downloads.get(task_id, frozenset())
            self._reported_downloads[task_id] = frozenset(ended)
        return replace(now, recent_downloads=tuple(ended[key] for key in ended if key not in reported))
