"""A tool: its typed arguments, its typed result, and its annotations."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeAlias, TypeVar, get_type_hints

from msgspec import Struct, field

from cdp_typed._base import Base64
from supervisor.aio import AsyncSupervisor
from supervisor.config import Config
from supervisor.facade import CDPSupervisor

from .policy import Policy

A = TypeVar("A", bound=Struct)
R = TypeVar("R", bound=Struct)


class Surroundings(Struct, frozen=True, kw_only=True):
    """The input of a gate, complete, because a gate does no network I/O."""

    config: Config | None
    """The endpoint and its settings; None without an endpoint."""
    policy: Policy


class ToolContext(Struct, frozen=True, kw_only=True):
    """The context of one call of a handler."""

    task_id: str
    blocking: CDPSupervisor
    """The task's running supervisor, for a handler that is not async."""
    policy: Policy
    available: frozenset[str] = frozenset()
    """The names of the tools that the caller can use."""

    @property
    def supervisor(self) -> AsyncSupervisor:
        """The task's running supervisor, to be awaited."""
        return self.blocking.aio


Gate: TypeAlias = Callable[[Surroundings], bool]
Handler: TypeAlias = Callable[[ToolContext, Any], Awaitable[Struct] | Struct]


def has_endpoint(surroundings: Surroundings) -> bool:
    """The gate of every tool that needs a browser."""
    return surroundings.config is not None


class Image(Struct, frozen=True, kw_only=True):
    """A picture in a result; what speaks to a model shows it as image content."""

    mime_type: str
    data: Base64


class Tool(Struct, frozen=True, kw_only=True):
    """One tool."""

    name: str
    description: str
    """A sentence that names a tool which is not there is left out, wherever the description is shown."""
    arguments: type[Struct]
    """Its fields are the arguments; their docstrings, or `Meta(description=...)`, describe them."""
    result: type[Struct]
    handler: Handler = field()
    """`(context, arguments) -> result`, async or not; one that is not gets a thread of its own."""
    toolset: str
    gate: Gate = field(default=has_endpoint)
    """Returns True when the tool can be used; a gate that raises means False."""
    reads_only: bool = False
    """It changes neither the page nor the browser."""
    destructive: bool = False
    """True when a change that the tool makes may be impossible to undo."""
    idempotent: bool = False
    """Twice with the same arguments is the same as once."""
    works_during_dialog: bool = False
    """It does its work while a dialog is open."""


class Catalogue:
    """Tools by name."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def register(self, added: Tool) -> Tool:
        """Take a tool in. Raises `ValueError` when another tool has the name."""
        present = self._tools.setdefault(added.name, added)
        if present != added:
            raise ValueError(f"there is a tool {added.name!r} already")
        return added

    def get(self, name: str) -> Tool | None:
        """The tool with this name."""
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(tuple(self._tools.values()))


CATALOGUE = Catalogue()
"""The tools of this process: ours, and those of plugins."""


def tool(
    *,
    toolset: str,
    gate: Gate = has_endpoint,
    reads_only: bool = False,
    destructive: bool = False,
    idempotent: bool = False,
    works_during_dialog: bool = False,
    catalogue: Catalogue = CATALOGUE,
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
            reads_only=reads_only,
            destructive=destructive,
            idempotent=idempotent,
            works_during_dialog=works_during_dialog,
        )
        return catalogue.register(declared)

    return make


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)
