"""Text typed or pasted into an element, or into what has the focus, and text selected in one."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.conversions import convert
from cdp_typed.redaction.texts import typed
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool_errors import InvalidArgument, OpenedDialog, delivering, sending
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.element_errors import NotEditable, WrongValue
from supervisor.tools.page.geometry import Position
from supervisor.tools.page.hit_testing import locate
from supervisor.tools.page.locators import FIND_TEXT, POSITIONED
from supervisor.tools.page.page_frames import nodes_in, ready, run, run_on, top_frame
from supervisor.tools.page.refs import Element, all_frames
from supervisor.tools.page.resolving import resolve_ref

from .fields import (
    FIELD,
    INSTEAD,
    LISTED,
    Field,
    calling,
    check_editable,
    confirm_date,
    set_value,
    settled_value,
    use_field,
)
from .input_effects import ActionResult
from .keyboard import focus, insert, press_key, press_keys, release_paste, write
from .mouse import ClickArguments, Clicked, last_point, move_to
from .positions import parse
from .sliders import slide, slide_by_keys


class TypeArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_type`: the text and its field."""

    text: TypedText
    """For a date, time, colour or slider its value: 2027-01-31."""
    ref: str | None = None
    """Else whatever has the focus."""
    clear: bool = True
    """With ref; false appends."""
    submit: bool = False
    """Press Enter afterwards."""
    keystrokes: bool = False
    """Press its keys."""
    paste: bool = False
    """Paste it instead."""
    snapshot: bool = False
    """Show changes."""


