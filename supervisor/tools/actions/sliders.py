"""Sliders, moved by keys: applications take the value when a key or the pointer comes up."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from cdp_typed.conversions import convert
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.element_errors import NotEditable, WrongValue
from supervisor.tools.page.page_frames import run_on
from supervisor.tools.page.refs import Element

from .fields import calling
from .keyboard import focus, press_key
from .positions import parse

MAX_KEYS = 300
"""The longest way that keys go on a slider that only scripts can place."""

MOVE_S = 0.5
"""The time that a page has to move a slider after a key."""
POLL_S = 0.02

_FOCUS_THUMB = """function() {
    const thumb = this.querySelector('[tabindex="0"]');
    thumb?.focus();
    return thumb !== null && the(this.getRootNode()).activeElement === thumb;
}"""
"""A function: gives the focus to the first part of a slider that takes it; whether there is one."""

_NEAR = """function(wanted) {
    const probe = this.cloneNode(), goal = Number(wanted);
    probe.value = wanted;
    if (wanted === '' || Number(probe.value) !== goal) return 'wrong';
    if (Number(this.value) === goal) return '';
    let key = 'ArrowUp';
    if (this.step === 'any') key = '';
    else {
        probe.stepDown();
        if (Number(probe.value) === goal) { probe.stepUp(); key = 'ArrowDown'; }
    }
    this.value = probe.value;
    if (key) this.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    else tell(this);
    return key;
}"""
"""A function: puts a range one step beside a value and returns the key for that step; '' when the value is there."""

_VALUE = "function() { return this.value }"

_ARIA = """function() {
    const number = name => this.hasAttribute(name) ? Number(this.getAttribute(name)) : null;
    return {now: number('aria-valuenow'), least: number('aria-valuemin'), most: number('aria-valuemax')};
}"""


class _Slider(Struct, frozen=True):
    now: float | None
    least: float | None
    most: float | None


async def slide(supervisor: AsyncSupervisor, element: Element, value: str) -> str:
    """Bring an `<input type=range>` to a value, the last step by a key, and return what it then holds.

    Raises `WrongValue`.
    """
    await focus(supervisor, element)
    with delivering():
        key = await run_on(supervisor, element, calling(_NEAR, value))
    if key == "wrong":
        raise WrongValue(element.ref, "expected a number within its bounds and on its steps")
    with delivering(began=True):
        if key:
            await press_key(supervisor, parse(key))
        now = str(await run_on(supervisor, element, _VALUE))
    if float(now) != float(value):
        raise WrongValue(element.ref, "it was moved, and did not keep the value")
    return now


async def slide_by_keys(supervisor: AsyncSupervisor, element: Element, value: str) -> str:
    """Bring an element with the role `slider` to a value by arrow keys, and return what it then says.

    Raises `WrongValue`.
    """
    try:
        goal = float(value)
    except ValueError:
        raise WrongValue(element.ref, "expected a number") from None
    slider = await _read(supervisor, element)
    if slider.now is None:
        raise WrongValue(element.ref, "it does not say its value; use browser_press or browser_drag")
    if (slider.least is not None and goal < slider.least) or (slider.most is not None and goal > slider.most):
        raise WrongValue(element.ref, "expected a number within its bounds")
    await _focus_thumb(supervisor, element)
    now = slider.now
    for _ in range(MAX_KEYS):
        if now == goal:
            return f"{now:g}"
        is_below = now < goal
        with delivering(began=True):
            await press_key(supervisor, parse("ArrowUp" if is_below else "ArrowDown"))
            before, now = now, await _moved(supervisor, element, now)
        if now == before or (now != goal and (now < goal) is not is_below):
            break
    how = "did not move it" if now == slider.now else f"moved it to {now:g}, and did not reach the value"
    raise WrongValue(element.ref, f"arrow keys {how}")


async def _focus_thumb(supervisor: AsyncSupervisor, element: Element) -> None:
    """Give a slider the focus, or the part of it that takes one. Raises `NotEditable`."""
    try:
        await focus(supervisor, element)
    except NotEditable:
        if not await run_on(supervisor, element, _FOCUS_THUMB):
            raise


async def _moved(supervisor: AsyncSupervisor, element: Element, before: float) -> float:
    """The value once it is another one than before, or when the time is over."""
    end = asyncio.get_running_loop().time() + MOVE_S
    while True:
        now = (await _read(supervisor, element)).now or 0.0
        if now != before or asyncio.get_running_loop().time() > end:
            return now
        await asyncio.sleep(POLL_S)


async def _read(supervisor: AsyncSupervisor, element: Element) -> _Slider:
    return convert(await run_on(supervisor, element, _ARIA), _Slider)
