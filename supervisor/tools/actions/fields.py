"""Form fields: their kinds, and values that are set as a whole, such as dates and colours."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cdp_typed.conversions import convert
from cdp_typed.errors import CDPError
from cdp_typed.redaction.fields import is_secret_field
from cdp_typed.redaction.texts import typed
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.element_errors import NotEditable, WrongValue
from supervisor.tools.page.page_frames import find, nodes_in, run_on
from supervisor.tools.page.refs import Element
from supervisor.tools.page.resolving import resolve_ref
from supervisor.tools.page.scripts.choice_lists import SHOWN

from .keyboard import focus, press_silent_enter

Kind: TypeAlias = Literal[
    "text", "password", "value", "range", "slider", "combobox", "list", "check", "select", "file", "keys", "other"
]


class Field(Struct, frozen=True):
    """An element as a form field."""

    kind: Kind
    is_disabled: bool
    is_read_only: bool
    is_masked: bool
    """It shows dots in place of its text."""
    attributes: dict[str, str]
    """Those that say what it is for."""
    is_label: bool = False
    """It is the control of the label that was asked: the page does not draw the control itself."""

    @property
    def is_secret(self) -> bool:
        """A password, a payment card, a code: no recording has what is typed here."""
        return self.is_masked or is_secret_field(self.attributes)


FIELD = """function() {
    const it = this instanceof HTMLLabelElement && this.control || this;
    const kind = () => {
        if (it.isContentEditable) return 'text';
        const texts = 'textarea, input:is([type=text], [type=search], [type=email], [type=tel], :not([type]))';
        const isText = it.matches(texts);
        const isTyped = !it.readOnly && it.ariaHasPopup === 'dialog';  // as a calendar
        const takesNoKeys = it.readOnly || it.inputMode === 'none';  // in a list
        if (isText && it.readOnly && ['listbox', 'tree'].includes(it.ariaHasPopup)) return 'list';
        if (isText && it.role === 'combobox' && !isTyped) return takesNoKeys ? 'list' : 'combobox';
        if (it instanceof HTMLTextAreaElement) return 'text';
        if (it instanceof HTMLSelectElement) return 'select';
        const kinds = {password: 'password', checkbox: 'check', radio: 'check', file: 'file', range: 'range'};
        for (const type of ['text', 'search', 'url', 'tel', 'email', 'number']) kinds[type] = 'text';
        for (const type of ['date', 'time', 'month', 'week', 'datetime-local', 'color']) kinds[type] = 'value';
        if (it instanceof HTMLInputElement) return kinds[it.type] || 'other';
        if (it.getAttribute('role') === 'slider') return 'slider';
        if (it.matches('[role=combobox], [aria-haspopup=listbox]')) return 'list';
        const checks = ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem'];
        if (checks.includes(it.getAttribute('role'))) return 'check';
        const isControl = it.matches('button, a, summary, [role=button], [role=link], [role=tab], [role=menuitem]');
        return it.hasAttribute('tabindex') && !isControl ? 'keys' : 'other';
    };
    const attributes = {};
    for (const name of ['type', 'autocomplete', 'name', 'id']) attributes[name] = it.getAttribute(name) || '';
    return {kind: kind(), is_disabled: it.matches(':disabled') || it.getAttribute('aria-disabled') === 'true',
        is_read_only: it.readOnly === true, attributes,
        is_label: it !== this,
        is_masked: (getComputedStyle(it).webkitTextSecurity || 'none') !== 'none'};
}"""

INSTEAD: dict[Kind, str] = {
    "check": "use browser_fill_form with true or false",
    "select": "use browser_fill_form with its options",
    "list": "use browser_fill_form with one of its options",
    "file": "use browser_file with this ref",
    "keys": "it is no text field, and handles keys itself; type with keystrokes",
    "other": "it is no text field; click it, or press keys",
}
"""The remedies for fields that take no text."""


async def field_of(supervisor: AsyncSupervisor, element: Element) -> Field:
    """The element as a form field. Raises `StaleRef`."""
    return convert(await run_on(supervisor, element, FIELD), Field)


async def use_field(supervisor: AsyncSupervisor, ref: str) -> tuple[Element, Field]:
    """The element that a ref names, and what it is as a form field. Raises what `resolve_ref` raises."""
    named = find(supervisor, ref)
    return await asyncio.gather(resolve_ref(supervisor, ref), field_of(supervisor, named))


async def control_of(supervisor: AsyncSupervisor, element: Element, field: Field) -> Element:
    """The element, or the control of a label. Raises `StaleRef`."""
    if not field.is_label:
        return element
    await run_on(supervisor, element, "function() { globalThis.control = this.control }")
    (node,) = await nodes_in(supervisor, element.frame, "[globalThis.control]")
    return element.at(node)


_PRESENT = f"""function(told) {{ {SHOWN}
    const it = this instanceof HTMLLabelElement && this.control || this;
    if (!it.isConnected) return null;
    const present = () => {{
        const one = text => text.trim().replace(/\\s+/g, ' '), role = it.getAttribute('role');
        if (it instanceof HTMLSelectElement) return [...it.selectedOptions].map(each => one(each.label)).join(', ');
        if (it.isContentEditable) return it.innerText;
        if (['checkbox', 'radio'].includes(it.type)) return String(it.checked);
        if (role === 'slider') return String(Number(it.getAttribute('aria-valuenow')));
        const isList = role === 'combobox' || ['listbox', 'tree'].includes(it.ariaHasPopup)
            || globalThis.listed?.field === it;
        const isBeside = () => isList && chosen(it, told.split(', ')) !== null;
        if (it.matches('input, textarea')) return it.value || (isBeside() ? told : '');
        if (it.matches('[role=combobox], [aria-haspopup=listbox]')) return one(it.innerText);
        return String((it.getAttribute('aria-checked') ?? it.getAttribute('aria-selected')) === 'true');
    }};
    const isMarked = it.matches('[aria-invalid]:not([aria-invalid=false], [aria-invalid=""])')
        || (CSS.supports('selector(:user-invalid)') && it.matches(':user-invalid'));
    return [present(), isMarked];
}}"""
"""A function: what a field holds, or shows beside itself as an empty combobox may, and whether the page marks it as
wrong; null for one that is gone."""


async def settled_value(supervisor: AsyncSupervisor, ref: str, value: str | None) -> tuple[str | None, bool]:
    """What the field holds that held this value before the page came to rest, and whether the page marks it as wrong;
    the same, and False, where nothing tells."""
    if value is None:  # what is secret is never read
        return None, False
    with suppress(CDPError):
        told = await run_on(supervisor, find(supervisor, ref), calling(_PRESENT, value))
        return (value, False) if told is None else (str(told[0]), bool(told[1]))
    return value, False


def check_editable(element: Element, field: Field) -> None:
    """Raise `NotEditable` for a field that takes nothing from a person."""
    if field.is_disabled:
        raise NotEditable(element.ref, "it is disabled")
    if field.is_read_only and field.kind != "list":
        raise NotEditable(element.ref, "it is read-only")


def calling(function: str, *values: Any) -> str:
    """A function without arguments that calls this one, which may `tell` the page, with plain values. No recording
    has the values: they may be typed text."""
    return f"function() {{ {_TELL} return ({function}).apply(this, {typed(values)}) }}"


_TELL = """const tell = field => {
    field.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    field.dispatchEvent(new Event('change', {bubbles: true}));
};"""
"""A script: the events after which pages look at the new value."""

_SET = """function(wanted) {
    const before = this.value;
    this.value = wanted;
    const same = this.type === 'color' ? this.value === wanted.toLowerCase() : this.value !== '' || wanted === '';
    if (!same) this.value = before;
    else if (this.value !== before) tell(this);
    return [same, this.type, this.value];
}"""

_FORMS = {
    "date": "YYYY-MM-DD",
    "time": "HH:MM",
    "month": "YYYY-MM",
    "week": "YYYY-Www",
    "datetime-local": "YYYY-MM-DDTHH:MM",
    "color": "#rrggbb",
}


async def set_value(supervisor: AsyncSupervisor, element: Element, value: str) -> str:
    """Set a date, time or colour as a whole, and return what it then holds. Raises `WrongValue`."""
    await focus(supervisor, element)
    with delivering():
        same, kind, now = await run_on(supervisor, element, calling(_SET, value))
    if not same:
        raise WrongValue(element.ref, f"expected {_FORMS.get(kind, 'another form')}")
    return str(now)


_SELECT = """function(wanted) {
    const plain = text => text.trim().replace(/\\s+/g, ' '), options = [...this.options];
    if (!this.multiple && wanted.length !== 1) return ['single'];
    const chosen = [];
    for (const [place, text] of wanted.entries()) {
        const called = options.filter(option => plain(option.label) === plain(text));
        const found = called.length ? called : options.filter(option => option.value === text);
        const option = found[0] || (/^\\d+$/.test(text) ? options[Number(text)] : undefined);
        if (new Set(found.map(each => each.value + '\\n' + plain(each.label))).size > 1) return ['doubtful', place];
        if (option === undefined) return ['missing', place];
        if (option.disabled || option.closest('optgroup')?.disabled) return ['disabled', place];
        chosen.push(option);
    }
    const before = options.map(option => option.selected).join();
    if (this.multiple) for (const option of options) option.selected = chosen.includes(option);
    else chosen[0].selected = true;
    if (options.map(option => option.selected).join() !== before) tell(this);
    return ['done', [...this.selectedOptions].map(option => plain(option.label))];
}"""


async def choose(supervisor: AsyncSupervisor, element: Element, options: tuple[str, ...]) -> list[str]:
    """Choose options of a native select by label, value or zero-based position, and return the labels of those chosen.

    Raises `WrongValue`.
    """
    with delivering():
        answer: list[Any] = await run_on(supervisor, element, calling(_SELECT, options))
    match answer:
        case ["done", [*labels]]:
            return [str(label) for label in labels]
        case ["single"]:
            raise WrongValue(element.ref, "expected one option: it takes no more")
        case ["disabled", place]:
            raise WrongValue(element.ref, f"option {place + 1} of those given is disabled")
        case ["doubtful", place]:
            raise WrongValue(element.ref, f"option {place + 1} of those given is there several times; give its value")
        case [_, place]:
            raise WrongValue(element.ref, f"option {place + 1} of those given is not there")
        case _:
            raise WrongValue(element.ref, "it did not answer")


TAKEN_S = 0.05
"""The time that a page has to take a date from its field."""
_DATE = re.compile(r"(?=.*\d[\s:/.,-]+\w|.*\w[\s:/.,-]+\d)[\w\s:/.,+-]{4,40}")
"""Texts that may be a date or a time."""


async def has_picker(supervisor: AsyncSupervisor, element: Element, text: str) -> bool:
    """Whether a text may be a date or a time, and a calendar or a clock is open beside its field."""
    return _DATE.fullmatch(text) is not None and bool(await run_on(supervisor, element, _HAS_PICKER))


_LEFT = """async function(leaves) {
    if (leaves || this.ariaInvalid === 'true') {
        this.blur();
        await new Promise(done => setTimeout(done, 300));
    }
    return this.value;
}"""


_OTHER_OF_RANGE = """function() {
    const inputs = node => [...node.querySelectorAll('input')].filter(each => each.getClientRects().length);
    let around = this.parentElement;
    for (let level = 0; level < 3 && around && inputs(around).length < 2; level++) around = around.parentElement;
    const both = around ? inputs(around) : [];
    return both.length === 2 && around.getBoundingClientRect().height < 100 ? both.find(each => each !== this) : null;
}"""
"""A function: the other date of a range that is drawn as one field."""


async def confirm_date(
    supervisor: AsyncSupervisor, element: Element, text: str, before: str, follows: Element | None = None
) -> None:
    """Press Enter where a calendar or a clock is open beside the field: many drop what was typed when they close.

    The first date of a range is not confirmed where the second one `follows`: many take both together. One that stays
    open, or is invalid, is left. Raises `WrongValue` where the field then has nothing, or what it had.
    """
    with delivering(began=True):
        if not await has_picker(supervisor, element, text):
            return
        is_next = f"function(next) {{ return ({_OTHER_OF_RANGE}).call(this) === next }}"
        is_together = follows is not None and follows.frame == element.frame
        others = () if follows is None else (follows.backend_node_id,)
        if is_together and await run_on(supervisor, element, is_next, *others):
            return
        await press_silent_enter(supervisor)
        await asyncio.sleep(TAKEN_S)
        leaves = await has_picker(supervisor, element, text)
        now = str(await run_on(supervisor, element, calling(_LEFT, leaves)))
    if now in ("", before) and _numbers(now) != _numbers(text):
        is_range = await run_on(supervisor, element, f"function() {{ return ({_OTHER_OF_RANGE}).call(this) !== null }}")
        way = "; fill both dates of the range in one call" if is_range else ""
        error = WrongValue(element.ref, f"the page did not take this date; page_error is what the field has{way}")
        error.page_text, error.maybe_executed = now, True
        raise error


def _numbers(text: str) -> list[int]:
    return sorted(map(int, re.findall(r"\d+", text)))


_POPUPS = """
    const {left, top, bottom} = this.getBoundingClientRect();
    const isPlaced = node => ['absolute', 'fixed'].includes(getComputedStyle(node).position);
    const above = node => node.assignedSlot || node.parentElement || the(node.parentNode)?.host, around = new Set();
    for (let node = this; node; node = above(node)) around.add(node);
    const popupAt = (x, y) => {
        let popup = null, node = null;
        for (let root = document; root; root = node?.shadowRoot) {
            const deeper = root.elementFromPoint(x, y);
            if (!deeper || deeper === node) break;
            node = deeper;
        }
        for (; node && !around.has(node); node = above(node)) if (isPlaced(node)) popup = node;
        return popup;
    };
