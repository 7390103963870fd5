"""The tool `browser_cdp`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.protocol import extensions
from cdp_typed.protocol import input as input_
from cdp_typed.protocol.registry import UnknownMethod, command_class
from cdp_typed.wire.router import AnyResult
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageValue
from supervisor.tools.page.locators import frame_meant
from supervisor.tools.raw_commands.checks import check_params

from .evaluate import Timeout


class CdpArguments(Struct, frozen=True, kw_only=True):
    """A command, and where it goes."""

    method: str
    """Such as `DOM.getDocument`."""
    params: dict[str, Any] = {}
    """By their names in the protocol."""
    frame_id: str | None = None
    """An iframe's ref, or a frame's id; else the current page."""
    target_id: str | None = None
    """A page's, instead of frame_id."""
    timeout: Timeout = 30.0
    """Seconds."""


class CdpAnswered(Struct, frozen=True, kw_only=True):
    """The browser's answer."""

    result: PageValue
    """As the protocol has it."""


@tool(toolset="browser-cdp", destructive=True)
async def browser_cdp(context: ToolContext, arguments: CdpArguments) -> CdpAnswered:
    """Send any Chrome DevTools Protocol command. In a frame that shares its process, only commands that take a
    frame, a script context or an object work."""
    frame_id, target_id = await frame_meant(context.supervisor, arguments.frame_id), arguments.target_id
    if frame_id and target_id and frame_id != target_id:
        raise InvalidArgument("target_id", "give frame_id or target_id, not both")
    frame_id = frame_id or target_id
    await check_params(context.supervisor, arguments.method, arguments.params, frame_id, context.policy)
    command = build(arguments.method, arguments.params)
    if arguments.method == extensions.TriggerAction.METHOD:
        await _check_extension(context, arguments.params["id"])
    if isinstance(command, input_.InsertText):  # nobody knows what kind of field has the focus
        context.supervisor.redaction.hide(str(command.text))
    result = await context.supervisor.send(command, frame_id, timeout_s=arguments.timeout)
    return CdpAnswered(result=result)


async def _check_extension(context: ToolContext, extension_id: object) -> None:
    """Raise `InvalidArgument` for an extension that the browser does not have: it would kill Chromium 150 and 156."""
    found = (await context.supervisor.send(extensions.GetExtensions())).extensions
    if extension_id not in [each.id for each in found]:
        raise InvalidArgument("params", "the browser has no extension with this id")


def build(method: str, params: dict[str, Any]) -> Command[Any]:
    """A command with these parameters as they are, whose result comes as plain JSON; the bindings need not know it.

    Raises `InvalidArgument` for a required parameter that is missing, and for what is no method's name.
    """
    kind, names, required = _raw(method, tuple(sorted(params)))
    for name in required:
        if name not in params:
            raise InvalidArgument("params", f"{method} needs {name!r}")
    return kind(**{names[name]: value for name, value in params.items()})


@lru_cache(maxsize=256)
def _raw(method: str, given: tuple[str, ...]) -> tuple[type[Command[Any]], dict[str, str], tuple[str, ...]]:
    """The class to send it with, its fields by their names in the protocol, and those that must be given.

    It is a subclass of the bindings' own class where there is one, so that the supervisor knows what the command means.
    """
    domain, _, name = method.partition(".")
    if not (domain.isidentifier() and name.isidentifier()):
        raise InvalidArgument("method", "expected Domain.method, such as Page.navigate")
    try:
        base: type[Command[Any]] = command_class(method)
    except UnknownMethod:
        base = Command
    known = {field.encode_name: field for field in msgspec.structs.fields(base)}
    others = {wire: f"other_{number}" for number, wire in enumerate(given) if wire not in known}
    variant: Any = msgspec.defstruct(
        name,
        [(field, Any, msgspec.field(default=msgspec.UNSET, name=wire)) for wire, field in others.items()],
        bases=(base,),
        namespace={"METHOD": method, "RESULT": AnyResult, "__module__": __name__},
        frozen=True,
        kw_only=True,
    )
    names = {**{wire: field.name for wire, field in known.items()}, **others}
    return variant, names, tuple(wire for wire, field in known.items() if field.required)
