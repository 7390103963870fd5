"""The mouse and a finger at points of the page, for models that work by pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import InvalidArgument, delivering
from supervisor.tools.page.geometry import Point
from supervisor.tools.page.page_frames import ready

from .mouse import Mouse
from .places import modifiers

SWIPE_STEPS = 10
SWIPE_PAUSE_S = 0.016

Button: TypeAlias = Literal["left", "middle", "right"]


class MouseArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_mouse`: an action at a point of the page's viewport."""

    action: Literal["move", "down", "up", "click", "wheel", "tap", "swipe"]
    """tap and swipe use a finger."""
    x: Annotated[float, Meta(ge=0)]
    """In CSS pixels of the viewport; `browser_vision` gives the scale of its picture."""
    y: Annotated[float, Meta(ge=0)]
    """The same, downwards."""
    button: Button | None = None
    """Default: left. With `move`: the button that is held."""
    count: Annotated[int, Meta(ge=1, le=3)] = 1
    """2 for a double click."""
    delta_x: float = 0
    """Of `wheel` and `swipe`, in CSS pixels to the right."""
    delta_y: float = 0
    """Down."""
    modifiers: str | None = None
    """Keys to hold, such as Control+Shift."""
    snapshot: bool = False
    """Show changes."""


async def use_mouse(supervisor: AsyncSupervisor, arguments: MouseArguments) -> None:
    """Do the action at a point (`Input.dispatchMouseEvent`, `Input.dispatchTouchEvent`).

    Raises `InvalidArgument` for a point outside of the viewport, `UnknownKey`, `BlockedByDialog` when nothing was done,
    and `OpenedDialog` when a dialog opened before all was done.
    """
    held = modifiers(arguments.modifiers)
    top = await ready(supervisor)
    view = (await supervisor.send(page.GetLayoutMetrics(), top.frame_id)).css_layout_viewport
    for name, value, size in (("x", arguments.x, view.client_width), ("y", arguments.y, view.client_height)):
        if value >= size:
            raise InvalidArgument(name, f"the viewport has {size} pixels; scroll first")
    mouse = Mouse(supervisor, top, Point(arguments.x, arguments.y), held)
    button = arguments.button or "left"
    match arguments.action:
        case "move":
            with delivering():
                await mouse.send("mouseMoved", button=arguments.button or "none")
        case "down":
            with delivering():
                await mouse.send("mousePressed", button=button, count=arguments.count)
        case "up":
            with delivering():
                await mouse.send("mouseReleased", button=button, count=arguments.count)
        case "click":
            await _click(mouse, button, arguments.count)
        case "wheel":
            await _turn_wheel(mouse, arguments.delta_x, arguments.delta_y)
        case "tap":
            await _touch(mouse, [mouse.point])
        case "swipe":
            if arguments.delta_x == arguments.delta_y == 0:
                raise InvalidArgument("delta_y", "a swipe needs delta_x or delta_y; without them it is a tap")
            await _touch(mouse, _way(mouse.point, arguments.delta_x, arguments.delta_y))


async def _click(mouse: Mouse, button: Button, count: int) -> None:
    """Send all clicks before the first answer, so that a page sees one double click."""
    with delivering():
        await mouse.send("mouseMoved")
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


async def _turn_wheel(mouse: Mouse, delta_x: float, delta_y: float) -> None:
    wheel = input_.DispatchMouseEvent(
        type="mouseWheel",
        x=mouse.point.x,
        y=mouse.point.y,
        delta_x=delta_x,
        delta_y=delta_y,
        modifiers=mouse.modifiers,
    )
    with delivering():
        await mouse.supervisor.send(wheel, mouse.frame.frame_id)


def _way(start: Point, delta_x: float, delta_y: float) -> list[Point]:
    parts = [number / SWIPE_STEPS for number in range(SWIPE_STEPS + 1)]
    return [Point(start.x + delta_x * part, start.y + delta_y * part) for part in parts]


async def _touch(mouse: Mouse, way: Sequence[Point]) -> None:
    """Put a finger down at the first point, move it over the others, and lift it at the last one."""
    for number, point in enumerate(way):
        with delivering(began=number > 0):
            await _send_touch(mouse, "touchMove" if number else "touchStart", input_.TouchPoint(x=point.x, y=point.y))
        if number:
            await asyncio.sleep(SWIPE_PAUSE_S)  # a page takes moves of one frame together
    with delivering(began=True):
        await _send_touch(mouse, "touchEnd")


async def _send_touch(mouse: Mouse, kind: input_.DispatchTouchEventType, *points: input_.TouchPoint) -> None:
    touch = input_.DispatchTouchEvent(type=kind, touch_points=list(points), modifiers=mouse.modifiers)
    await mouse.supervisor.send(touch, mouse.frame.frame_id)