class Typed(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The text was typed."""

    ref: str | None = None
    frame_id: str | None = None
    value: PageText | None = None
    """The field's value before Enter; null for a password, and where the page handles the keys itself."""
    invalid: bool = False
    """The page marks it as wrong."""


class Put(Struct, frozen=True):
    """A text that was put into a field."""

    value: str | None
    """The field's present value; None for a password, and where the page handles the keys itself."""
    hint: str = ""
    is_listed: bool = False
    """Whether a list without roles is open beside it, so that it may keep only an option."""


DROPS_TEXT = (
    "A list is open at this field, which may drop what is not chosen there: browser_fill_form chooses an option."
)
TOOK_KEYS = "The text was typed as keys, which the page handles itself: the field does not hold it. Look at the page."


async def type_text(supervisor: AsyncSupervisor, arguments: TypeArguments) -> Typed:
    """Type into a field (`DOM.focus`, `Input.insertText`), in whatever frame and process it is, or into the focus.

    Raises an `ElementError` or `BlockedByDialog` when nothing was typed, and `OpenedDialog`, at once, when the typing
    opens a dialog.
    """
    if arguments.paste and arguments.keystrokes:
        raise InvalidArgument("paste", "give keystrokes or paste, not both")
    top = await ready(supervisor)
    enter = "Enter was not pressed" if arguments.submit else ""
    try:
        if arguments.ref is None:
            await _type_into_focus(supervisor, top, arguments)
            typed = Typed(value=await focused_value(supervisor))
        else:
            element, field = await use_field(supervisor, arguments.ref)
            put = await put_into(supervisor, element, arguments, field)
            frame_id = element.frame.frame_id
            hint = put.hint or (DROPS_TEXT if put.is_listed else "")
            typed = Typed(ref=arguments.ref, frame_id=frame_id, value=put.value, hint=hint)
    except OpenedDialog as opened:
        raise OpenedDialog(opened.dialog, ", ".join(filter(None, (opened.left, enter)))) from None
    if arguments.submit:
        with delivering(began=True, left=enter):
            await press_key(supervisor, parse("Enter"))
    return typed


async def settled_text(supervisor: AsyncSupervisor, typed: Typed) -> Typed:
    """The same with what the field holds now."""
    if typed.ref is None:
        return replace(typed, value=await focused_value(supervisor)) if typed.value is not None else typed
    value, invalid = await settled_value(supervisor, typed.ref, typed.value)
    return replace(typed, value=value, invalid=invalid)


async def put_into(
    supervisor: AsyncSupervisor,
    element: Element,
    arguments: TypeArguments,
    field: Field,
    follows: Element | None = None,
) -> Put:
    """Put text into a field, by keys where the page handles keys itself, as terminals and code editors do.

    `follows` is the field that is filled next.
    """
    if field.is_secret:
        supervisor.redaction.hide(arguments.text)
    if field.kind in ("keys", "list") and arguments.keystrokes:
        check_editable(element, field)
        await focus(supervisor, element)
        await press_keys(supervisor, arguments.text)
        return Put(None, TOOK_KEYS)
    if field.kind in INSTEAD:
        raise NotEditable(element.ref, INSTEAD[field.kind])
    check_editable(element, field)
    if field.kind in ("value", "range", "slider"):
        setting = {"value": set_value, "range": slide, "slider": slide_by_keys}[field.kind]
        return Put(await setting(supervisor, element, arguments.text.strip()))
    room, value = _SELECT if arguments.clear else _TO_END, "() => null" if field.is_masked else _WATCHED
    both = f"[({room}).call(this), ({value}).call(this)]"
    found = await focus(supervisor, element, f"function() {{ return ({_IS_UNSEEN}).call(this) ? null : {both} }}")
    if found is None:
        await press_keys(supervisor, arguments.text)
        with delivering(began=True):
            holds_it = not field.is_masked and await run_on(supervisor, element, _VALUE) == arguments.text
        return Put(arguments.text) if holds_it else Put(None, TOOK_KEYS)
    is_left, before = found
    if is_left and not (arguments.clear and arguments.text):
        await press_key(supervisor, parse("Delete" if arguments.clear else "End"))
    await _enter(supervisor, element, arguments)
    if before is None:
        return Put(None)
    if not arguments.submit:
        await confirm_date(supervisor, element, arguments.text, before, follows)
    now, taken, is_listed = await _value(supervisor, element)
    if taken not in (None, before) or now != before or arguments.text in now or _is_beginning(now, arguments.text):
        return Put(now, is_listed=is_listed)
    if not arguments.keystrokes:
        with delivering(began=True):
            await press_keys(supervisor, arguments.text)
    now, taken, is_listed = await _value(supervisor, element)
    return Put(None, TOOK_KEYS) if now == before and taken in (None, before) else Put(now, is_listed=is_listed)


async def select_text(supervisor: AsyncSupervisor, arguments: ClickArguments) -> Clicked:
    """Select a text in an element: by the mouse, and in the document where the mouse does not select it.

    ` >> nth=1` means the second place that has it. Raises `WrongValue` when none has it, or when it stays unselected.
    """
    await ready(supervisor)
    element, asked = await resolve_ref(supervisor, arguments.ref), arguments.select or ""
    match = POSITIONED.fullmatch(asked)
    text, number = (asked, 0) if match is None else (match[1], int(match[2]))
    wanted = " ".join(text.split()).casefold()
    is_there = lines = None
    if wanted:
        with delivering():
            is_there = await run_on(supervisor, element, calling(_SELECT_IN_FIELD, text, number))
    if wanted and is_there is None:
        finding = f"function() {{ return ({FIND_TEXT}).apply(this, {typed([wanted, number, 1])}) }}"
        lines = await run_on(supervisor, element, finding)
    if not is_there and lines is None:
        raise WrongValue(element.ref, "the text to select is not in it")
    if lines is not None:
        (node,) = await nodes_in(supervisor, element.frame, "[globalThis.textElement]")
        await _drag_over(supervisor, element.at(node), lines)
        if not await run_on(supervisor, element, calling(_IS_SELECTED, wanted)):
            await run_on(supervisor, element, _SELECT_RANGE)
    with delivering(began=True):
        is_selected = await run_on(supervisor, element, calling(_IS_SELECTED, wanted))
    if not is_selected:
        raise WrongValue(element.ref, "the page did not let its text be selected")
    point = last_point(supervisor, top_frame(supervisor).frame_id)
    return Clicked(ref=arguments.ref, frame_id=element.frame.frame_id, x=point.x, y=point.y)


async def _drag_over(supervisor: AsyncSupervisor, element: Element, lines: list[list[float]]) -> None:
    (left, _, top), (right, width, bottom) = lines
    mouse = await move_to(supervisor, element, Position(x=left, y=top))
    (*_, last) = await locate(supervisor, element, Position(x=right + width, y=bottom))
    with delivering():
        await mouse.send("mousePressed", button="left", count=1)
    with delivering(began=True):
        end = replace(mouse, point=last.point)
        await end.send("mouseMoved", button="left")
        await end.send("mouseReleased", button="left", count=1)


def _is_beginning(held: str, text: str) -> bool:
    """Whether a field holds a text as it writes it: shortened, with other signs between, in other letters."""
    letters, wanted = ("".join(filter(str.isalnum, each)).casefold() for each in (held, text))
    return letters != "" and wanted.startswith(letters)


async def _enter(supervisor: AsyncSupervisor, element: Element, arguments: TypeArguments) -> None:
    if arguments.paste:
        with delivering(), sending():
            is_left_to_us = await run_on(supervisor, element, calling(_PASTE, arguments.text))
        if is_left_to_us:
            await insert(supervisor, arguments.text)
        await release_paste(supervisor)
    elif arguments.keystrokes:
        await press_keys(supervisor, arguments.text)
    else:
        await write(supervisor, arguments.text)


async def _value(supervisor: AsyncSupervisor, element: Element) -> tuple[str, str | None, bool]:
    """What the field holds now; what it held after the last input, as the page may have changed it since; and whether a
    list without roles is open at it."""
    with delivering(began=True):
        now, taken, is_listed = await run_on(supervisor, element, _WATCHED_VALUES)
    return str(now), taken, bool(is_listed)


async def _type_into_focus(supervisor: AsyncSupervisor, top: FrameInfo, arguments: TypeArguments) -> None:
    """Press keys, because what has the focus may be no field, or paste in the frame that has it."""
    if await takes_secret_there(supervisor):
        supervisor.redaction.hide(arguments.text)
    if not arguments.paste:
        await press_keys(supervisor, arguments.text)
        return
    is_left_to_us = True
    for frame in reversed(all_frames(supervisor.snapshot().frame_tree)):
        if await run(supervisor, frame.frame_id, _HAS_FOCUS):
            expression = f"({_PASTE}).apply(({_ACTIVE})(), {typed([arguments.text])})"
            with delivering():
                is_left_to_us = await run(supervisor, frame.frame_id, expression)
            break
    if is_left_to_us:
        await insert(supervisor, arguments.text)
    await release_paste(supervisor)


async def focused_value(supervisor: AsyncSupervisor) -> str | None:
    """The value of the focused text field; None for a secret, which is not read, and if no visible field has the
    focus."""
    for frame in reversed(all_frames(supervisor.snapshot().frame_tree)):
        with delivering(began=True):
            found = await run(supervisor, frame.frame_id, f"{_HAS_FOCUS} ? ({_SEEN_FIELD}).call(({_ACTIVE})()) : null")
            if found is None:
                continue
            field = convert(found["field"], Field)
            if field.is_secret or field.kind not in ("text", "combobox") or found["isUnseen"]:
                return None
            return str(await run(supervisor, frame.frame_id, f"({_VALUE}).call(({_ACTIVE})())"))
    return None


async def takes_secret_there(supervisor: AsyncSupervisor) -> bool:
    """Whether what has the focus takes a secret, or may take one."""
    for frame in reversed(all_frames(supervisor.snapshot().frame_tree)):
        field = await run(supervisor, frame.frame_id, f"{_HAS_FOCUS} ? ({FIELD}).call(({_ACTIVE})()) : null")
        if field is not None:
            return convert(field, Field).is_secret
    return False


_ACTIVE = """() => {
    let node = document.activeElement || document.body;
    while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node;
}"""

_HAS_FOCUS = "document.hasFocus() && !(document.activeElement instanceof HTMLIFrameElement)"

_PASTE = """function(text) {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    const init = {clipboardData: data, bubbles: true, cancelable: true, composed: true};
    return this.dispatchEvent(new ClipboardEvent('paste', init));
}"""
"""A function: tells the page of a paste; false when the page has dealt with it."""

_IS_UNSEEN = """function() {
    for (let node = this, level = 0; node && level < 3; node = node.parentElement, level++) {
        const box = node.getBoundingClientRect(), style = getComputedStyle(node);
        const isSmall = box.width < 5 || box.height < 5;
        if (style.opacity === '0' || (isSmall && (node === this || style.overflow === 'hidden'))) return true;
    }
    return false;
}"""
"""A function: true for a field that nobody sees, which only receives the keys of what is drawn elsewhere."""

_SELECT = """function() {
    if (this.isContentEditable) getSelection().selectAllChildren(this);
    else this.select();
    return this.isContentEditable ? this.textContent !== '' : this.value !== '';
}"""
"""Selects all that is in the field; whether there is anything to delete."""

_SELECT_IN_FIELD = """function(text, which) {
    if (!this.matches('input, textarea')) return null;
    const {value} = this, found = value.toLowerCase(), wanted = text.toLowerCase();
    let start = found.indexOf(wanted);
    for (let left = which; left > 0 && start >= 0; left--) start = found.indexOf(wanted, start + 1);
    if (start < 0) return false;
    this.focus();
    this.setSelectionRange(start, start + text.length);
    return true;
}"""
"""A function: selects a text in a text field; null for what is none, false where the field does not have it."""

_SELECT_RANGE = """function() {
    this.closest('[contenteditable]')?.focus();
    getSelection().removeAllRanges();
    getSelection().addRange(globalThis.textRange);
}"""

_IS_SELECTED = """async function(wanted) {
    const plain = text => text.trim().replace(/\\s+/g, ' ').toLowerCase();
    const isSelected = () => {
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        const inField = active?.matches('input, textarea') && active.type !== 'password'
            && active.value.slice(active.selectionStart, active.selectionEnd);
        return [String(getSelection()), inField || ''].some(text => plain(text) === wanted.trim());
    };
    for (let look = 0; look < 10 && !isSelected(); look++) await new Promise(done => setTimeout(done, 20));
    return isSelected();
}"""
"""A function: whether this text is selected, in the document or in the field with the focus, after a moment at most."""

_TO_END = """function() {
    if (this.isContentEditable) {
        getSelection().selectAllChildren(this);
        getSelection().collapseToEnd();
        return false;
    }
    const hasCaret = this.selectionStart !== null;
    if (hasCaret) this.setSelectionRange(this.value.length, this.value.length);
    return !hasCaret;
}"""
"""Puts the caret behind what is in the field; true for one whose caret cannot be put (`email`, `number`)."""

_VALUE = "function() { return this.isContentEditable ? this.innerText : this.value }"

_WATCHED = f"""function() {{
    globalThis.watchedField?.ending.abort();
    const ending = new AbortController(), before = ({_VALUE}).call(this);
    const watched = globalThis.watchedField = {{ending, before, taken: null}};
    const see = () => {{ watched.taken = ({_VALUE}).call(this); }};
    for (const capture of [true, false]) addEventListener('input', see, {{capture, signal: ending.signal}});
    return before;
}}"""
"""A function: the field's value; from now on its document keeps what the field holds after each input."""

_WATCHED_VALUES = f"""function() {{
    const taken = globalThis.watchedField?.taken ?? null;
    const now = ({_VALUE}).call(this);
    return [now, taken, ({LISTED}).call(this, now) !== null];
}}"""

_SEEN_FIELD = f"function() {{ return {{field: ({FIELD}).call(this), isUnseen: ({_IS_UNSEEN}).call(this)}} }}"
"""A function: the field, and whether nobody sees it."""
