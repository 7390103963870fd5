"""Options of a combobox, of a list that opens, and of a list beside a field.

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
from supervisor.tools.page.element_errors import Covered, NotShown, StaleRef, WrongValue
from supervisor.tools.page.page_frames import nodes_in, run_on
from supervisor.tools.page.refs import Element
from supervisor.tools.page.scripts.choice_lists import CHOSEN, LEAVE, LIST, LISTS_BEFORE, SHOWN, TO_CHOOSE, TO_LEAVE

from .fields import FIELD, LISTED, Field, calling, has_picker
from .keyboard import focus, press_key, press_silent_enter, write
from .mouse import press_on
from .positions import parse

CHANGE_S = 1.0
"""The time that a page has to show a choice."""
LIST_S = 1.5
"""The time that a page has to show the options for a text: many wait 0.3 s, and then ask a server."""
RESTS_S = 0.35
"""The time for which a list without roles must be the same before it is clicked: many wait 0.3 s before they filter."""
DROPS_S = 0.3
"""The time that a page has to drop a text, when its field loses the focus."""
OPENS_S = 0.3
"""The time that a list has to open."""
POLL_S = 0.05

_SHOWN_AFTERWARDS = f"""async function(wanted, within) {{ {SHOWN}
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


async def _is_list_open(supervisor: AsyncSupervisor, element: Element) -> bool:
    """Whether the list of a combobox is open. One that opens from now on is taken for it."""
    return bool(await run_on(supervisor, element, LISTS_BEFORE))


class _Options(Struct, frozen=True):
    options: int
    text: str | None
    """That of the one which was looked for; None if there is none."""
    moves: bool
    """Keys move in it."""
    is_active: bool
    several: bool
    """More than one can be chosen."""
    is_drawn_apart: bool
    """Its list does not say so: it only tells of another one that the page draws."""
    field: Field


_LIST = f"""async function(...looking) {{
    return {{...await ({LIST}).apply(this, looking), field: ({FIELD}).call(this)}};
}}"""


async def pick(supervisor: AsyncSupervisor, element: Element, text: str) -> str:
    """Choose the option with this text, if the list has it, leave the field, and return what it holds then.

    The text is in the field already. Where it finds no option that is kept, the list is looked through without it.
    Raises `WrongValue` when the field does not keep it.
    """
    kept = await _choose_and_leave(supervisor, element, text)
    if kept is None and text and await _empty(supervisor, element):
        kept = await _choose_and_leave(supervisor, element, text, by_value=True)
    if kept is None:
        held = (
            "its list stays open, and its cell has not taken the text; press Enter in it, or click one of its options"
        )
        raise WrongValue(element.ref, held if await _is_list_open(supervisor, element) else _LOST)
    return kept


async def pick_beside(supervisor: AsyncSupervisor, element: Element, text: str) -> str | None:
    """Choose the option with this text in the list of a table's cell, and return what the page shows then.

    Without such an option it leaves the field, unless no list is open any more: then it returns None. Outside of
    tables an option is chosen only if the field drops the text when it is left, since a click on what a search field
    suggests may begin the search. Raises `WrongValue` when the page then shows another value.
    """
    with delivering(began=True):
        is_in_cell = await run_on(supervisor, element, "function() { return globalThis.listed.cell !== null }")
        kept = None if is_in_cell else await run_on(supervisor, element, calling(LEAVE, text, DROPS_S))
    if kept is not None:
        return str(kept)
    if not is_in_cell:
        await _open(supervisor, element)
        await focus(supervisor, element, "function() { this.select() }")
        await write(supervisor, text)
        if not (await _click_listed(supervisor, element, text, is_opening=True))[1]:
            raise WrongValue(element.ref, _LOST)
        return await _told(supervisor, element, (text,))
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
        kept = await run_on(supervisor, element, calling(LEAVE, text, DROPS_S))
    if kept is None:
        lost = "it did not keep the text when it lost the focus"
        raise WrongValue(element.ref, f"{lost}; click its cell, then an option of the list that opens")
    return str(kept)


async def _click_listed(
    supervisor: AsyncSupervisor, element: Element, text: str, *, is_opening: bool = False
) -> tuple[bool, bool]:
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
        is_there = rests_s is not None and rests_s >= 0
        is_closed = rests_s is None and not is_opening
        if is_closed or asyncio.get_running_loop().time() > end + (LIST_S if is_there else 0):
            return rests_s is not None, False
        await asyncio.sleep(POLL_S)


async def _choose_and_leave(
    supervisor: AsyncSupervisor, element: Element, text: str, *, by_value: bool = False
) -> str | None:
    seen = await _shown(supervisor, element, text, by_value=by_value) if text else None
    option = None if seen is None else seen.text
    if seen is not None and option is not None:
        with delivering(began=True, left="its option was not chosen"):
            await _choose_shown(supervisor, element, option, seen.options)
    within_s = DROPS_S if option is None else 0.05
    with delivering(began=True):
        kept = await run_on(supervisor, element, calling(LEAVE, text if option is None else option, within_s))
    return None if kept is None else str(kept)


async def _empty(supervisor: AsyncSupervisor, element: Element) -> bool:
    """Open the list of an empty field again: some look for other words than they show. False if it holds a text."""
    with delivering(began=True):
        is_empty = await run_on(supervisor, element, "function() { return this.value === '' && this.isConnected }")
        if is_empty and not await _is_list_open(supervisor, element):
            await press_on(supervisor, element)
    return bool(is_empty)


async def _choose_shown(supervisor: AsyncSupervisor, element: Element, text: str, options: int) -> None:
    """Choose an option by keys, or by a click where keys do not move in the list."""
    for _ in range(options + 1):
        await press_key(supervisor, parse("ArrowDown"))
        seen = await _shown(supervisor, element, text, 0)
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


_LOST = "it did not keep the text when it lost the focus; click it, then one of its options"
_ONE = "expected one option: it takes no more"
_MISSING = "no option with this text was shown when it was clicked"


async def pick_from_list(
    supervisor: AsyncSupervisor, element: Element, value: str | tuple[str, ...], *, is_typed: bool
) -> str | Field:
    """Open a list, choose its options with these texts, and return what the field shows then.

    Where several can be chosen, those of a tuple are chosen afterwards, and no others; a single text is added in a
    field that `is_typed`. A typed field that takes one text gets no option: the caller types, and the result is the
    field as it is then. Raises `WrongValue` if an option is missing, if the list takes only one, or if the field does
    not show the chosen options.
    """
    is_text, texts = isinstance(value, str), (value,) if isinstance(value, str) else value
    await _open(supervisor, element)
    seen = await _shown(supervisor, element, "" if is_typed else "".join(texts[:1]), OPENS_S, by_value=True)
    if seen.several or seen.is_drawn_apart or (is_typed and len(texts) > 1):
        return await _pick_several(supervisor, element, texts, is_typed=is_typed, only=not (is_typed and is_text))
    if is_typed and texts:
        return seen.field
    if len(texts) == 1 and seen.text is None:
        seen = await _shown(supervisor, element, texts[0], by_value=True)
    if len(texts) != 1 or seen.text is None:
        await _close(supervisor, element)
        raise WrongValue(element.ref, _ONE if len(texts) != 1 else _MISSING)
    await _click_option(supervisor, element, "[globalThis.option]")
    return await _told(supervisor, element, (seen.text,))


async def _pick_several(
    supervisor: AsyncSupervisor, element: Element, texts: tuple[str, ...], *, is_typed: bool, only: bool
) -> str:
    """Choose these texts in a field that holds several, and return all that it holds then.

    With `only` the others are taken away, in the list or by Backspace. Raises `WrongValue`.
    """
    await _chosen(supervisor, element)
    is_alone = len(texts) == 1
    texts = tuple([await _add(supervisor, element, text, is_typed=is_typed, is_alone=is_alone) for text in texts])
    if only:
        await _take_away(supervisor, element, texts)
        if is_typed and await _erase_others(supervisor, element, texts):
            return await _pick_several(supervisor, element, texts, is_typed=True, only=False)
    await _close(supervisor, element)
    return await _told(supervisor, element, texts)


async def _add(supervisor: AsyncSupervisor, element: Element, text: str, *, is_typed: bool, is_alone: bool) -> str:
    """Choose a text, and return that of its option."""
    await _shown(supervisor, element, text, 0)  # what these show is not what is chosen
    if await _chosen(supervisor, element, (text,)):
        return text
    await _open(supervisor, element)
    seen = await _shown(supervisor, element, text, OPENS_S if is_typed else LIST_S, by_value=True)
    if seen.text is None and is_typed:
        await focus(supervisor, element)
        await write(supervisor, text)
        seen = await _shown(supervisor, element, text)
    if seen.text is not None and not (is_alone or seen.several or seen.is_drawn_apart):
        await _close(supervisor, element)
        raise WrongValue(element.ref, _ONE)
    if seen.text is not None:  # where it is chosen already, a click would take it away
        await _click_option(supervisor, element, TO_CHOOSE)
    elif is_typed and not seen.options:
        await press_silent_enter(supervisor)
        await _told(supervisor, element, (text,), _MISSING)
    else:
        await _close(supervisor, element)
        raise WrongValue(element.ref, _MISSING)
    return seen.text or text


async def _take_away(supervisor: AsyncSupervisor, element: Element, texts: tuple[str, ...]) -> None:
    """Click the options that are chosen beside these. Many lists close, or are drawn anew, at each."""
    await _open(supervisor, element)
    for _ in range((await _shown(supervisor, element, "", OPENS_S)).options):
        if not await _click_option(supervisor, element, f"{TO_LEAVE}({json.dumps(texts)})"):
            break
        await _open(supervisor, element)
        await _shown(supervisor, element, "", 0)


async def _erase_others(supervisor: AsyncSupervisor, element: Element, texts: tuple[str, ...]) -> bool:
    """Press Backspace while other texts than these are beside the field, and one goes. Return whether one went."""
    wanted = {_plain(text) for text in texts}
    first = shown = await _chosen(supervisor, element, texts) or []
    misses = 0
    while misses < 2 and any(_plain(text) not in wanted for text in shown):
        await focus(supervisor, element)
        await press_key(supervisor, parse("Backspace"))
        await asyncio.sleep(POLL_S)
        now = await _chosen(supervisor, element) or []
        misses = misses + 1 if now == shown else 0
        shown = now
    return shown != first


async def _told(
    supervisor: AsyncSupervisor,
    element: Element,
    texts: tuple[str, ...],
    problem: str = "its option was clicked, and it does not show that",
) -> str:
    """What the field shows, once these are all there."""
    shown = await _chosen(supervisor, element, texts, CHANGE_S)
    if shown is None and texts:
        raise WrongValue(element.ref, problem)
    return ", ".join(dict.fromkeys(shown or ()))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


async def _chosen(
    supervisor: AsyncSupervisor, element: Element, texts: tuple[str, ...] = (), within_s: float = 0
) -> list[str] | None:
    """All that the field shows as chosen, once these texts are among it; None when the time is over."""
    with delivering(began=True):
        return convert(await run_on(supervisor, element, calling(CHOSEN, texts, within_s)), list[str] | None)


async def _open(supervisor: AsyncSupervisor, element: Element) -> None:
    if await _is_list_open(supervisor, element):
        return
    try:
        await press_on(supervisor, element)
    except (NotShown, Covered):  # beside what is chosen such a field may have no size
        await focus(supervisor, element)
        await press_key(supervisor, parse("ArrowDown"))


async def _close(supervisor: AsyncSupervisor, element: Element) -> None:
    """Close a list that is not known to be closed: there Escape may close what is around it."""
    with delivering(began=True):
        if await run_on(supervisor, element, "function() { return this.ariaExpanded !== 'false' }"):
            await press_key(supervisor, parse("Escape"))
        await run_on(supervisor, element, "function() { if (this.matches('input, textarea')) this.blur() }")


async def _shown(
    supervisor: AsyncSupervisor, element: Element, text: str, within_s: float = LIST_S, *, by_value: bool = False
) -> _Options:
    """The options as soon as one has the text, or when the time is over."""
    with delivering(began=True):
        return convert(await run_on(supervisor, element, calling(_LIST, text, within_s, by_value)), _Options)
