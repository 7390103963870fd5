"""The mouse."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from cdp_typed.errors import CDPError
from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.geometry import Place, Point
from supervisor.tools.page.hit_testing import IS_PART, aim
from supervisor.tools.page.page_frames import ready, run, run_on
from supervisor.tools.page.refs import Element
from supervisor.tools.page.rereading import use

from .input_effects import Aftermath
from .places import modifiers, place_at


class ClickArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_click`."""

    ref: str
    """The element."""
    button: Literal["left", "right", "middle"] = "left"
    count: Annotated[int, Meta(ge=1, le=3)] = 1
    """2 is a double click."""
    at: str | None = None
    """Where on it: "10,20" from its upper left corner, or a side, such as "right bottom"."""
    modifiers: str | None = None
    """Keys held meanwhile: Control+Shift."""
    force: bool = False
    """Click there even if something covers it."""
    snapshot: bool = False
    """Show changes."""


KNOWN_S = 0.5
"""The time in which a page tells what was pressed."""

ANOTHER_ONE = "The element moved, or something came over it, in that moment: another element got the click."

_LISTEN = f"""function() {{
    {IS_PART}
    globalThis.isBeside = false;
    addEventListener('pointerdown', event => {{
        globalThis.isBeside = this.isConnected && !isPart(this, event.composedPath()[0]);
    }}, {{once: true, capture: true}});
}}"""
"""A function: keeps whether the next press in the element's frame is on another element.

One that was replaced in the meantime does not count: what came in its place may be the same for the page.
"""


class Press(Struct, frozen=True):
    """A click that was delivered."""

    point: Point
    is_beside: bool
    """Another element got it."""


class HoverArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_hover`."""

    ref: str
    """The element."""
    at: str | None = None
    """As for a click."""
    snapshot: bool = False
    """Show changes."""


class Hovered(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """The mouse is over the element."""

    ref: str


class Clicked(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
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
    place, held = place_at("at", arguments.at), modifiers(arguments.modifiers)
    await ready(supervisor)
    element = await use(supervisor, arguments.ref)
    mouse = await move_to(supervisor, element, place, held, force=arguments.force)
    press = await press_at(element, mouse, arguments.button, arguments.count, force=arguments.force)
    x, y, hint = press.point.x, press.point.y, ANOTHER_ONE if press.is_beside else ""
    return Clicked(ref=arguments.ref, frame_id=element.frame.frame_id, x=x, y=y, hint=hint)


async def press_at(
    element: Element, mouse: Mouse, button: input_.MouseButton = "left", count: int = 1, *, force: bool = False
) -> Press:
    """Click where the mouse is, over an element.

    Several clicks are sent together, so that a busy page takes them as one gesture. Raises `OpenedDialog` when a click
    opens a dialog.
    """
    supervisor, is_beside = mouse.supervisor, False
    if not force:
        await run_on(supervisor, element, _LISTEN)
    if count == 1:
        with delivering():
            await mouse.send("mousePressed", button=button, count=1)
        if not force:
            is_beside = await _is_beside(supervisor, element)
        with delivering(began=True):
            await mouse.send("mouseReleased", button=button, count=1)
        return Press(mouse.point, is_beside)
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
    return Press(mouse.point, not force and await _is_beside(supervisor, element))


async def _is_beside(supervisor: AsyncSupervisor, element: Element) -> bool:
    """Whether another element was pressed; False also when that is not known: a dialog, a new document, a busy page."""
    try:
        async with asyncio.timeout(KNOWN_S):
            return await run(supervisor, element.frame.frame_id, "globalThis.isBeside") is True
    except (CDPError, TimeoutError):
        return False


async def hover(supervisor: AsyncSupervisor, arguments: HoverArguments) -> Hovered:
    """Bring an element into view and move the mouse over it. Raises an `ElementError`."""
    place = place_at("at", arguments.at)
    await ready(supervisor)
    mouse = await _aimed(supervisor, await use(supervisor, arguments.ref), place)
    with delivering():
        await mouse.send("mouseMoved")
    return Hovered(ref=arguments.ref)


async def move_to(
    supervisor: AsyncSupervisor, element: Element, place: Place | None = None, held: int = 0, *, force: bool = False
) -> Mouse:
    """Bring an element into view and move the mouse over it, with modifier keys held. Raises an `ElementError`."""
    mouse = replace(await _aimed(supervisor, element, place, force=force), modifiers=held)
    await mouse.send("mouseMoved")
    return mouse


async def _aimed(
    supervisor: AsyncSupervisor, element: Element, place: Place | None = None, *, force: bool = False
) -> Mouse:
    levels = await aim(supervisor, element, place, force=force)
    return Mouse(supervisor, levels[-1].frame, levels[-1].point)


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
        await self.supervisor.send(event, self.frame.frame_id)
