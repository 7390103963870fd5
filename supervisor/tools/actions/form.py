"""Many fields of a form in one call."""

from __future__ import annotations

import asyncio
import contextlib

from msgspec import Struct
from msgspec.structs import replace

from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool_errors import OpenedDialog
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.element_errors import Covered, ElementError, NotShown, WrongField, WrongValue
from supervisor.tools.page.page_frames import find, hold, ready
from supervisor.tools.page.refs import Element

from .choices import bring_to, is_list_open, pick, pick_beside, pick_from_list
from .fields import Field, check_editable, choose, control_of, field_of, settled_value, use_field
from .input_effects import ActionResult
from .mouse import press_on
from .text_fields import TypeArguments, put_into


class FieldValue(Struct, frozen=True, kw_only=True):
    """A field and its new value."""

    ref: str
    value: TypedText | tuple[TypedText, ...]
    """Text, date or colour; true or false for a box; a select's options by label or value."""


class FormArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_fill_form`."""

    fields: tuple[FieldValue, ...]
    snapshot: bool = False
    """Show changes."""


class FilledField(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A field that was filled."""

    ref: str
    value: PageText | None = None
    """Its present value; null for a password."""


class FormFilled(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """All fields were filled."""

    filled: list[FilledField]


class FormUnfinished(ElementError):
    """A field of a form was not filled; those before it were."""

    def __init__(self, error: ElementError, filled: list[FilledField]) -> None:
        before = ", ".join(field.ref for field in filled)
        nothing = "" if error.maybe_executed else "; nothing was filled"
        super().__init__(error.ref, error.problem + (f"; filled before: {before}" if before else nothing))
        self.maybe_executed = bool(error.maybe_executed or filled)
        self.page_text = error.page_text
        self.filled: list[str] = [field.ref for field in filled]


async def fill_form(supervisor: AsyncSupervisor, arguments: FormArguments) -> FormFilled:
    """Fill the fields one after the other, each as its kind wants it.

    Raises `FormUnfinished` at the first field that does not take its value, and `OpenedDialog` at the first one that
    opens a dialog.
    """
    await ready(supervisor)
    with contextlib.suppress(ElementError):  # the field itself tells
        elements = [find(supervisor, field.ref) for field in arguments.fields]
        await asyncio.gather(*(hold(supervisor, element) for element in elements))
    filled: list[FilledField] = []
    for field in arguments.fields:
        try:
            value = await _fill(supervisor, *await use_field(supervisor, field.ref), field.value)
            filled.append(FilledField(ref=field.ref, value=value))
        except ElementError as error:
            raise FormUnfinished(error, filled) from None
        except BlockedByDialog as blocked:
            done = len(filled) + isinstance(blocked, OpenedDialog)
            if not done:
                raise
            left = ", ".join(later.ref for later in arguments.fields[done:])
            raise OpenedDialog(blocked.dialog, f"not filled: {left}" if left else "") from None
    return FormFilled(filled=filled)


async def settled_form(supervisor: AsyncSupervisor, form: FormFilled) -> FormFilled:
    """The same with what the fields hold now."""
    values = await asyncio.gather(*(settled_value(supervisor, field.ref, field.value) for field in form.filled))
    filled = [replace(field, value=value) for field, value in zip(form.filled, values, strict=True)]
    return replace(form, filled=filled)


async def _fill(
    supervisor: AsyncSupervisor, element: Element, field: Field, value: str | tuple[str, ...]
) -> str | None:
    element = await control_of(supervisor, element, field)
    if field.kind in ("other", "keys"):
        raise WrongField(element.ref, "it is no form field; click it, or press keys")
    if field.kind == "file":
        raise WrongField(element.ref, "it takes files; use browser_file with this ref")
    check_editable(element, field)
    values = (value,) if isinstance(value, str) else value
    if field.kind == "select":
        return ", ".join(await choose(supervisor, element, values))
    if field.kind == "list" or (field.kind == "combobox" and not isinstance(value, str)):
        return await pick_from_list(supervisor, element, values)
    if not isinstance(value, str):
        raise WrongValue(element.ref, "expected one text")
    if field.kind == "check":
        if value.lower() not in ("true", "false"):
            raise WrongValue(element.ref, "expected true or false")
        await bring_to(supervisor, element, checked=value.lower() == "true")
        return value.lower()
    now = field
    if field.kind == "combobox" and not await is_list_open(supervisor, element):
        with contextlib.suppress(NotShown, Covered):  # some lists open at the press of the mouse alone
            await press_on(supervisor, element)
        now = await field_of(supervisor, element)
    put = await put_into(supervisor, element, TypeArguments(text=value), now)
    if field.kind == "combobox":
        return await pick(supervisor, element, value)
    if put.hint:
        raise WrongValue(element.ref, "the page got the text as keys, and the field does not hold it")
    if field.attributes["type"] == "number" and value.strip() and put.value == "":
        raise WrongValue(element.ref, "expected a number; it is empty now")
    shown = await pick_beside(supervisor, element, value) if put.is_listed else None
    return put.value if shown is None else shown
