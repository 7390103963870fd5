"""The mouse."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal
from weakref import WeakKeyDictionary

from msgspec import Meta, Struct

from cdp_typed.errors import CDPError
from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.geometry import Place, Point
from supervisor.tools.page.hit_testing import DRAWN, GROUP, IS_PART, Level, aim, drawn_under_mouse
from supervisor.tools.page.page_frames import ready, run, run_on
from supervisor.tools.page.refs import Element
from supervisor.tools.page.rereading import use

from .input_effects import Aftermath, send_input
from .places import modifiers, place_at


class ClickArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_click`."""

    ref: str
    button: Literal["left", "right", "middle"] = "left"
    count: Annotated[int, Meta(ge=1, le=3)] = 1
    """2 is a double click."""
    at: str | None = None
    """Where on it: "10,20" from its upper left corner, or "right bottom"."""
    modifiers: str | None = None
    """Keys held meanwhile: Control+Shift."""
    force: bool = False
    """Click even if something covers it."""
    snapshot: bool = False
    """Show changes."""


KNOWN_S = 0.5
"""The time in which a page tells what was pressed."""

ANOTHER_ONE = "The element moved, or something came over it, in that moment: another element got the click."

LOST = "The element's frame saw no press: whether the element got the click is not known."

ARRIVES_S = 1.0
"""The time in which the mouse arrives in a frame of another process."""

_LISTEN = f"""function() {{
    {IS_PART} {GROUP}
    const inner = 'iframe, frame, object, embed, fencedframe';
    const isAround = [this, this.shadowRoot].some(node => node?.querySelector(inner)) || this.matches(inner);
    globalThis.pressed = isAround ? 'inner document' : 'nothing';
    addEventListener('pointerdown', event => {{
        const [hit] = event.composedPath();
        const isBeside = this.isConnected && !isPart(this, hit) && !isAimedAt(this, hit);
        globalThis.pressed = isBeside ? 'another' : 'element';
    }}, {{once: true, capture: true}});
}}"""
"""A function: keeps whether the next press in the element's frame is on the element.

One that was replaced in the meantime counts: what came in its place may be the same for the page. A press in an iframe
reaches only the document of the iframe.
"""

_IS_UNDER_MOUSE = f"""function() {{
    {IS_PART} {GROUP}
    let hit = null;
    for (let root = this.ownerDocument; root;) {{
        const last = [...root.querySelectorAll(':hover')].at(-1);
        hit = last || hit;
        root = last?.shadowRoot;
    }}
    return !this.isConnected || (hit !== null && (isPart(this, hit) || isAimedAt(this, hit)));
}}"""
"""A function: whether the mouse is over the element, as its document knows."""


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
    async with _MOUSES.setdefault(supervisor, asyncio.Lock()):  # another click would move it away before the press
        press = await press_on(
            supervisor, element, place, held, button=arguments.button, count=arguments.count, force=arguments.force
        )
    x, y = press.point.x, press.point.y
    return Clicked(ref=arguments.ref, frame_id=element.frame.frame_id, x=x, y=y, hint=press.hint)


async def press_on(
    supervisor: AsyncSupervisor,
    element: Element,
    place: Place | None = None,
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
    levels = await aim(supervisor, element, place, force=force)
    mouse = await arrive(supervisor, element, levels, held)
    if not force:
        await drawn_under_mouse(supervisor, element, levels)
    return await _press(element, mouse, button, count, force=force)


async def _press(element: Element, mouse: Mouse, button: input_.MouseButton, count: int, *, force: bool) -> Press:
    hint = ""
    if not force:
        await run_on(mouse.supervisor, element, _LISTEN)
    if count == 1:
        with delivering():
            await mouse.send("mousePressed", button=button, count=1)
        if not force:
            hint = await _hint(element, mouse)
        with delivering(began=True):
            await mouse.send("mouseReleased", button=button, count=1)
        return Press(mouse.point, hint)
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
    return Press(mouse.point, "" if force else await _hint(element, mouse))


async def _hint(element: Element, mouse: Mouse) -> str:
    """A reason to doubt that the element was pressed; "" also if a dialog, a new document or a busy page hides that."""
    try:
        async with asyncio.timeout(KNOWN_S):
            pressed = await run(mouse.supervisor, element.frame.frame_id, "globalThis.pressed")
    except (CDPError, TimeoutError):
        return ""
    return {"nothing": LOST, "another": ANOTHER_ONE}.get(pressed, "")


async def hover(supervisor: AsyncSupervisor, arguments: HoverArguments) -> Hovered:
    """Bring an element into view and move the mouse over it. Raises an `ElementError`."""
    place = place_at("at", arguments.at)
    await ready(supervisor)
    element = await use(supervisor, arguments.ref)
    with delivering():
        await move_to(supervisor, element, place)
    return Hovered(ref=arguments.ref)


async def move_to(supervisor: AsyncSupervisor, element: Element, place: Place | None = None, held: int = 0) -> Mouse:
    """Bring an element into view and move the mouse over it, with modifier keys held. Raises an `ElementError`."""
    return await arrive(supervisor, element, await aim(supervisor, element, place), held)


async def arrive(supervisor: AsyncSupervisor, element: Element, levels: tuple[Level, ...], held: int = 0) -> Mouse:
    """Move the mouse to where an element was found, with modifier keys held."""
    mouse = Mouse(supervisor, levels[-1].frame, levels[-1].point, modifiers=held)
    await mouse.send("mouseMoved")
    if len(levels) > 1:
        await _deliver(element, mouse)
    return mouse


async def _deliver(element: Element, mouse: Mouse) -> None:
    """Move the mouse again until it is over an element in another process, for `ARRIVES_S` at most.

    The browser delivers the mouse by what it drew last: a frame that has just appeared or scrolled is not in it yet,
    though its own process answers that the element is there.
    """
    end = asyncio.get_running_loop().time() + ARRIVES_S
    while not await run_on(mouse.supervisor, element, _IS_UNDER_MOUSE):
        if asyncio.get_running_loop().time() > end:
            return
        await run(mouse.supervisor, element.frame.frame_id, DRAWN)
        await mouse.send("mouseMoved")


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
