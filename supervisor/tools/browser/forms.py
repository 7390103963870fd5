"""The tools that fill forms."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from supervisor.tools.actions.form import FormArguments, FormFilled, fill_form
from supervisor.tools.actions.input_effects import Watch
from supervisor.tools.actions.text_fields import TypeArguments, Typed, type_text
from supervisor.tools.framework.tool import ToolContext, tool


@tool(toolset="browser", destructive=True)
async def browser_type(context: ToolContext, arguments: TypeArguments) -> Typed:
    """Type into a field that browser_snapshot gave a ref, in any frame, or into whatever has the focus."""
    watch = Watch(context.supervisor)
    done = await type_text(context.supervisor, arguments)
    return replace(done, **asdict(await watch.end(done.frame_id)))


@tool(toolset="browser", destructive=True)
async def browser_fill_form(context: ToolContext, arguments: FormArguments) -> FormFilled:
    """Fill one or many fields: texts, dates, checkboxes, and options of a select. Nothing is submitted."""
    watch = Watch(context.supervisor)
    done = await fill_form(context.supervisor, arguments)
    return replace(done, **asdict(await watch.end()))
