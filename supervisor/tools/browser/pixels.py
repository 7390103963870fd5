"""The tool of models that work by pictures."""

from __future__ import annotations

from supervisor.tools.actions.input_effects import Aftermath
from supervisor.tools.actions.pixels import MouseArguments, use_mouse
from supervisor.tools.framework.tool import ToolContext, tool

from .acting import with_effects


@tool(toolset="browser-pixels", destructive=True)
async def browser_mouse(context: ToolContext, arguments: MouseArguments) -> Aftermath:
    """Move, press, release or click the mouse, or turn its wheel, at a point of the page."""
    work = use_mouse(context.supervisor, arguments)
    return (await with_effects(context, arguments.action, work, shows_page=arguments.snapshot))[1]
