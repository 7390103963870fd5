"""Scripts that run in each new document of the agent's pages."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from cdp_typed.protocol import page, runtime
from supervisor.core.state.pages import InitScript
from supervisor.core.vocabulary.requests import InitScriptAdded, InitScriptsRemoved
from supervisor.driver.driver import Driver
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.page_frames import top_frame

MOST_SCRIPTS = 20
CHECK_S = 5.0
"""Seconds that a page has to check a script."""
_EXCERPT = 200


class InitScriptView(Struct, frozen=True):
    """A script for new documents."""

    id: str
    source: str
    """Its first 200 characters."""


async def add_script(context: ToolContext, source: str) -> list[InitScriptView]:
    """Have a script run in each new document of the agent's pages and their iframes, and return all such scripts.

    Raises `PolicyRefused`, also where `Runtime.evaluate` is denied, and `InvalidArgument` for one script too many and
    for one that does not parse.
    """
    for method in (page.AddScriptToEvaluateOnNewDocument.METHOD, runtime.Evaluate.METHOD):
        context.policy.check_method(method)
    await check_syntax(context, source)

    async def add(driver: Driver) -> None:
        if len(driver.state.world.init_scripts.scripts) >= MOST_SCRIPTS:
            raise InvalidArgument("action", f"{MOST_SCRIPTS} scripts exist; remove some first")
        await driver.request(lambda call_id: InitScriptAdded(call_id, source))

    await context.supervisor.with_driver(add)
    return await scripts(context)


async def check_syntax(context: ToolContext, source: str) -> None:
    """Raise `InvalidArgument` for a script that does not parse (`Runtime.compileScript`).

    A page that cannot be asked, for example because of a dialog, leaves the script unchecked.
    """
    command = runtime.CompileScript(expression=source, source_url="", persist_script=False)
    try:
        frame_id = top_frame(context.supervisor).frame_id
        compiled = await context.supervisor.send(command, frame_id, timeout_s=CHECK_S)
    except CDPError:
        return
    problem = compiled.exception_details
    if problem is not None:
        text = problem.exception.description if problem.exception is not None else None
        raise InvalidArgument("text", f"the script does not parse: {visible(text or problem.text)}")


async def remove_scripts(context: ToolContext, script_id: str | None) -> list[InitScriptView]:
    """Remove one script, or all, and return those that are left. Raises `UnknownInitScript`."""

    async def remove(driver: Driver) -> None:
        await driver.request(lambda call_id: InitScriptsRemoved(call_id, script_id))

    await context.supervisor.with_driver(remove)
    return await scripts(context)


async def scripts(context: ToolContext) -> list[InitScriptView]:
    """Return the scripts, oldest first."""
    return [InitScriptView(each.id, each.source[:_EXCERPT]) for each in await context.supervisor.with_driver(_kept)]


async def _kept(driver: Driver) -> tuple[InitScript, ...]:
    return driver.state.world.init_scripts.scripts
