"""The mouse, a finger and held keys: at points of the page, for models that work by pictures, and over time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from math import pi, sin
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool_errors import InvalidArgument, delivering, sending
from supervisor.tools.page.geometry import Point
from supervisor.tools.page.hit_testing import aim
from supervisor.tools.page.page_frames import ready
from supervisor.tools.page.resolving import resolve_ref

from .input_effects import send_input, show_pointer
from .keyboard import focus, hold_key, let_go_key, press_keys
from .mouse import Mouse, last_point
from .positions import held_keys, held_modifiers, modifiers
from .text_fields import focused_value, takes_secret_there

FRAME_S = 0.016
"""The time between two points of a way: a page takes moves of one frame together."""
SWIPE_S = 0.16
GLIDE_S = 0.5
MOST_CLICKS = 3
MOST_STEPS = 1000
BEND = 0.12
"""How far a curve leaves the straight way, as a share of its length."""

Button: TypeAlias = Literal["left", "middle", "right"]
_ACTS = ("click", "tap", "swipe", "move", "glide", "type")
"""The actions that take time."""
_KEYS = ("key_down", "key_up", "type")


class MouseArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_mouse`: an action at a point of the page's viewport, or with keys."""

    action: Literal["move", "glide", "down", "up", "click", "wheel", "tap", "swipe", "key_down", "key_up", "type"]
    """tap, swipe: with a finger. glide: a move on a curve, as of a hand."""
    x: Annotated[float, Meta(ge=0)] | None = None
    """CSS pixels of the viewport; `browser_vision` gives its picture's scale."""
    y: Annotated[float, Meta(ge=0)] | None = None
    ref: str | None = None
    """Instead of x and y."""
    button: Button | None = None
    """Default: left. For moves: held."""
    count: Annotated[int, Meta(ge=1, le=MOST_STEPS)] | None = None
    """2: a double click. For moves: steps."""
    delta_x: float | None = None
    """Of wheel and swipe, to the right."""
    delta_y: float | None = None
    duration_s: Annotated[float, Meta(ge=0, le=30)] | None = None
    """Also how long click and tap hold."""
    text: TypedText | None = None
    """To type, or a key."""
    modifiers: str | None = None
    """Keys held: Control+Shift."""
    snapshot: bool = False
    """Show changes."""


class Used(Struct, frozen=True, kw_only=True):
    """The outcome of an action."""

    held_keys: tuple[str, ...]
    value: str | None = None


async def use_mouse(supervisor: AsyncSupervisor, arguments: MouseArguments) -> Used:
    """Do the action (`Input.dispatchMouseEvent`, `Input.dispatchTouchEvent`, `Input.dispatchKeyEvent`).

    Raises `InvalidArgument`, also for a point outside of the viewport, an `ElementError`, `UnknownKey`,
    `BlockedByDialog` when nothing was done, and `OpenedDialog` when a dialog opened before all was done.
    """
    _check(arguments)
    held = modifiers(arguments.modifiers)
    top = await ready(supervisor)
    value = None
    if arguments.action in _KEYS:
        value = await _use_keys(supervisor, arguments)
    else:
        mouse = Mouse(supervisor, top, await _point(supervisor, top, arguments), held)
        await _act(mouse, arguments)
    return Used(held_keys=tuple(key.key for key in held_keys(supervisor, top.frame_id)), value=value)


def _check(arguments: MouseArguments) -> None:
    """Raise `InvalidArgument` for arguments that do not fit the action."""
    action, is_key, count = arguments.action, arguments.action in _KEYS, arguments.count or 1
    points = [arguments.x, arguments.y].count(None)
    if is_key and points < 2:
        raise InvalidArgument("x", f"{action} takes no point")
    if not is_key and points != (0 if arguments.ref is None else 2):
        raise InvalidArgument("ref", "give x and y, or ref")
    if is_key is (arguments.text is None):
        raise InvalidArgument("text", f"{action} {'needs it' if is_key else 'takes no text'}")
    if arguments.duration_s is not None and action not in _ACTS:
        raise InvalidArgument("duration_s", f"only for {', '.join(_ACTS)}")
    if action not in ("move", "glide") and count > MOST_CLICKS:
        raise InvalidArgument("count", f"expected at most {MOST_CLICKS} for {action}")
    if action == "click" and arguments.duration_s and count > 1:
        raise InvalidArgument("duration_s", "holds one click only")
    if action == "swipe" and not (arguments.delta_x or arguments.delta_y):
        raise InvalidArgument("delta_y", "a swipe needs delta_x or delta_y; without them it is a tap")


async def _use_keys(supervisor: AsyncSupervisor, arguments: MouseArguments) -> str | None:
    """Hold a key, let go of it, or type with pauses; return the focused field's value after typing."""
    text = arguments.text or ""
    if arguments.ref is not None:
        await focus(supervisor, await resolve_ref(supervisor, arguments.ref))
    if arguments.action == "key_down":
        await hold_key(supervisor, text)
    elif arguments.action == "key_up":
        await let_go_key(supervisor, text)
    else:
        if await takes_secret_there(supervisor):
            supervisor.redaction.hide(text)
        await press_keys(supervisor, text, (arguments.duration_s or 0) / max(len(text), 1))
        return await focused_value(supervisor)
    return None


