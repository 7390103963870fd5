"""The tools that fill fields: with text, as a whole form, and with files."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict, replace

from supervisor.tools.actions.files import upload
from supervisor.tools.actions.form import FilledField, FormArguments, fill_form, settled_form
from supervisor.tools.actions.input_effects import ActionResult
from supervisor.tools.actions.text_fields import TypeArguments, settled_text, type_text
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.locators import refs_for, with_refs

from .acting import with_effects


class FileArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_file`: the files, and who gets them."""

    paths: tuple[str, ...]
    """Absolute paths on the browser's machine."""
    chooser_id: str | None = None
    """Needed when several are open."""
    ref: str | None = None
    """Of a file field, or a button that opens a chooser."""


class FilesChosen(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The files that the page was given."""

    paths: list[str]


class TextTyped(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The text was typed."""

    value: PageText | None = None
    """The field's value before Enter; left out for a password, and when a dialog opened."""
    invalid: bool = False
    """The page marks it as wrong."""


class FieldsFilled(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """All fields were filled."""

    filled: list[FilledField] | None = None
    """The present values; left out when a dialog opened."""


@tool(toolset="browser", destructive=True)
async def browser_type(context: ToolContext, arguments: TypeArguments) -> TextTyped:
    """Type into a field, or into whatever has the focus."""
    arguments = await with_refs(context.supervisor, arguments, of_fields=True)
    work = type_text(context.supervisor, arguments)
    settled = None if arguments.submit else settled_text
    typed, effects = await with_effects(
        context, "text", work, ref=arguments.ref, shows_page=arguments.snapshot, settled=settled
    )
    value, invalid = (None, False) if typed is None else (typed.value, typed.invalid)
    return TextTyped(value=value, invalid=invalid, **asdict(effects))


@tool(toolset="browser", destructive=True)
async def browser_fill_form(context: ToolContext, arguments: FormArguments) -> FieldsFilled:
    """Fill fields of any kind. Nothing is submitted."""
    refs = await refs_for(context.supervisor, [field.ref for field in arguments.fields], of_fields=True)
    fields = tuple(replace(field, ref=ref) for field, ref in zip(arguments.fields, refs, strict=True))
    work = fill_form(context.supervisor, replace(arguments, fields=fields))
    ref = refs[-1] if refs else None
    form, effects = await with_effects(
        context, "values", work, ref=ref, shows_page=arguments.snapshot, settled=settled_form
    )
    return FieldsFilled(filled=None if form is None else form.filled, **asdict(effects))


@tool(toolset="browser", works_during_dialog=True, destructive=True)
async def browser_file(context: ToolContext, arguments: FileArguments) -> FilesChosen:
    """Give files to a field or file chooser."""
    for path in arguments.paths:
        context.policy.check_file(path)
    arguments = await with_refs(context.supervisor, arguments, of_fields=True)
    if arguments.ref is None:
        work = context.supervisor.choose_files(arguments.paths, arguments.chooser_id)
    elif arguments.chooser_id is not None:
        raise InvalidArgument("ref", "give ref or chooser_id, not both")
    else:
        work = upload(context.supervisor, arguments.ref, arguments.paths)
    _, effects = await with_effects(context, "upload", work, ref=arguments.ref)
    return FilesChosen(paths=list(arguments.paths), **asdict(effects))
