"""Many fields of a form in one call: checkboxes, radio buttons and switches, too. Options that are clicked."""

from __future__ import annotations

import asyncio
import contextlib
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool_errors import OpenedDialog, delivering
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.element_errors import Covered, Disabled, ElementError, NotShown, WrongField, WrongValue
from supervisor.tools.page.page_frames import find, hold, ready, run_on
from supervisor.tools.page.refs import Element

from .choices import CHANGE_S, POLL_S, pick, pick_beside, pick_from_list
from .fields import Field, calling, check_editable, choose, control_of, settled_value, use_field
from .input_effects import ActionResult
from .mouse import ClickArguments, Clicked, click, press_drawn
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
    invalid: bool = False
    """The page marks it as wrong."""


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
    elements: list[Element] = []
    with contextlib.suppress(ElementError):  # the field itself tells
        elements = [find(supervisor, field.ref) for field in arguments.fields]
        await asyncio.gather(*(hold(supervisor, element) for element in elements))
    filled: list[FilledField] = []
    for field, follows in zip_longest(arguments.fields, elements[1:]):
        try:
            value = await _fill(supervisor, *await use_field(supervisor, field.ref), field.value, follows)
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
    told = await asyncio.gather(*(settled_value(supervisor, field.ref, field.value) for field in form.filled))
    filled = [
        replace(field, value=value, invalid=invalid) for field, (value, invalid) in zip(form.filled, told, strict=True)
    ]
    return replace(form, filled=filled)


async def _fill(
    supervisor: AsyncSupervisor,
    element: Element,
    field: Field,
    value: str | tuple[str, ...],
    follows: Element | None,
) -> str | None:
    element = await control_of(supervisor, element, field)
    if field.kind in ("other", "keys"):
        raise WrongField(element.ref, "it is no form field; click it, or press keys")
    if field.kind == "file":
        raise WrongField(element.ref, "it takes files; use browser_file with this ref")
    check_editable(element, field)
    if field.kind == "select":
        return ", ".join(await choose(supervisor, element, (value,) if isinstance(value, str) else value))
    now = field
    if field.kind == "list" or (field.kind == "combobox" and value != ""):
        picked = await pick_from_list(supervisor, element, value, is_typed=field.kind == "combobox")
        if isinstance(picked, str):
            return picked
        now = picked
        value = value if isinstance(value, str) else value[0]
    if not isinstance(value, str):
        raise WrongValue(element.ref, "expected one text")
    if field.kind == "check":
        if value.lower() not in ("true", "false"):
            raise WrongValue(element.ref, "expected true or false")
        await bring_to(supervisor, element, checked=value.lower() == "true")
        return value.lower()
    put = await put_into(supervisor, element, TypeArguments(text=value), now, follows)
    if field.kind == "combobox":
        return await pick(supervisor, element, value)
    if put.hint:
        raise WrongValue(element.ref, "the page got the text as keys, and the field does not hold it")
    if field.attributes["type"] == "number" and value.strip() and put.value == "":
        raise WrongValue(element.ref, "expected a number; it is empty now")
    shown = await pick_beside(supervisor, element, value) if put.is_listed else None
    return put.value if shown is None else shown


_STATE = """function() {
    if (this instanceof HTMLInputElement) return this.checked;
    const said = this.getAttribute('aria-checked') ?? this.getAttribute('aria-selected');
    return said === 'true';
}"""

_IS_RADIO = """function() {
    return this.type === 'radio' || ['radio', 'menuitemradio'].includes(this.getAttribute('role'));
}"""

_CLICK = "function() { this.click() }"

_IS_DRAWN_BESIDE = """function() {
    const {left, top, width, height} = this.getBoundingClientRect();
    const hit = this.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
    const fields = node => node.querySelectorAll('input, select, textarea, button, a[href]').length;
    let around = this.parentElement;
    for (let level = 0; level < 3 && around && !around.contains(hit); level++) around = around.parentElement;
    return hit !== null && around?.contains(hit) === true && around !== document.body && fields(around) <= 1;
}"""
"""A function: whether what covers a box is drawn for it: in what is around it, and around no other control."""


async def bring_to(supervisor: AsyncSupervisor, element: Element, *, checked: bool) -> None:
    """Click a checkbox, radio button or switch if it has another state. Raises `WrongValue` when it does not change."""
    if await run_on(supervisor, element, _STATE) is checked:
        return
    if not checked and await run_on(supervisor, element, _IS_RADIO):
        raise WrongValue(element.ref, "a radio button is unchecked by checking another one")
    try:
        await press_drawn(supervisor, element)
    except (NotShown, Covered) as hidden:  # many pages hide the box itself, and draw another one beside it
        with delivering():
            is_covered = isinstance(hidden, Covered) and not await run_on(supervisor, element, _IS_DRAWN_BESIDE)
        if is_covered:
            raise
        with delivering():
            await run_on(supervisor, element, _CLICK)
    end = asyncio.get_running_loop().time() + CHANGE_S
    while True:
        with delivering(began=True):
            is_checked = await run_on(supervisor, element, _STATE)
        if is_checked is checked:
            return
        if asyncio.get_running_loop().time() > end:
            raise WrongValue(element.ref, "it was clicked, and has the state that it had")
        await asyncio.sleep(POLL_S)


_CHOOSE = """function() {
    const select = this instanceof HTMLOptionElement ? this.closest('select') : null;
    if (!select || !select.getClientRects().length) return 'hidden';
    if (select.matches(':disabled')) return 'disabled';
    if (!this.selected) {
        this.selected = true;
        tell(select);
    }
    return this.selected ? 'chosen' : 'refused';
}"""


async def click_or_choose(supervisor: AsyncSupervisor, arguments: ClickArguments) -> Clicked | None:
    """Click an element, or choose it when it is an option of a closed select; then there is no place that was clicked.

    Raises what `click` raises, and `WrongValue` when the page does not keep the choice.
    """
    try:
        return await click(supervisor, arguments)
    except NotShown:
        element = find(supervisor, arguments.ref)
        with delivering():
            answer = await run_on(supervisor, element, calling(_CHOOSE))
        match answer:
            case "chosen":
                return None
            case "disabled":
                raise Disabled(element.ref) from None
            case "refused":
                with delivering(began=True):
                    raise WrongValue(element.ref, "it was chosen, and did not stay so") from None
            case _:
                raise
