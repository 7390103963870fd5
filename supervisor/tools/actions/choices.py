"""Options of a closed select, a combobox or a list beside a field, checkboxes, radio buttons and switches.

A combobox is a text field with a list of options. It may drop a text when it loses the focus.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from msgspec import Struct

from cdp_typed.conversions import convert
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.element_errors import Covered, Disabled, NotShown, StaleRef, WrongValue
from supervisor.tools.page.page_frames import find, nodes_in, run_on
from supervisor.tools.page.refs import Element

from .fields import LISTED, calling, has_picker
from .keyboard import focus, press_key
from .mouse import ClickArguments, Clicked, click, press_drawn, press_on
from .positions import parse

CHANGE_S = 1.0
"""The time that a page has to show that a box was checked."""
LIST_S = 1.0
"""The time that a page has to show the options for a text."""
RESTS_S = 0.35
"""The time for which a list without roles must be the same before it is clicked: many wait 0.3 s before they filter."""
POLL_S = 0.05

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


_LIST = """function(wanted) {
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase(), root = this.getRootNode();
    const isShown = node => node.getClientRects().length > 0;
    const isDrawn = node => [...node.getClientRects()].some(({width, height, right, bottom}) =>
        width && height && right + scrollX > 0 && bottom + scrollY > 0);  // many a list opens from a point
    const isEmpty = node => { const box = node.getBoundingClientRect(); return box.width < 2 && box.height < 2 };
    const says = node => [node.textContent, node.getAttribute('aria-label')].map(plain).includes(plain(wanted));
    const ids = `${this.getAttribute('aria-controls') || ''} ${this.getAttribute('aria-owns') || ''}`.trim();
    const named = ids.split(/\\s+/).map(id => id && root.getElementById(id)).filter(Boolean);
    const lists = named.length ? named : [...document.querySelectorAll('[role=listbox], [role=tree], [role=menu]')]
        .filter(list => isShown(list) && !globalThis.listsBefore?.has(list));
    const around = list => {
        while (list && isShown(list) && isEmpty(list)) list = list.parentElement;
        return list?.contains(this) ? null : list;
    };
    const drawn = new Set(lists.map(around).filter(Boolean)), isApart = lists.some(list => !drawn.has(list));
    const marked = [...drawn].flatMap(list => isApart ? [] : [...list.querySelectorAll('[role=option]')]);
    const options = marked.length ? marked : [...drawn].flatMap(list => [...list.querySelectorAll('*')])
        .filter(node => !node.children.length && node.textContent && isDrawn(node));
    const active = root.getElementById(this.getAttribute('aria-activedescendant') || '');
    globalThis.option = options.find(says);
    globalThis.options = options;
    const several = lists.some(list => list.getAttribute('aria-multiselectable') === 'true');
    return {has: globalThis.option !== undefined, options: options.length, moves: active !== null, several,
        is_active: active !== null && says(active), is_drawn_apart: isApart};
}"""
"""A function: looks for an option with a text in the list of a combobox.

The list may be drawn without roles. One with roles may have no size, and only tell of the one that is drawn around it.
"""

_SHOWN = """
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase();
    const isListed = node => node.matches('[role=listbox], [role=option]') || globalThis.options?.includes(node);
    const isBare = node => !node.getClientRects().length || isListed(node);
    const texts = node => isBare(node) ? [] : [node.innerText, ...(node.innerText || '').split(/[\\n,;]/),
        ...[...(node.shadowRoot || node).children].slice(0, 50).flatMap(texts)];
    const aroundOf = field => {
        const around = [];
        for (let node = field.parentElement; node && around.length < 4; node = node.parentElement) around.push(node);
        return around;
    };
    const shows = (field, wanted) => {
        if (field.value) return plain(field.value) === plain(wanted);
        const where = field.matches('input') ? aroundOf(field) : [field];
        return where.flatMap(texts).some(text => plain(text) === plain(wanted));
    };
"""
"""A script: whether a list field shows that this is chosen, itself or, while it is empty, beside itself."""

_SHOWS = f"function(wanted) {{ {_SHOWN} return shows(this, wanted) }}"

_IS_OPEN = "function() { return this.getAttribute('aria-expanded') === 'true' }"

_LEAVE = f"""async function(wanted) {{ {_SHOWN}
    const box = this.getBoundingClientRect();
    this.blur();
    await new Promise(done => setTimeout(done, 50));
    if (!this.getClientRects().length) {{
        const under = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return plain(under?.innerText) === plain(wanted) ? wanted : null;
    }}
    return shows(this, wanted) ? this.value || wanted : null;
}}"""
"""A function: takes the focus away; the value that is shown then, null when that is another one than wanted.