"""
"""A script: finds the popup at a point, never one that the field is in."""

_HAS_PICKER = f"""async function() {{
    if (!this.matches('input')) return false;  // Enter sends a message, or begins a line
    {_POPUPS}
    const short = /^(\\p{{L}}{{1,5}}|\\d{{1,4}}\\p{{L}}?)$/u;
    const isCell = node => !node.children.length && short.test(node.textContent.trim()) && node.getClientRects().length;
    const parts = node => node.localName === 'slot' && node.assignedElements().length
        ? node.assignedElements() : [...the(the(node).shadowRoot || node).children];
    const cells = node => parts(node).reduce((sum, part) => sum + (isCell(part) ? 1 : cells(part)), 0);
    const isOpen = () => [bottom + 12, bottom + 60, top - 12, top - 60]
        .map(y => popupAt(left + 12, y)).some(popup => popup && cells(popup) >= 12);
    for (let look = 0; look < 2; look++) {{
        if (isOpen()) return true;
        await new Promise(done => setTimeout(done, 50));
    }}
    return false;
}}"""
"""A function: whether many short texts, such as days, months or hours, are in what lies above or below the field."""

LISTED = f"""function(wanted) {{
    const cell = this.closest('[role=gridcell], [role=columnheader], [role=grid] td, [role=treegrid] td, td[tabindex]');
    if (!this.matches('input') || (!cell && !wanted.trim())) return null;
    {_POPUPS}
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase(), isWord = /[\\p{{L}}\\p{{N}}]/u;
    const order = node => getComputedStyle(node).zIndex, isAmong = node => around.has(node) && isPlaced(node);
    const isRow = node => [...the(node.parentElement)?.children || []].some(each => isAmong(each)
        && each.localName === node.localName && order(each) === order(node));  // of a table that places its rows
    const isLast = node => node.matches(":popover-open") || node.parentElement === document.body;
    const isTop = node => isLast(node) || order(node) !== 'auto';
    const popups = [bottom + 12, top - 12].map(y => popupAt(left + 12, y)).filter(Boolean);
    const list = popups.find(node => isTop(node) && !isRow(node));
    if (!list) return null;
    const all = node => [node, ...[...the(the(node).shadowRoot || node).children].flatMap(all)], nodes = all(list);
    const isAlone = node => {{
        const box = node.getBoundingClientRect(), range = document.createRange();
        return nodes.flatMap(each => [...each.childNodes]).every(text => {{
            if (text.nodeType !== 3 || !isWord.test(text.data) || node.contains(text)) return true;
            range.selectNode(text);
            const beside = range.getBoundingClientRect(), middle = (beside.top + beside.bottom) / 2;
            return !beside.height || middle < box.top || middle > box.bottom;
        }});
    }};
    const leads = 'a[href]:not([href^="#"], [href^="javascript:"]), form button, [type=submit]';
    const same = wanted.trim() ? nodes.filter(node => plain(node.textContent) === plain(wanted)) : [];
    const found = same.filter(node => !same.some(other => other !== node && node.contains(other)));
    const [option] = found, isOption = found.length === 1 && isAlone(option) && !option.closest(leads);
    const before = globalThis.watchedField?.before || '', y = (top + bottom) / 2, last = globalThis.listed;
    const since = last && last.option === option ? last.since : Date.now();
    if (!cell && !isOption) return null;
    globalThis.option = option;
    globalThis.listed = {{field: this, cell, before, x: left + 12, y, option, since}};
    return isOption ? (Date.now() - since) / 1000 : -1;
}}"""
"""A function: how many seconds the list beside a text field has had exactly one option with this text. -1: none, or
several, in a table's cell. null: no list without roles is open above or below the field, or, elsewhere, none with this
option."""
