"""Scripts that run in each new document of the agent's pages."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.protocol import page, runtime
from supervisor.core.state.pages import InitScript
from supervisor.core.vocabulary.requests import InitScriptAdded, InitScriptsRemoved
from supervisor.driver.driver import Driver
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument

MOST_SCRIPTS = 20
_EXCERPT = 200


class InitScriptView(Struct, frozen=True):
    """A script for new documents."""

    id: str
    source: str
    """Its first 200 characters."""


async def add_script(context: ToolContext, source: str) -> list[InitScriptView]:
    """Have a script run in each new document of the agent's pages and their iframes, and return all such scripts.

    Raises `PolicyRefused`, also where `Runtime.evaluate` is denied, and `InvalidArgument` for one script too many.
    """
    for method in (page.AddScriptToEvaluateOnNewDocument.METHOD, runtime.Evaluate.METHOD):
        context.policy.check_method(method)

    async def add(driver: Driver) -> None:
        if len(driver.state.world.init_scripts.scripts) >= MOST_SCRIPTS:
            raise InvalidArgument("action", f"{MOST_SCRIPTS} scripts exist; remove some first")
        await driver.request(lambda call_id: InitScriptAdded(call_id, source))

    await context.supervisor.with_driver(add)
    return await scripts(context)


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
