"""The base of `Toolbox` and `Fleet`: the choice of tools, and a call that always returns JSON."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CalledFromLoopThread, CDPError, LoopThreadEnded
from cdp_typed.loop_thread import HANDLER_LOOP, LOOP_THREAD
from cdp_typed.spelling import did_you_mean
from supervisor.config import Config
from supervisor.core.vocabulary.errors import InvalidConfig, NotRunning
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.facade import CDPSupervisor
from supervisor.tools.handlers.handler_calls import (
    RunningCall,
    RunningCalls,
    in_thread,
    is_cancelled_from_outside,
)
from supervisor.tools.handlers.recorded_calls import RecordedCall

from .coercion import without_foreign
from .policy import Policy
from .redaction import Redactor, secrets_in, typed_fields
from .result_text import CONTENT_FORMS, Block, ContentForm, as_text, blocks, marked, without_pictures
from .results import ResultFields, failure, ids_of_given_tabs, names_one_of
from .schemas import FORMS, Form, Schema, definition, without_absent
from .tool import Catalogue, Gate, GateContext, Tool
from .tool_errors import HandlerAborted, ToolUnavailable, UnknownTool
from .toolsets import resolve
from .untrusted_text import shortened

_log = logging.getLogger("supervisor.tools.toolbox")

TASK = "default"
TIMEOUT_S = 300.0
GRACE_S = 5.0
"""A call ends by its deadline; this much later the caller gives up on a handler that cannot be ended."""

_IN_PARTS = frozenset({"cursor", "part"})
"""Arguments of tools whose results come in parts."""


class ToolCall(Struct, frozen=True, kw_only=True):
    """A call of a tool, as it was asked for."""

    name: str
    arguments: object
    """An object, its JSON text, or None: not checked yet."""
    task_id: str
    needs_approval: bool = False
    """Set for hooks: the policy has a person approve calls of this tool."""


Result: TypeAlias = dict[str, Any]
CallNext: TypeAlias = Callable[[ToolCall], Coroutine[Any, Any, Result]]
Hook: TypeAlias = Callable[[ToolCall, CallNext], Coroutine[Any, Any, Result]]
"""A function around every call: `async def hook(call, call_next)` returns `await call_next(call)`, or another
result. An exception that it raises becomes the error of the call."""


class BaseToolbox(ABC):
    """Chooses an agent's tools and answers every call in JSON. Subclasses decide where a call runs.

    See `Toolbox` for the arguments.
    """

    def __init__(
        self,
        *,
        toolsets: str | Iterable[str],
        enabled: Iterable[str],
        disabled: Iterable[str],
        custom: Mapping[str, Sequence[str]] | None,
        policy: Policy | None,
        catalogue: Catalogue,
        timeout_s: float,
        hooks: Sequence[Hook],
    ) -> None:
        self.policy: Policy = policy or Policy()
        self._catalogue = catalogue
        self._timeout_s = timeout_s
        self._hooks = tuple(hooks)
        chosen = [toolsets] if isinstance(toolsets, str) else list(toolsets)
        self._names = resolve([*chosen, *enabled], catalogue, custom) - resolve(disabled, catalogue, custom)
        self._calls = RunningCalls()
        self._check_approve()
        self._lock = threading.Lock()
        self._is_closed = False
        self._redactor: tuple[Config | None, Redactor] | None = None
        """The one of the last call: to make one takes longer than most calls need."""

    @property
    def chosen(self) -> tuple[Tool, ...]:
        """The tools of its toolsets, whether they can be used now or not."""
        return tuple(tool for tool in self._catalogue if tool.name in self._names)

    def available(self, task_id: str = TASK) -> tuple[Tool, ...]:
        """The tools that can be used for this task now: chosen, and let through by their gates."""
        return self._open(self._config_of(task_id))

    def definitions(self, form: Form = "openai", task_id: str = TASK, *, structured: bool = False) -> list[Schema]:
        """The tools of `available` in a model's or client's form.

        `openai` (chat completions) and `openai-responses` use strict mode, `gemini` has function declarations,
        `anthropic` and `mcp` have plain JSON schemas. Those of `mcp` have an output schema with `structured`, for
        clients that read results as JSON. Raises `InvalidConfig` for another form, with the list of forms.
        """
        return self._in_form(form, self.available(task_id), structured=structured)

    def schemas(self, form: Form = "openai") -> list[Schema]:
        """The tools of `chosen` in such a form, for a host that asks its own gates."""
        return self._in_form(form, self.chosen)

    def dispatch(self, name: str, args: object = None, task_id: str = TASK) -> str:
        """Call a tool and wait for it: a JSON object with `success`, whatever happens.

        `args` is an object or its JSON text. Works from any thread, also where an event loop runs, which it blocks:
        the first such call of a process warns. In callbacks of a supervisor and in async handlers and hooks the call
        is not made, the result is the error `CalledFromLoopThread`, and `adispatch` is the one to await.
        """
        call = ToolCall(name=name, arguments=args, task_id=task_id)
        HANDLER_LOOP.keep()
        try:
            if LOOP_THREAD.is_current or HANDLER_LOOP.is_current:
                raise CalledFromLoopThread(instead="await adispatch(name, args) there")
            result = HANDLER_LOOP.run(self._answer(call), self._patience_s, warns=True)
        except (CDPError, TimeoutError) as error:
            result = self._failed(call, error)
        return self._written(result, task_id)

    async def adispatch(self, name: str, args: object = None, task_id: str = TASK) -> str:
        """The same, to be awaited, on any event loop. Cancelling it cancels the handler."""
        call = ToolCall(name=name, arguments=args, task_id=task_id)
        HANDLER_LOOP.keep()
        try:
            async with asyncio.timeout(self._patience_s):
                result = await HANDLER_LOOP.hop(self._answer(call))
        except (CDPError, TimeoutError) as error:
            result = self._failed(call, error)
        return self._written(result, task_id)

    def without_foreign(self, name: str, args: object) -> object:
        """The arguments for `dispatch` without those that a host adds to every tool, also in the steps of a batch.

        An argument whose name resembles one of the tool's stays: `dispatch` refuses it, and says which was meant.
        """

        def kind_of(name: str) -> type[Struct] | None:
            tool = self._catalogue.get(name) or self._catalogue.get(f"browser_{name}")
            return tool.arguments if tool is not None else None

        kind = kind_of(name)
        return without_foreign(args, kind, kind_of) if kind is not None else args

    def shortened(self, name: str, result: Result) -> Result:
        """The result of `dispatch` for this tool, for a host that cuts long ones, mostly in the middle.

        Page text and values take at most 8,000 characters; `cut` reports what is left out. Pages in parts and lists
        whose length an argument sets are short already, and stay.
        """
        tool = self._catalogue.get(name)
        if tool is None or not result["success"] or not _IN_PARTS.isdisjoint(tool.arguments.__struct_fields__):
            return result
        return shortened(result, tool.result, has_limit="limit" in tool.arguments.__struct_fields__)

    def as_text(self, name: str, result: str | Mapping[str, Any]) -> str:
        """The result of `dispatch` for this tool, as lines for a model: as complete, and shorter.

        Pictures are left out: `as_content` has them.
        """
        payload: Mapping[str, Any] = json.loads(result) if isinstance(result, str) else result
        tool = self._catalogue.get(name)
        return as_text(payload, tool.result if tool is not None else ResultFields)

    def as_content(self, name: str, result: str | Mapping[str, Any], form: ContentForm) -> list[Block]:
        """The result of `dispatch` for this tool, as content blocks: the text of `as_text`, then each picture.

        The text begins with `error: ` after a failure, and ends with a line that says so if pages wrote parts of it.

        `form` is the API that gets them: `openai` (chat completions; a tool message takes only the first block, the
        pictures belong into a user message after it), `openai-responses` (the `output` of a `function_call_output`),
        `anthropic` (the `content` of a `tool_result`), `gemini` (parts), `langchain` (the content of a `ToolMessage`)
        or `mcp`. Raises `InvalidConfig` for another form.
        """
        if form not in CONTENT_FORMS:
            raise InvalidConfig.not_one_of("form", form, CONTENT_FORMS)
        payload: Mapping[str, Any] = json.loads(result) if isinstance(result, str) else result
        reported, pictures = without_pictures(payload)
        return blocks(marked(self.as_text(name, reported), payload), pictures, form)

    @abstractmethod
    def close(self) -> None:
        """End the calls that are under way, and what was started for them; what is called later fails with
        `ToolUnavailable`. A second call does nothing."""

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied or pickled: supervisors, threads and gates stay in their process."""
        kind = type(self).__name__
        raise TypeError(
            f"a {kind} cannot be pickled or copied: its browser connections belong to this process; "
            f"pickle its Config, and make a {kind} from it in the process that uses it"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await in_thread(self.close)

    @property
    def running(self) -> tuple[RunningCall, ...]:
        """The calls that have not ended, the oldest first. From any thread."""
        return self._calls.all

    @abstractmethod
    async def _use(self, call: ToolCall) -> Result:
        """The result of the call; `_failed` reports what it raises."""

    @abstractmethod
    def _config_of(self, task_id: str, must: bool = False) -> Config | None:
        """The task's settings, if any; with `must`, what is wrong with them raises."""

    def _running_supervisor(self, task_id: str) -> CDPSupervisor | None:
        """The task's supervisor, if it runs in this process."""
        return None

    def _look(self, task_id: str) -> SupervisorSnapshot | None:
        """The task's snapshot as the result of a call that failed shows it."""
        return None

    @property
    def _patience_s(self) -> float | None:
        """The time after which a caller waits no longer; hooks may ask a person, and take as long as they like."""
        return None if self._hooks else self._timeout_s + GRACE_S

    async def _answer(self, call: ToolCall) -> Result:
        """On the loop of the handlers: the call with all hooks around it."""
        work: CallNext = partial(self._caught, self._use)
        for hook in reversed(self._hooks):
            work = partial(self._caught, _around(hook, work))
        tool = self._catalogue.get(call.name)
        if tool is not None:
            call = replace(call, needs_approval=self.policy.asks_person(tool.name, acts=not tool.reads_only))
        if tool is not None and tool.calls_tools:
            return await work(call)
        typed: Mapping[str, str] = typed_fields(tool.arguments) if tool is not None else {}
        note = RecordedCall(call.name, call.arguments, typed, self._redactor_of(call.task_id).text)
        with self._calls.noted(call.name):
            note.begin(self._running_supervisor(call.task_id))
            given = self._ids_of_given_tabs(call.task_id)
            result = await work(call)
            if names_one_of(given, note.arguments, result):
                result = {**result, "persons_tab": True}
            note.end(self._running_supervisor(call.task_id), result, partial(self.as_text, call.name))
            return result

    async def _caught(self, work: CallNext, call: ToolCall) -> Result:
        """Return the result of the work, or of its failure. Only the cancellation of the call itself is raised."""
        try:
            return await work(call)
        except asyncio.CancelledError as error:
            if is_cancelled_from_outside():
                raise
            return self._failed(call, HandlerAborted(call.name, type(error).__name__))
        except (SystemExit, KeyboardInterrupt, BaseExceptionGroup) as error:
            return self._failed(call, HandlerAborted(call.name, type(error).__name__))
        except Exception as error:  # the model learns of whatever a handler raises
            return self._failed(call, error)

    def _failed(self, call: ToolCall, error: Exception) -> Result:
        if isinstance(error, LoopThreadEnded):  # the call was cancelled, and not by its caller
            error = self._closed(call.name) if self._is_closed else HandlerAborted(call.name, "CancelledError")
        if isinstance(error, HandlerAborted) or not isinstance(error, (CDPError, TimeoutError)):
            what = error.what if isinstance(error, HandlerAborted) else type(error).__name__
            _log.error("%s: its handler raised %s", call.name, what)
        words = partial(without_absent, absent=self._absent(self.available(call.task_id)))
        return self._with_person_note(call, failure(error, self._look(call.task_id), words))

    def _with_person_note(self, call: ToolCall, result: Result) -> Result:
        """The result, with the news that a person controls the browser, if one does."""
        running = self._running_supervisor(call.task_id)
        is_taken = running is not None and running.takeover.since is not None
        return {**result, "controlled_by_person": True} if is_taken else result

    def _ids_of_given_tabs(self, task_id: str) -> frozenset[str]:
        running = self._running_supervisor(task_id)
        try:
            return frozenset() if running is None else ids_of_given_tabs(running.snapshot(), running.frames())
        except NotRunning:
            return frozenset()

    def _check_approve(self) -> None:
        """Raise `InvalidConfig` for an entry of the policy's `approve` that means no tool: a misspelt one would ask
        nobody."""
        for pattern in self.policy.approve:
            if not any(self._means(pattern, tool) for tool in self._catalogue):
                near = did_you_mean(pattern, [tool.name for tool in self._catalogue], 1)
                raise InvalidConfig("approve", pattern, f"the name of a tool, or a pattern of tools that act{near}")

    @staticmethod
    def _means(pattern: str, tool: Tool) -> bool:
        return Policy(approve=(pattern,)).asks_person(tool.name, acts=not tool.reads_only)

    def _in_form(self, form: Form, tools: Sequence[Tool], *, structured: bool = False) -> list[Schema]:
        if form not in FORMS:
            raise InvalidConfig.not_one_of("form", form, FORMS)
        words = partial(without_absent, absent=self._absent(tools))
        return [definition(tool, form, words, structured=structured) for tool in tools]

    def _chosen(self, name: str) -> Tool:
        """Raises `UnknownTool` or `ToolUnavailable`."""
        tool = self._catalogue.get(name)
        if tool is None:
            raise UnknownTool(name, self._names)
        if name not in self._names:
            raise ToolUnavailable(name, f"it is switched off here; it belongs to the toolset {tool.toolset!r}")
        if self._is_closed:
            raise self._closed(name)
        return tool

    @staticmethod
    def _closed(name: str) -> ToolUnavailable:
        return ToolUnavailable(name, "the toolbox is closed")

    def _open(self, config: Config | None) -> tuple[Tool, ...]:
        """The chosen tools whose gates are open. A gate that several tools have is asked once."""
        context = GateContext(config=config, policy=self.policy)
        asked: dict[object, bool] = {}
        opened: list[Tool] = []
        for tool in self.chosen:
            key = _key(tool.gate)
            if key not in asked:
                asked[key] = _is_open(tool.gate, context)
            if asked[key] and (config is not None or not tool.uses_browser):
                opened.append(tool)
        return tuple(opened)

    def _absent(self, tools: Iterable[Tool]) -> frozenset[str]:
        return frozenset(tool.name for tool in self._catalogue) - {tool.name for tool in tools}

    def _written(self, result: Result, task_id: str) -> str:
        """JSON that any channel can carry: ASCII, without the endpoint's credentials and the passwords of logins."""
        return json.dumps(self._redactor_of(task_id).value(result), ensure_ascii=True, separators=(",", ":"))

    def _redactor_of(self, task_id: str) -> Redactor:
        config, last = self._config_of(task_id), self._redactor  # another thread may put its own there meanwhile
        if last is None or last[0] is not config:
            last = self._redactor = (config, Redactor(secrets_in(config), self.policy.redact))
        return last[1]


def _around(hook: Hook, work: CallNext) -> CallNext:
    async def run(call: ToolCall) -> Result:
        return await hook(call, work)

    return run


def _key(gate: object) -> object:
    try:
        hash(gate)
    except TypeError:
        return id(gate)
    return gate


def _is_open(gate: Gate, context: GateContext) -> bool:
    try:
        return gate(context)
    except Exception:  # a gate is a function that the caller gave
        _log.debug("the gate %s raised, which means no", gate, exc_info=True)
        return False
