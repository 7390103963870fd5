"""The tools that fill forms."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from supervisor.tools.actions.form import FilledField, FormArguments, fill_form
from supervisor.tools.actions.input_effects import Aftermath
from supervisor.tools.actions.text_fields import TypeArguments, type_text
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.locators import refs_for, with_refs

from .acting import with_effects


class TextTyped(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """The text was typed."""

    value: PageText | None = None
    """What the field holds now, before Enter; not given for a password, without a ref, and when a dialog opened."""


class FieldsFilled(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """All fields were filled."""

    filled: list[FilledField] | None = None
    """What they hold now; not given when a dialog opened."""


@tool(toolset="browser", destructive=True)
async def browser_type(context: ToolContext, arguments: TypeArguments) -> TextTyped:
    """Type into a field, or into whatever has the focus."""
    arguments = await with_refs(context.supervisor, arguments)
    work = type_text(context.supervisor, arguments)
    typed, effects = await with_effects(context, "text", work, ref=arguments.ref, shows_page=arguments.snapshot)
    if typed is None:
        return TextTyped(**asdict(effects))
    return TextTyped(value=typed.value, **asdict(replace(effects, hint=effects.hint or typed.hint)))


@tool(toolset="browser", destructive=True)
async def browser_fill_form(context: ToolContext, arguments: FormArguments) -> FieldsFilled:
    """Fill fields of any kind. Nothing is submitted."""
    refs = await refs_for(context.supervisor, [field.ref for field in arguments.fields])
    fields = tuple(replace(field, ref=ref) for field, ref in zip(arguments.fields, refs, strict=True))
    work = fill_form(context.supervisor, replace(arguments, fields=fields))
    ref = refs[-1] if refs else None
    form, effects = await with_effects(context, "values", work, ref=ref, shows_page=arguments.snapshot)
    return FieldsFilled(filled=None if form is None else form.filled, **asdict(effects))
