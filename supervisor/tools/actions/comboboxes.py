"""Text fields with a list of options (role `combobox`), which may drop a text when they lose the focus."""

from __future__ import annotations

import asyncio

from msgspec import Struct, convert

from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.element_errors import WrongValue
from supervisor.tools.page.page_frames import run_on
from supervisor.tools.page.refs import Element

from .fields import calling
from .key_definitions import parse
from .keyboard import press_key

LIST_S = 1.0
"""The time that a page has to show the options for a text."""
POLL_S = 0.05

_LIST = """function(wanted) {
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase(), root = this.getRootNode();
    const ids = `${this.getAttribute('aria-controls') || ''} ${this.getAttribute('aria-owns') || ''}`.trim();
    const lists = ids.split(/\\s+/).map(id => id && root.getElementById(id)).filter(Boolean);
    const options = lists.flatMap(list => [...list.querySelectorAll('[role=option]')]);
    const active = root.getElementById(this.getAttribute('aria-activedescendant') || '');
    return {options: options.length, has: options.some(option => plain(option.textContent) === plain(wanted)),
        is_active: active !== null && plain(active.textContent) === plain(wanted)};
}"""

_LEAVE = """async function(wanted) {
    this.blur();
    await new Promise(done => setTimeout(done, 50));
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase();
    if (plain(this.value) === plain(wanted)) return this.value;
    let around = this.parentElement;
    for (let level = 0; around && level < 4 && this.value === ''; level++, around = around.parentElement) {
        if (plain(around.innerText).split(/ ?[,;] ?| /).join(' ').includes(plain(wanted))) return wanted;
    }
    return null;
}"""
"""A function: takes the focus away; the value that is shown then, null when that is another one than wanted.

Some fields show what was chosen beside them, and are empty.
"""


class _Options(Struct, frozen=True):
    options: int
    has: bool
    is_active: bool


async def pick(supervisor: AsyncSupervisor, element: Element, text: str) -> str:
    """Choose the option with this text, if the list has it, leave the field, and return what it holds then.

    The text is in the field already. Raises `WrongValue` when the field does not keep it.
    """
    seen = await _shown(supervisor, element, text)
    if seen.has:
        with delivering(began=True, left="its option was not chosen"):
            for _ in range(seen.options + 1):
                if seen.is_active:
                    await press_key(supervisor, parse("Enter"))
                    break
                await press_key(supervisor, parse("ArrowDown"))
                seen = await _options(supervisor, element, text)
    with delivering(began=True):
        kept = await run_on(supervisor, element, calling(_LEAVE, text))
    if kept is None:
        raise WrongValue(
            element.ref, "it did not keep the text when it lost the focus; click it, then one of its options"
        )
    return str(kept)


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