async def _point(supervisor: AsyncSupervisor, top: FrameInfo, arguments: MouseArguments) -> Point:
    """The point that is meant, within the viewport; an element is brought into view first."""
    if arguments.ref is not None:
        return (await aim(supervisor, await resolve_ref(supervisor, arguments.ref)))[-1].point
    x, y = arguments.x or 0, arguments.y or 0
    view = (await supervisor.send(page.GetLayoutMetrics(), top.frame_id)).css_layout_viewport
    for name, value, size in (("x", x, view.client_width), ("y", y, view.client_height)):
        if value >= size:
            raise InvalidArgument(name, f"the viewport has {size} pixels; scroll first")
    return Point(x, y)


async def _act(mouse: Mouse, arguments: MouseArguments) -> None:
    button, count, duration_s = arguments.button or "left", arguments.count or 1, arguments.duration_s
    match arguments.action:
        case "move" | "glide":
            await _travel(mouse, arguments)
        case "down":
            with delivering():
                await mouse.send("mousePressed", button=button, count=count)
        case "up":
            with delivering():
                await mouse.send("mouseReleased", button=button, count=count)
        case "click":
            await _click(mouse, button, count, duration_s or 0)
        case "wheel":
            await _turn_wheel(mouse, arguments.delta_x or 0, arguments.delta_y or 0)
        case "tap":
            await _touch(mouse, [mouse.point], duration_s or 0)
        case _:
            seconds = SWIPE_S if duration_s is None else duration_s
            end = Point(mouse.point.x + (arguments.delta_x or 0), mouse.point.y + (arguments.delta_y or 0))
            await _touch(mouse, _straight(mouse.point, end, max(1, round(seconds / FRAME_S))), seconds)


async def _travel(mouse: Mouse, arguments: MouseArguments) -> None:
    """Move from where the mouse is, in as many steps and as much time as asked for."""
    is_curve = arguments.action == "glide"
    seconds = arguments.duration_s if arguments.duration_s is not None else GLIDE_S if is_curve else 0
    steps = arguments.count or max(1, round(seconds / FRAME_S))
    start = last_point(mouse.supervisor, mouse.frame.frame_id)
    way = (_curve if is_curve else _straight)(start, mouse.point, steps)
    began = asyncio.get_running_loop().time()
    for number, point in enumerate(way[1:], 1):
        with delivering(began=number > 1):
            await replace(mouse, point=point).send("mouseMoved", button=arguments.button or "none")
        await asyncio.sleep(max(0, began + seconds * number / steps - asyncio.get_running_loop().time()))


def _straight(start: Point, end: Point, steps: int) -> list[Point]:
    parts = [number / steps for number in range(steps)]
    return [*(Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part) for part in parts), end]


def _curve(start: Point, end: Point, steps: int) -> list[Point]:
    """A bent way that begins and ends slowly. It is the same each time."""
    right, down = end.x - start.x, end.y - start.y
    way = list[Point]()
    for number in range(steps):
        time = number / steps
        part = time**3 * (10 - 15 * time + 6 * time**2)
        aside = BEND * sin(pi * part)
        way.append(Point(max(0, start.x + right * part - down * aside), max(0, start.y + down * part + right * aside)))
    return [*way, end]


async def _click(mouse: Mouse, button: Button, count: int, held_s: float) -> None:
    """Send all clicks before the first answer, so that a page sees one double click."""
    with delivering():
        await mouse.send("mouseMoved")
    if held_s:
        with delivering():
            await mouse.send("mousePressed", button=button, count=1)
        await asyncio.sleep(held_s)
        with delivering(began=True):
            await mouse.send("mouseReleased", button=button, count=1)
        return
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
        await send_input(mouse.supervisor, wheel, mouse.frame.frame_id)


async def _touch(mouse: Mouse, way: Sequence[Point], seconds: float) -> None:
    """Put a finger down at the first point, move it over the others, and lift it at the last one."""
    pause_s = seconds / max(1, len(way) - 1)
    for number, point in enumerate(way):
        with delivering(began=number > 0):
            await _send_touch(mouse, "touchMove" if number else "touchStart", input_.TouchPoint(x=point.x, y=point.y))
        if number or len(way) == 1:
            await asyncio.sleep(pause_s)
    with delivering(began=True):
        await _send_touch(mouse, "touchEnd")


async def _send_touch(mouse: Mouse, kind: input_.DispatchTouchEventType, *points: input_.TouchPoint) -> None:
    held = mouse.modifiers | held_modifiers(mouse.supervisor, mouse.frame.frame_id)
    touch = input_.DispatchTouchEvent(type=kind, touch_points=list(points), modifiers=held)
    for point in points:
        show_pointer(mouse.supervisor, point.x, point.y, pressed=kind == "touchStart")
    with sending():
        await mouse.supervisor.send(touch, mouse.frame.frame_id)
