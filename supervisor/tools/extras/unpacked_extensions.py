"""Unpacked extensions of the browser: loaded, listed, removed."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.errors import CommandError
from cdp_typed.protocol import extensions, runtime
from supervisor.core.vocabulary.errors import UnsupportedByBrowser
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.raw_commands.checks import check_command

_UNAVAILABLE = ("Method not available.", "'Extensions.getExtensions' wasn't found")
_WHY = "Chrome may need --enable-unsafe-extension-debugging, and a pipe in place of a port"


class Extension(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An unpacked extension."""

    id: str
    name: PageText
    version: PageText = ""
    path: str = ""
    is_enabled: bool = True


async def load_extension(context: ToolContext, folder: str) -> list[Extension]:
    """Load an extension from a folder on the browser's machine (`Extensions.loadUnpacked`), and return all that the
    browser then has.

    Raises `InvalidArgument` with the browser's reason, `PolicyRefused` also where `Runtime.evaluate` is denied, because
    an extension runs scripts, and what `list_extensions` raises.
    """
    context.policy.check_method(runtime.Evaluate.METHOD)
    await list_extensions(context)
    await _send(context, extensions.LoadUnpacked(path=folder), "text")
    return await list_extensions(context)


async def remove_extension(context: ToolContext, extension_id: str) -> list[Extension]:
    """Remove an extension (`Extensions.uninstall`), and return those that are left. Raises as `load_extension` does."""
    await _send(context, extensions.Uninstall(id=extension_id), "name")
    return await list_extensions(context)


async def list_extensions(context: ToolContext) -> list[Extension]:
    """Return the unpacked extensions (`Extensions.getExtensions`).

    Raises `UnsupportedByBrowser`, `PolicyRefused`, `OutOfReach` for an agent that has only a part of the browser, and
    what `send` raises.
    """
    ask = extensions.GetExtensions()
    await check_command(context.supervisor, context.policy, ask)
    try:
        found = (await context.supervisor.send(ask)).extensions
    except CommandError as error:
        if error.message in _UNAVAILABLE:
            raise UnsupportedByBrowser(ask.METHOD, _WHY) from None
        raise
    return [
        Extension(id=each.id, name=each.name, version=each.version, path=each.path, is_enabled=each.enabled)
        for each in found
    ]


async def _send(context: ToolContext, command: Command[object], argument: str) -> None:
    await check_command(context.supervisor, context.policy, command)
    try:
        await context.supervisor.send(command)
    except CommandError as error:
        raise InvalidArgument(argument, f"the browser refused it: {error.message}") from None