Some fields show what was chosen beside them, and are empty. The editor of a table's cell goes away, and
leaves it there.
"""

_SHOWN_AFTERWARDS = f"""async function(wanted, within) {{ {_SHOWN}
    const {{cell, before, x, y}} = globalThis.listed, end = Date.now() + within * 1000, same = plain(wanted);
    const isShown = node => node !== null && node.isConnected && node.getClientRects().length > 0;
    const isOpen = () => isShown(this) && ({LISTED}).call(this, wanted) !== null;
    const text = () => {{
        if (isShown(this)) return this.value;
        return (isShown(cell) ? cell : document.elementFromPoint(x, y))?.innerText || '';
    }};
    const tells = () => before !== '' || (isShown(cell) && !cell.firstElementChild);  // an icon has no text
    const isOld = () => plain(text()) !== same && plain(text()) === plain(before) && tells();
    while ((isOpen() || isOld()) && Date.now() < end) await new Promise(done => setTimeout(done, 20));
    if (isOpen() && this.value) return [plain(this.value) === same ? 'alone' : 'several', null];
    if (isOpen() ? !shows(this, wanted) : isOld()) return ['other', null];
    return ['shown', isShown(this) || isShown(cell) ? text().trim() || wanted : wanted];
}}"""
"""A function: after the click on an option `shown` and the text of the field or its cell, `other` where that is still
the old one; `alone` or `several` where the list is open, and the field holds this text, or others too."""


_LISTS_BEFORE = """function() {
    const isOpen = this.getAttribute('aria-expanded') === 'true';
    const lists = document.querySelectorAll('[role=listbox], [role=tree], [role=menu]');
    globalThis.listsBefore = new Set(isOpen ? [] : [...lists].filter(list => list.getClientRects().length));
    return isOpen;
}"""
"""A function: keeps which lists are there before that of a combobox; whether its own is."""


async def is_list_open(supervisor: AsyncSupervisor, element: Element) -> bool:
    """Whether the list of a combobox is open. One that opens from now on is taken for it."""
    return bool(await run_on(supervisor, element, _LISTS_BEFORE))


class _Options(Struct, frozen=True):
    options: int
    has: bool
    moves: bool
    """Keys move in it."""
    is_active: bool
    several: bool
    """More than one can be chosen."""
    is_drawn_apart: bool
    """Its list does not say so: it only tells of another one that the page draws."""


async def pick(supervisor: AsyncSupervisor, element: Element, text: str) -> str:
    """Choose the option with this text, if the list has it, leave the field, and return what it holds then.

    The text is in the field already. Where it finds no option that is kept, the list is looked through without it.
    Raises `WrongValue` when the field does not keep it.
    """
    kept = await _choose_and_leave(supervisor, element, text)
    if kept is None and await _empty(supervisor, element):
        kept = await _choose_and_leave(supervisor, element, text)
    if kept is None:
        raise WrongValue(
            element.ref,
            "it did not keep the text when it lost the focus; click it, then one of its options",
        )
    return kept


async def pick_beside(supervisor: AsyncSupervisor, element: Element, text: str) -> str | None:
    """Choose the option with this text in the list of a table's cell, and return what the page shows then.

    Without such an option it leaves the field, unless no list is open any more: then it returns None. Raises
    `WrongValue` when the page then shows another value.
    """
    is_open, is_clicked = await _click_listed(supervisor, element, text)
    if is_clicked:
        with delivering(began=True):
            what, shown = await run_on(supervisor, element, calling(_SHOWN_AFTERWARDS, text, CHANGE_S))
        if what == "shown":
            return str(shown)
        if what == "other":
            raise WrongValue(element.ref, "its option was clicked, and it does not show that")
        if what == "several":
            raise WrongValue(element.ref, "its option was clicked; others are chosen too: click each, then elsewhere")
    if not is_open or await has_picker(supervisor, element, text):
        return None
    with delivering(began=True):
        kept = await run_on(supervisor, element, calling(_LEAVE, text))
    if kept is None:
        lost = "it did not keep the text when it lost the focus"
        raise WrongValue(element.ref, f"{lost}; click its cell, then an option of the list that opens")
    return str(kept)


async def _click_listed(supervisor: AsyncSupervisor, element: Element, text: str) -> tuple[bool, bool]:
    """Click the option once the list beside a field shows it and rests. Return whether a list is open, and whether the
    option was clicked."""
    end = asyncio.get_running_loop().time() + LIST_S
    while True:
        with delivering(began=True, left="its option was not chosen"):
            rests_s = await run_on(supervisor, element, calling(LISTED, text))
            with suppress(StaleRef):  # its list was drawn again meanwhile
                rests = rests_s is not None and rests_s > RESTS_S
                if rests and await _click_option(supervisor, element, "[globalThis.option]"):
                    return True, True
        if rests_s is None or asyncio.get_running_loop().time() > end + (0 if rests_s < 0 else LIST_S):
            return rests_s is not None, False
        await asyncio.sleep(POLL_S)


async def _choose_and_leave(supervisor: AsyncSupervisor, element: Element, text: str) -> str | None:
    seen = await _shown(supervisor, element, text)
    if seen.has:
        with delivering(began=True, left="its option was not chosen"):
            await _choose_shown(supervisor, element, text, seen.options)
    with delivering(began=True):
        kept = await run_on(supervisor, element, calling(_LEAVE, text))
    return None if kept is None else str(kept)


async def _empty(supervisor: AsyncSupervisor, element: Element) -> bool:
    """Open the list of an empty field again: some look for other words than they show. False if it holds a text."""
    with delivering(began=True):
        is_empty = await run_on(supervisor, element, "function() { return this.value === '' && this.isConnected }")
        if is_empty and not await is_list_open(supervisor, element):
            await press_on(supervisor, element)
    return bool(is_empty)


async def _choose_shown(supervisor: AsyncSupervisor, element: Element, text: str, options: int) -> None:
    """Choose an option by keys, or by a click where keys do not move in the list."""
    for _ in range(options + 1):
        await press_key(supervisor, parse("ArrowDown"))
        seen = await _options(supervisor, element, text)
        if seen.is_active:
            await press_key(supervisor, parse("Enter"))
            return
        if not seen.moves:
            break
    await _click_option(supervisor, element, "[globalThis.option].filter(Boolean)")


async def _click_option(supervisor: AsyncSupervisor, element: Element, which: str) -> bool:
    """Click the first of these nodes, if there is one."""
    nodes = await nodes_in(supervisor, element.frame, f"{which}.slice(0, 1)")
    for node in nodes:
        await press_on(supervisor, element.at(node))
    return bool(nodes)


_IS_CHOSEN = "(node => node.closest('[aria-selected]')?.getAttribute('aria-selected') === 'true')"
_TO_CHOOSE = f"[globalThis.option].filter(node => node && !{_IS_CHOSEN}(node))"
_TO_LEAVE = f"""(texts => {{
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase(), all = new Set(texts.map(plain));
    const isMeant = node => all.has(plain(node.textContent)) || all.has(plain(node.ariaLabel));
    return globalThis.options.filter(node => !isMeant(node) && {_IS_CHOSEN}(node));
}})"""
"""A function: the options that are chosen and have none of these texts."""


async def pick_from_list(supervisor: AsyncSupervisor, element: Element, texts: tuple[str, ...]) -> str:
    """Open a list that takes no text, choose the options with these texts, and return what the element shows then.

    Where several can be chosen, exactly these are afterwards. Raises `WrongValue` when one is not there, when the list
    takes one only, or when the element does not show it.
    """
    if not await is_list_open(supervisor, element):
        try:
            await press_on(supervisor, element)
        except NotShown:  # beside what is chosen such a field may have no size
            await focus(supervisor, element)
            await press_key(supervisor, parse("ArrowDown"))
    seen = [await _shown(supervisor, element, text) for text in texts]
    several = [each.several for each in seen if each.several or each.is_drawn_apart]
    is_single = len(texts) != 1 and not several
    if is_single or not all(each.has for each in seen):
        await _close(supervisor)
        missing = "no option with this text was shown when it was clicked"
        raise WrongValue(element.ref, "expected one option: it takes no more" if is_single else missing)
    if not several:
        await _click_option(supervisor, element, "[globalThis.option]")
    for text in texts if several else ():
        await _options(supervisor, element, text)  # anew for each: many pages draw the list again at each choice
        await _click_option(supervisor, element, _TO_CHOOSE)
    if several and (any(several) or await run_on(supervisor, element, _IS_OPEN)):
        for _ in range((await _options(supervisor, element, texts[0])).options):
            if not await _click_option(supervisor, element, f"{_TO_LEAVE}({json.dumps(texts)})"):
                break
            await _options(supervisor, element, texts[0])
        await _close(supervisor)  # such a list stays open
    end = asyncio.get_running_loop().time() + CHANGE_S
    while True:
        with delivering(began=True):
            shown = [await run_on(supervisor, element, calling(_SHOWS, text)) for text in texts]
        if all(shown):
            return ", ".join(" ".join(text.split()) for text in texts)
        if asyncio.get_running_loop().time() > end:
            raise WrongValue(element.ref, "its option was clicked, and it does not show that")
        await asyncio.sleep(POLL_S)


async def _close(supervisor: AsyncSupervisor) -> None:
    with delivering(began=True):
        await press_key(supervisor, parse("Escape"))


async def _shown(supervisor: AsyncSupervisor, element: Element, text: str) -> _Options:
    """The options as soon as one has the text, or when the time is over."""
    end = asyncio.get_running_loop().time() + LIST_S
    while True:
        with delivering(began=True):
            seen = await _options(supervisor, element, text)
        if seen.has or asyncio.get_running_loop().time() > end:
            return seen
        await asyncio.sleep(POLL_S)


async def _options(supervisor: AsyncSupervisor, element: Element, text: str) -> _Options:
    return convert(await run_on(supervisor, element, calling(_LIST, text)), _Options)
