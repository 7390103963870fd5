"""A tool: its typed arguments, its typed result, and its annotations."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias, TypedDict, TypeVar, Unpack, get_type_hints

from msgspec import Struct, field

from cdp_typed._base import Base64
from cdp_typed.conversions import convert
from supervisor.aio import AsyncSupervisor
from supervisor.config import Config
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.url_rules import is_script
from supervisor.declarations import declarations, left_out
from supervisor.facade import CDPSupervisor
from supervisor.tools.handlers.json_schema import arguments_of, expand, handler_of

from .policy import Policy
from .tool_errors import PolicyRefused
from .untrusted_text import PageValue

_RUNS_SCRIPTS = "browser_evaluate"

A = TypeVar("A", bound=Struct)
R = TypeVar("R", bound=Struct)


class GateContext(Struct, frozen=True, kw_only=True):
    """The complete input of a gate. A gate does no network I/O."""

    config: Config | None
    """The endpoint and its settings; None without an endpoint."""
    policy: Policy


class ToolInvoker(Struct, frozen=True):
    """The tools of the same caller, for a handler that calls them."""

    check: Callable[[str, object], None]
    """`check(name, arguments)` raises what a call raises before its handler runs: `UnknownTool`, `ToolUnavailable` or
    `InvalidArgument`."""
    call: Callable[[str, object], Awaitable[dict[str, Any]]]
    """`call(name, arguments)` calls a tool as the caller does, with its hooks, and returns the result."""
    as_text: Callable[[str, Mapping[str, Any]], str]
    """`as_text(name, result)` returns the result as lines for a model."""


class ToolContext(Struct, frozen=True, kw_only=True):
    """The context of one call of a handler."""

    task_id: str
    running: CDPSupervisor | None
    """The task's running supervisor; None only for a tool that needs no browser."""
    policy: Policy
    available: frozenset[str] = frozenset()
    """The names of the tools that the caller can use."""
    others: ToolInvoker | None = None
    """For a tool with `calls_tools`."""
    earlier_downloads: frozenset[tuple[str, float]] = frozenset()
    """The ended downloads that were reported before the latest call that acts: id, and time of the end."""

    def check_url(self, url: str) -> None:
        """Raise `PolicyRefused` for a URL that the policy refuses, and for a script without the tool that runs
        scripts."""
        self.policy.check_url(url)
        if is_script(url) and _RUNS_SCRIPTS not in self.available:
            raise PolicyRefused("javascript:", "it is a script, and there is no tool for scripts here")

    @property
    def blocking(self) -> CDPSupervisor:
        """The task's running supervisor, for a handler that is not async. Raises `NotRunning` when there is none."""
        if self.running is None:
            raise NotRunning("the tool does not say that it needs a browser")
        return self.running

    @property
    def supervisor(self) -> AsyncSupervisor:
        """The same, to be awaited."""
        return self.blocking.aio


Gate: TypeAlias = Callable[[GateContext], bool]
Handler: TypeAlias = Callable[[ToolContext, Any], Awaitable[Struct] | Struct]


def has_endpoint(context: GateContext) -> bool:
    """The gate of a tool without its own gate."""
    return context.config is not None


def always(context: GateContext) -> bool:
    """The gate of a tool that can be used anywhere."""
    return True


class Annotations(TypedDict, total=False):
    """Properties of a tool for its host; `Tool` explains each."""

    reads_only: bool
    destructive: bool
    idempotent: bool
    works_during_dialog: bool
    leaves_pages: bool
    calls_tools: bool


class Image(Struct, frozen=True, kw_only=True):
    """A picture in a result; what speaks to a model shows it as image content."""

    mime_type: str
    data: Base64


class PlainResult(Struct, frozen=True):
    """The return value of a plain function."""

    result: Any


class UntrustedResult(Struct, frozen=True):
    """The return value of a plain function, whose texts are not trusted."""

    result: PageValue


