"""The mouse."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal, TypeVar
from weakref import WeakKeyDictionary

from msgspec import Meta, Struct

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.element_errors import Covered, ElementError, NotShown
from supervisor.tools.page.geometry import Point, Position
from supervisor.tools.page.hit_testing import CLICKS, DRAWN, FramePoint, aim, drawn_under_mouse
from supervisor.tools.page.page_frames import listened_around, listened_on, nodes_in, ready, run, run_on
from supervisor.tools.page.refs import Element
from supervisor.tools.page.resolving import resolve_ref
from supervisor.tools.page.scripts.witness import WITNESS

from .input_effects import ActionResult, send_input
from .positions import modifiers, position_at

T = TypeVar("T")


class ClickArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_click`."""

    ref: str
    button: Literal["left", "right", "middle"] = "left"
    count: Annotated[int, Meta(ge=1, le=3)] = 1
    """2 is a double click."""
    at: str | None = None
    """Where on it: "10,20" from its corner, or "right bottom"."""
    select: str | None = None
    """Select this text in it."""
    modifiers: str | None = None
    """Keys held meanwhile: Control+Shift."""
    force: bool = False
    """Also if it is covered."""
    snapshot: bool = False
    """Show changes."""


KNOWN_S = 3.0
"""The time in which a page tells what was pressed."""

SEEN_S = 0.05
"""The time in which a frame sees an event that the browser has delivered."""

ANOTHER_ONE = "The element moved, or something came over it, in that moment: another element got the click."

LOST = "The element's frame saw no press: whether the element got the click is not known."

NO_CLICK = "The element was pressed, and got no click: it moved or was replaced in that moment. See what became of it."

ARRIVES_S = 1.0
"""The time in which the mouse arrives in a frame of another process."""


_MOUSES: WeakKeyDictionary[AsyncSupervisor, asyncio.Lock] = WeakKeyDictionary()
"""The one mouse of each browser."""


_POINTS: WeakKeyDictionary[AsyncSupervisor, dict[str, Point]] = WeakKeyDictionary()
"""The last point of the mouse in each page."""


def last_point(supervisor: AsyncSupervisor, page_id: str) -> Point:
    """The point of a page to which the mouse was moved last, at first its upper left corner."""
    return _POINTS.get(supervisor, {}).get(page_id, Point(0, 0))


class Press(Struct, frozen=True):
    """A click that was sent."""

    point: Point
    hint: str = ""
    """A reason to doubt that the element received it."""


class HoverArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_hover`."""

    ref: str
    at: str | None = None
    """As for a click."""
    snapshot: bool = False
    """Show changes."""


class Hovered(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The mouse is over the element."""

    ref: str


class Clicked(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The click was delivered."""

    ref: str
    frame_id: str
    x: float
    y: float
    """Where, in CSS pixels of the page's viewport."""


async def click(supervisor: AsyncSupervisor, arguments: ClickArguments) -> Clicked:
    """Click an element as a person does (`Input.dispatchMouseEvent`), in whatever frame and process it is.

    Raises an `ElementError` or `BlockedByDialog` when nothing was clicked, and `OpenedDialog`, at once, when the click
    opens a dialog.
    """
    place, held = position_at("at", arguments.at), modifiers(arguments.modifiers)
    await ready(supervisor)
    async with _MOUSES.setdefault(supervisor, asyncio.Lock()):  # another click would move it away before the press
        element = await resolve_ref(supervisor, arguments.ref)
        press = await press_drawn(
            supervisor, element, place, held, button=arguments.button, count=arguments.count, force=arguments.force
        )
    x, y = press.point.x, press.point.y
    return Clicked(ref=arguments.ref, frame_id=element.frame.frame_id, x=x, y=y, hint=press.hint)


async def press_drawn(
    supervisor: AsyncSupervisor, element: Element, place: Position | None = None, held: int = 0, **how: Any
) -> Press:
    """Press an element. In place of a box or a file field that cannot be seen, press what is drawn around it and takes
    clicks, or its label. Raises as `press_on`."""
    try:
        return await press_on(supervisor, element, place, held, **how)
    except (NotShown, Covered):
        which = "around" if CLICKS & await listened_on(supervisor, element, _DRAWN_FOR) else "label"
        drawn = await nodes_in(supervisor, element.frame, f"[globalThis.drawnFor.{which}].filter(Boolean)")
        if not drawn:
            raise
        return await press_on(supervisor, element.at(drawn[0]), None, held, **how)


_DRAWN_FOR = """function() {
    const isDrawn = node => [...node.getClientRects()].some(({width, height}) => width > 1 && height > 1);
    const isHidden = this.matches('input[type=checkbox], input[type=radio], input[type=file]');
    const isAlone = node => node.querySelectorAll('a[href], button, input, select, textarea, label').length === 1;
    let around = this.parentElement;
    for (let level = 0; level < 2 && around && !isDrawn(around); level++) around = around.parentElement;
    globalThis.drawnFor = isHidden ? {around, label: [...this.labels].find(isDrawn)} : {};
    return isHidden && around && around !== document.body && isAlone(around) ? around : null;
}"""
"""A function: what is drawn around a hidden box and around no label or other control."""


async def press_on(
    supervisor: AsyncSupervisor,
    element: Element,
    place: Position | None = None,
    held: int = 0,
    *,
    button: input_.MouseButton = "left",
    count: int = 1,
    force: bool = False,
) -> Press:
    """Move the mouse over an element and click there.

    Several clicks are sent together, so that a busy page takes them as one gesture. Raises an `ElementError`, and
    `OpenedDialog` when a click opens a dialog.
    """
    press, missed = await _press_once(supervisor, element, place, held, button=button, count=count, force=force)
    if missed is None or button != "left" or count > 1:
        return press
    with suppress(ElementError, CommandError):  # it was pressed all the same
        if not _PRESSES & await listened_around(supervisor, missed):
            press, _ = await _press_once(supervisor, missed, place, held)
    return press


_PRESSES = frozenset({"pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend"})
"""A page that listens to these may have done something without a click."""


async def _press_once(
    supervisor: AsyncSupervisor,
    element: Element,
    place: Position | None,
    held: int,
    *,
    button: input_.MouseButton = "left",
    count: int = 1,
    force: bool = False,
) -> tuple[Press, Element | None]:
    """Press an element, and return what was sent; also the element, or what took its place, if it missed the click."""
    levels = await aim(supervisor, element, place, force=force, watch=WITNESS)
    mouse, is_over = await _move_over(supervisor, element, levels, held)
    if not (force or is_over):
        await drawn_under_mouse(supervisor, element, levels)
    ask = partial(_ask, supervisor, element)
    if count > 1:
        await _press_often(mouse, button, count)
        pressed = None if force else await ask("pressed()")
    else:
        pressing = mouse.send("mousePressed", button=button, count=1)
        with delivering():
            pressed = await (pressing if force else _seen(pressing, ask, "down", "pressed"))
    hint = _HINTS.get(pressed or "", "")
    asks = button == "left" and not (force or hint)
    if count > 1:
        is_missed = asks and await ask("missed()")
    else:
        releasing = mouse.send("mouseReleased", button=button, count=1)
        with delivering(began=True):
            is_missed = await (_seen(releasing, ask, "up", "missed") if asks else releasing)
    missed = await _known(_present(supervisor, element)) if is_missed else None
    return Press(mouse.point, NO_CLICK if is_missed else hint), missed


_HINTS = {"nothing": LOST, "another": ANOTHER_ONE}
"""Reasons to doubt that the element was pressed."""


async def _press_often(mouse: Mouse, button: input_.MouseButton, count: int) -> None:
    kinds: tuple[input_.DispatchMouseEventType, ...] = ("mousePressed", "mouseReleased")
    sent = [
        asyncio.ensure_future(mouse.send(kind, button=button, count=number))
        for number in range(1, count + 1)
        for kind in kinds
    ]
    try:
        for number, event in enumerate(sent):
            with delivering(began=number > 0):
                await event
    finally:
        await asyncio.gather(*sent, return_exceptions=True)


async def _seen(sending: Awaitable[None], ask: Callable[[str], Awaitable[Any]], event: str, question: str) -> Any:
    """Send an event of the mouse, and ask the witness at once, which answers when the frame has seen the event.

    A frame that does not see it in time is asked what it knows. Raises what the sending raises.
    """
    asked = asyncio.ensure_future(ask(f"after('{event}', '{question}')"))
    try:
        await sending
        await asyncio.wait([asked], timeout=SEEN_S)
        told = asked.result() if asked.done() else None
    finally:
        asked.cancel()
    return await ask(f"{question}()") if told is None else told


async def _ask(supervisor: AsyncSupervisor, element: Element, question: str) -> Any:
    """What the witness answers; None if a dialog, a new document or a busy page hides that."""
    return await _known(run(supervisor, element.frame.frame_id, f"globalThis.witness?.{question}"))


async def _known(telling: Coroutine[Any, Any, T]) -> T | None:
    """What a page tells; None if a dialog, a new document or a busy page hides that."""
    try:
        async with asyncio.timeout(KNOWN_S):
            return await telling
    except (CDPError, TimeoutError):
        return None


async def hover(supervisor: AsyncSupervisor, arguments: HoverArguments) -> Hovered:
    """Bring an element into view and move the mouse over it. Raises an `ElementError`."""
    place = position_at("at", arguments.at)
    await ready(supervisor)
    element = await resolve_ref(supervisor, arguments.ref)
    with delivering():
        await move_to(supervisor, element, place)
    return Hovered(ref=arguments.ref)


async def move_to(supervisor: AsyncSupervisor, element: Element, place: Position | None = None, held: int = 0) -> Mouse:
    """Bring an element into view and move the mouse over it, with modifier keys held. Raises an `ElementError`."""
    levels = await aim(supervisor, element, place, watch=WITNESS)
    return (await _move_over(supervisor, element, levels, held))[0]


async def arrive(supervisor: AsyncSupervisor, element: Element, levels: tuple[FramePoint, ...], held: int = 0) -> Mouse:
    """Move the mouse to where an element was found, with modifier keys held."""
    await run_on(supervisor, element, WITNESS)
    return (await _move_over(supervisor, element, levels, held))[0]


async def _move_over(
    supervisor: AsyncSupervisor, element: Element, levels: tuple[FramePoint, ...], held: int
) -> tuple[Mouse, bool]:
    """Move the mouse to where an element with a witness was found, and return whether it is over the element.

    In another process it is moved again until it is, for `ARRIVES_S` at most: the browser delivers the mouse by what it
    drew last. A frame that has just appeared or scrolled is not in it yet, though its own process answers that the
    element is there.
    """
    mouse = Mouse(supervisor, levels[-1].frame, levels[-1].point, modifiers=held)
    end = asyncio.get_running_loop().time() + ARRIVES_S
    while True:
        is_over = await _seen(mouse.send("mouseMoved"), partial(_ask, supervisor, element), "move", "isOver")
        if is_over or len(levels) == 1 or asyncio.get_running_loop().time() > end:
            return mouse, bool(is_over)
        await run(supervisor, element.frame.frame_id, DRAWN)


async def _present(supervisor: AsyncSupervisor, element: Element) -> Element:
    """The element, or the one that took its place."""
    (node,) = await nodes_in(supervisor, element.frame, "[globalThis.witness.present()]")
    return element.at(node)


class Mouse(Struct, frozen=True):
    """The mouse at a point of the page's viewport."""

    supervisor: AsyncSupervisor
    frame: FrameInfo
    """The page's top frame."""
    point: Point
    modifiers: int = 0
    """The keys that are held, as bits of `Input.dispatchMouseEvent`."""

    async def send(
        self, kind: input_.DispatchMouseEventType, *, button: input_.MouseButton = "none", count: int = 0
    ) -> None:
        """Send an event at the point (`Input.dispatchMouseEvent`)."""
        held = {"left": 1, "right": 2, "middle": 4}.get(button, 0) if kind != "mouseReleased" else 0
        event = input_.DispatchMouseEvent(
            type=kind,
            x=self.point.x,
            y=self.point.y,
            button=button,
            buttons=held,
            click_count=count,
            modifiers=self.modifiers,
        )
        await send_input(self.supervisor, event, self.frame.frame_id)
        _POINTS.setdefault(self.supervisor, {})[self.frame.frame_id] = self.point
