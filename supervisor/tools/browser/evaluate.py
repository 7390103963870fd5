"""The tool `browser_evaluate`."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText, PageValue
from supervisor.tools.page.locators import frame_meant

Timeout: TypeAlias = Annotated[float, Meta(gt=0, le=300)]
"""Seconds."""


class EvaluateArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_evaluate`: the script and its frame."""

    expression: str
    """JavaScript; a promise is awaited. Its value must be plain JSON."""
    frame_id: str | None = None
    """An iframe's ref, or a frame's id; without it the page's top frame."""
    timeout: Timeout = 30.0
    """Seconds."""


class Evaluated(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The value of the script."""

    value: PageValue
    type: str = ""
    """Of what is not JSON: `undefined`, `function`, `node`, ..."""
    description: PageText = ""
    """The same, as a developer reads it."""


@tool(toolset="browser-cdp", destructive=True)
async def browser_evaluate(context: ToolContext, arguments: EvaluateArguments) -> Evaluated:
    """Run JavaScript in a frame of the page, cross-origin frames included, and get its value."""
    frame_id = await frame_meant(context.supervisor, arguments.frame_id)
    done = await context.supervisor.evaluate(arguments.expression, frame_id, timeout_s=arguments.timeout)
    if done.value is not None or done.type == "null":
        return Evaluated(value=done.value)
    description = "" if done.description == done.type else done.description
    return Evaluated(value=None, type=done.type, description=description)