class Tool(Struct, frozen=True, kw_only=True):
    """One tool."""

    name: str
    description: str
    """Descriptions leave out sentences that name unavailable tools."""
    arguments: type[Struct]
    """Its fields are the arguments; their docstrings, or `Meta(description=...)`, describe them."""
    result: type[Struct]
    handler: Handler = field()
    """`(context, arguments) -> result`, async or not; one that is not runs in a separate thread."""
    toolset: str
    gate: Gate = field(default=has_endpoint)
    """Returns True when the tool can be used; a gate that raises means False. One that several tools share is asked
    once for all of them."""
    needs_browser: bool | None = None
    """With True there has to be an endpoint, and the task's supervisor runs when the handler is called. With False
    there need not be, and none is started. None: True for a tool without its own gate, False for others."""
    schema: Mapping[str, Any] | None = None
    """The JSON schema of the arguments as models are to see it, in place of one made from `arguments`."""
    reads_only: bool = False
    """It changes neither the page nor the browser."""
    destructive: bool = False
    """True when a change that the tool makes may be impossible to undo."""
    idempotent: bool = False
    """Twice with the same arguments is the same as once."""
    works_during_dialog: bool = False
    """It does its work while a dialog is open."""
    leaves_pages: bool = False
    """It can leave a page that the policy refuses, so it works there."""
    calls_tools: bool = False
    """It calls other tools. Recordings have those calls in its place."""

    @property
    def uses_browser(self) -> bool:
        """Whether an endpoint and a running supervisor are needed: `needs_browser`, decided."""
        return self.gate is has_endpoint if self.needs_browser is None else self.needs_browser

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle a tool that its module has under the name of its handler by that name: code would take along what the
        module holds."""
        module, name = self.handler.__module__, getattr(self.handler, "__name__", "")
        if module != "__main__" and getattr(sys.modules.get(module), name, None) is self:
            return _found, (module, name)
        return super().__reduce__()

    @classmethod
    def from_schema(
        cls,
        name: str,
        description: str,
        schema: Mapping[str, Any],
        function: Callable[..., Any],
        *,
        toolset: str,
        gate: Gate = always,
        untrusted: bool = False,
        **annotations: Unpack[Annotations],
    ) -> Tool:
        """A tool from what a host has: a JSON schema of an object, and a function that is called with its properties as
        keyword arguments, `function(**arguments)`.

        The function may be async. What it returns can be anything that JSON can hold, and is the field `result`; with
        `untrusted` its texts are shown as those of pages are. It is not given a supervisor, and none is started for it.
        Raises `ValueError` for a schema that is none of an object, or that refers to itself.
        """
        expanded, result = expand(schema), UntrustedResult if untrusted else PlainResult
        return cls(
            name=name,
            description=description,
            arguments=arguments_of(name, expanded),
            result=result,
            handler=handler_of(function, result),
            toolset=toolset,
            gate=gate,
            needs_browser=False,
            schema=expanded,
            **annotations,
        )


def _found(module: str, name: str) -> Tool:
    found: Tool = getattr(import_module(module), name)
    return found


class Catalogue:
    """Tools by name."""

    def __init__(self, tools: Iterable[Tool] = (), *, with_addons: bool = False) -> None:
        self._tools: dict[str, Tool] = {}
        self._lacks_addons = with_addons
        for known in tools:
            self.register(known)

    def register(self, added: Tool) -> Tool:
        """Take a tool in. Raises `ValueError` when another tool has the name."""
        present = self._tools.setdefault(added.name, added)
        if present != added:
            raise ValueError(f"there is a tool {added.name!r} already")
        return added

    def add_declared(self, declared: Iterable[tuple[str, object]]) -> None:
        """Take in a `Tool`, several, or those that modules register: the modules that a declaration names in `TOOLS`.

        An addon that fails is logged and left out; the others are there.
        """
        for name, found in declared:
            try:
                if isinstance(found, ModuleType):
                    for module in getattr(found, "TOOLS", ()):
                        import_module(module)
                else:
                    for added in [found] if isinstance(found, Tool) else convert(found, list[Tool]):
                        self.register(added)
            except Exception:
                left_out(name)

    def get(self, name: str) -> Tool | None:
        """The tool with this name."""
        return self._complete().get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(tuple(self._complete().values()))

    def _complete(self) -> dict[str, Tool]:
        """The tools. Whoever looks first has the addons imported."""
        if self._lacks_addons:
            self.add_declared(declarations())
            self._lacks_addons = False
        return self._tools


CATALOGUE = Catalogue(with_addons=True)
"""The tools of this process, with those of addons."""


def tool(
    *,
    toolset: str,
    gate: Gate = has_endpoint,
    needs_browser: bool | None = None,
    catalogue: Catalogue = CATALOGUE,
    **annotations: Unpack[Annotations],
) -> Callable[[Callable[[ToolContext, A], Awaitable[R] | R]], Tool]:
    """Make a handler a tool, and register it: its name, its docstring, and the types of its argument and its result.

    Raises `TypeError` for a handler without them.
    """

    def make(handler: Callable[[ToolContext, A], Awaitable[R] | R]) -> Tool:
        name, description = getattr(handler, "__name__", ""), inspect.getdoc(handler)
        kinds = [kind for key, kind in get_type_hints(handler).items() if key != "return"]
        result: Any = get_type_hints(handler).get("return")
        if not (description and len(kinds) == 2 and _is_struct(kinds[1]) and _is_struct(result)):
            raise TypeError(f"{name}: a tool has a docstring, and is (ToolContext, a Struct) -> a Struct")
        declared = Tool(
            name=name,
            description=" ".join(description.split()),
            arguments=kinds[1],
            result=result,
            handler=handler,
            toolset=toolset,
            gate=gate,
            needs_browser=needs_browser,
            **annotations,
        )
        return catalogue.register(declared)

    return make


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)
