"""Unpacked extensions of the browser: loaded, listed, their buttons pressed, removed."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, extensions, page, runtime, target
from supervisor.core.vocabulary.errors import UnsupportedByBrowser
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.page_frames import check_no_dialog
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


async def press_button(context: ToolContext, extension_id: str) -> list[Extension]:
    """Bring the current page to the front and press the extension's button on the toolbar (`Extensions.triggerAction`),
    and return the extensions.

    Raises `UnsupportedByBrowser` when no tab of the window says that it is the one in front, `BlockedByDialog`, and
    otherwise as `load_extension` does.
    """
    supervisor = context.supervisor
    context.policy.check_method(runtime.Evaluate.METHOD)
    await check_no_dialog(supervisor)
    if extension_id not in {each.id for each in await list_extensions(context)}:  # it would kill Chromium 150 and 156
        raise InvalidArgument("name", "no such extension")
    await supervisor.send(page.BringToFront())
    current = next(each.target_id for each in supervisor.snapshot().pages if each.is_current)
    window = await _window_of(context, current)
    everything = target.GetTargets(filter=[target.FilterEntry()])
    for info in (await supervisor.send(everything)).target_infos:
        in_front = info.type == "tab" and (info.embedder_data or {}).get("tabActive")
        if in_front and await _window_of(context, info.target_id) == window:
            await _send(context, extensions.TriggerAction(id=extension_id, target_id=info.target_id), "name")
            return await list_extensions(context)
    raise UnsupportedByBrowser(extensions.TriggerAction.METHOD, "it does not say which tab is in front")


async def _window_of(context: ToolContext, target_id: str) -> browser.WindowID:
    command = browser.GetWindowForTarget(target_id=target.TargetID(target_id))
    return (await context.supervisor.send(command)).window_id


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
