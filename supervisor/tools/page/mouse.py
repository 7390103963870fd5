"""The mouse."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo

from .geometry import Point
from .hit_testing import check_hit, locate
from .input_effects import Aftermath
from .page_frames import find, ready


class ClickArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_click`."""

    ref: str
    """The element's ref. browser_snapshot gives it."""
    button: Literal["left", "right", "middle"] = "left"
    count: Annotated[int, Meta(ge=1, le=3)] = 1
    """2 is a double click."""
    force: bool = False
    """Click at the element's place even if something else covers it and gets the click."""


class Clicked(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """The click was delivered."""

    ref: str
    frame_id: str
    x: float
    y: float
    """Where, in CSS pixels of the page's viewport."""


async def click(supervisor: AsyncSupervisor, arguments: ClickArguments) -> Clicked:
    """Click an element as a person does (`Input.dispatchMouseEvent`), in whatever frame and process it is.

    Raises an `ElementError` when nothing was clicked, and `BlockedByDialog`, at once, when the click opens a dialog.
    """
    await ready(supervisor)
    element = find(supervisor, arguments.ref)
    levels = await locate(supervisor, element)
    if not arguments.force:
        await check_hit(supervisor, element, levels)
    frame, point = levels[-1].frame, levels[-1].point
    await _mouse(supervisor, frame, "mouseMoved", point)
    for number in range(1, arguments.count + 1):
        await _mouse(supervisor, frame, "mousePressed", point, button=arguments.button, count=number)
        await _mouse(supervisor, frame, "mouseReleased", point, button=arguments.button, count=number)
    return Clicked(ref=arguments.ref, frame_id=element.frame.frame_id, x=point.x, y=point.y)


async def _mouse(
    supervisor: AsyncSupervisor,
    frame: FrameInfo,
    kind: input_.DispatchMouseEventType,
    point: Point,
    *,
    button: input_.MouseButton = "none",
    count: int = 0,
) -> None:
    event = input_.DispatchMouseEvent(type=kind, x=point.x, y=point.y, button=button, click_count=count)
    await supervisor.send(event, frame.frame_id)
