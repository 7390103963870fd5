"""Tools for an agent: which there are, in the form its model takes, and a call that always gives JSON."""

from __future__ import annotations

import asyncio
import difflib
import inspect
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar, cast

from msgspec import Struct

from cdp_typed.errors import CDPError, LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD
from supervisor.config import Config, Settings
from supervisor.core.vocabulary.errors import InvalidConfig, NotRunning
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.facade import CDPSupervisor
from supervisor.registry import SUPERVISOR_REGISTRY, SupervisorRegistry

from .coercion import read
from .navigation_guard import Guards
from .plugins import load_plugins
from .policy import Policy
from .redaction import Redactor, secrets_in
from .result_text import as_text
from .results import Envelope, failure, success
from .schemas import Form, Schema, definition, without_absent
from .tool import CATALOGUE, Catalogue, Surroundings, Tool, ToolContext
from .tool_errors import ToolUnavailable, UnknownTool
from .toolsets import DEFAULT, resolve

_log = logging.getLogger("supervisor.tools.toolbox")

T = TypeVar("T")

TASK = "default"
TIMEOUT_S = 300.0


class Toolbox:
    """The tools that one agent gets, over the supervisors of a registry: one per task.

    `config` is the endpoint; without it, a supervisor that runs for the task is used, or the environment's endpoint
    (`CDP_SUPERVISOR_CDP_URL`, see `Config.from_environment`). `toolsets` names sets or tools, `enabled` adds tools to
    them, `disabled` takes some away; `custom` defines sets of your own. No call takes longer than `timeout_s`.
    Raises `InvalidConfig` for a name that is none.
    """

    def __init__(
        self,
        config: Config | None = None,
        *,
        registry: SupervisorRegistry = SUPERVISOR_REGISTRY,
        toolsets: str | Iterable[str] = DEFAULT,
        enabled: Iterable[str] = (),
        disabled: Iterable[str] = (),
        custom: Mapping[str, Sequence[str]] | None = None,
        policy: Policy | None = None,
        catalogue: Catalogue = CATALOGUE,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        if catalogue is CATALOGUE:
            load_plugins()
        self.policy: Policy = policy or Policy()
        self._config = config
        self._registry = registry
        self._catalogue = catalogue
        self._timeout_s = timeout_s
        chosen = [toolsets] if isinstance(toolsets, str) else list(toolsets)
        self._names = resolve([*chosen, *enabled], catalogue, custom) - resolve(disabled, catalogue, custom)
        self._guards = Guards(self.policy)

    def available(self, task_id: str = TASK) -> tuple[Tool, ...]:
        """The tools that can be used for this task now: chosen, and let through by their gates."""
        surroundings = Surroundings(config=self._config_of(task_id), policy=self.policy)
        return tuple(tool for tool in self._catalogue if tool.name in self._names and _is_open(tool, surroundings))

    def definitions(self, form: Form = "openai", task_id: str = TASK, *, structured: bool = False) -> list[Schema]:
        """The tools of `available` in a model's or client's form: `openai` (strict mode), `anthropic`, or `mcp`.

        Those of `mcp` have an output schema with `structured`, for clients that read results as JSON.
        """
        tools = self.available(task_id)
        words = partial(without_absent, absent=self._absent(tools))
        return [definition(tool, form, words, structured=structured) for tool in tools]

    def dispatch(self, name: str, args: object = None, task_id: str = TASK) -> str:
        """Call a tool and wait for it: a JSON object with `success`, whatever happens.

        `args` is an object or its JSON text. Works from any thread, also one that runs an event loop (which then
        waits), but not from a supervisor's own callbacks.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self.adispatch(name, args, task_id))
        try:
            _refuse_on_loop_thread()
        except CDPError as error:
            return self._written(failure(error, None), task_id)
        with ThreadPoolExecutor(1) as pool:  # asyncio runs one loop per thread
            return pool.submit(lambda: asyncio.run(self.adispatch(name, args, task_id))).result()

    async def adispatch(self, name: str, args: object = None, task_id: str = TASK) -> str:
        """The same, to be awaited, on any event loop."""
        try:
            result, now = await self._call(name, args, task_id)
            payload = success(result, now)
        except Exception as error:
            if not isinstance(error, (CDPError, TimeoutError)):
                _log.error("%s: its handler raised %s", name, type(error).__name__)
            words = partial(without_absent, absent=self._absent(self.available(task_id)))
            payload = failure(error, self._look(task_id), words)
        return self._written(payload, task_id)

    def as_text(self, name: str, result: str | Mapping[str, Any]) -> str:
        """What `dispatch` gave for this tool, as lines for a model: as complete, and shorter. Images are left out."""
        payload: Mapping[str, Any] = json.loads(result) if isinstance(result, str) else result
        tool = self._catalogue.get(name)
        return as_text(payload, tool.result if tool is not None else Envelope)

    async def guard(self, supervisor: CDPSupervisor) -> None:
        """Hold a supervisor's pages to the policy from now on; the first call of a tool does it otherwise."""
        await self._guards.watch(supervisor.aio)

    async def _call(self, name: str, args: object, task_id: str) -> tuple[Struct, SupervisorSnapshot | None]:
        tool = self._find(name, task_id)
        arguments = read(args, tool.arguments)
        async with asyncio.timeout(self._timeout_s):
            supervisor = await self._supervisor(task_id)
            await self.guard(supervisor)
            context = ToolContext(
                task_id=task_id,
                blocking=supervisor,
                policy=self.policy,
                available=frozenset(tool.name for tool in self.available(task_id)),
            )
            if inspect.iscoroutinefunction(tool.handler):
                result = await cast(Awaitable[Struct], tool.handler(context, arguments))
            else:
                result = await _in_thread(tool, context, arguments)
        if not isinstance(result, tool.result):
            raise TypeError(f"the handler returned {type(result).__name__}, not {tool.result.__name__}")
        return result, self._look(task_id)

    def _find(self, name: str, task_id: str) -> Tool:
        """Raises `UnknownTool` or `ToolUnavailable`."""
        tool = self._catalogue.get(name)
        if tool is None:
            near = difflib.get_close_matches(name, sorted(self._names), 1)
            raise UnknownTool(name, near[0] if near else None)
        if name not in self._names:
            raise ToolUnavailable(name, f"it is switched off here; it belongs to the toolset {tool.toolset!r}")
        config = self._config_of(task_id, must=True)
        if not _is_open(tool, Surroundings(config=config, policy=self.policy)):
            raise ToolUnavailable(name, "no browser endpoint is configured" if config is None else "its gate is closed")
        return tool

    def _config_of(self, task_id: str, must: bool = False) -> Config | None:
        """The task's endpoint, if any; with `must`, a setting of the environment that is wrong raises."""
        if self._config is not None:
            return self._config
        running = self._registry.get(task_id)
        if running is not None:
            return running.config
        try:
            return Config.from_environment()
        except InvalidConfig as error:
            if must and error.value is not None:
                raise
            return None

    async def _supervisor(self, task_id: str) -> CDPSupervisor:
        """The task's supervisor, started where it is not."""
        config = self._config_of(task_id)
        if config is None:
            raise NotRunning("no browser endpoint is configured")
        running = self._registry.get(task_id)
        if running is not None and running.is_running and running.config == config:
            return running
        settings = cast(Settings, {name: getattr(config, name) for name in Settings.__annotations__})
        return await _threaded(lambda: self._registry.get_or_start(task_id, config.cdp_url, **settings))

    def _look(self, task_id: str) -> SupervisorSnapshot | None:
        running = self._registry.get(task_id)
        try:
            return running.snapshot() if running is not None else None
        except NotRunning:
            return None

    def _absent(self, tools: Iterable[Tool]) -> frozenset[str]:
        return frozenset(tool.name for tool in self._catalogue) - {tool.name for tool in tools}

    def _written(self, payload: dict[str, Any], task_id: str) -> str:
        """JSON that any channel can carry: ASCII, without the endpoint's credentials."""
        hidden = Redactor(secrets_in(self._config_of(task_id)), self.policy.redact).value(payload)
        return json.dumps(hidden, ensure_ascii=True)


def _is_open(tool: Tool, surroundings: Surroundings) -> bool:
    try:
        return tool.gate(surroundings)
    except Exception:
        _log.debug("the gate of %s raised, which means no", tool.name, exc_info=True)
        return False


async def _in_thread(tool: Tool, context: ToolContext, arguments: Struct) -> Struct:
    result = await _threaded(lambda: tool.handler(context, arguments))
    return result if isinstance(result, Struct) else await result


async def _threaded(work: Callable[[], T]) -> T:
    """Run a blocking function on a thread of its own; a call that is cancelled does not wait for the thread."""
    future: Future[T] = Future()

    def run() -> None:
        future.set_running_or_notify_cancel()
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)


def _refuse_on_loop_thread() -> None:
    """Raise `CalledFromLoopThread` where to wait would stop every supervisor."""

    async def nothing() -> None:
        pass

    try:
        LOOP_THREAD.start(nothing())
    except LoopThreadEnded:
        return
