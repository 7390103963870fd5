"""Drag and drop, of what listens to the pointer and of what is `draggable`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

from msgspec import Struct

from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog, NavigationInterrupted
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.tools.framework.tool_errors import delivering
from supervisor.tools.page.geometry import Point
from supervisor.tools.page.hit_testing import locate
from supervisor.tools.page.page_frames import find, ready, run, top_of_session
from supervisor.tools.page.refs import Element

from .input_effects import Aftermath
from .mouse import Mouse, move_to


class DragArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_drag`."""

    ref: str
    """The ref of the element to drag. browser_snapshot gives it."""
    to_ref: str
    """The ref of the element to drop it on."""


class Dragged(Aftermath, frozen=True, kw_only=True, omit_defaults=True):
    """The element was dragged and let go."""

    ref: str
    to_ref: str


STEPS = 8
"""The number of places between start and end at which the mouse is moved."""

RESTS = (0, 2, 1)
REST_S = 0.06
"""The places, in pixels from its middle, and the time that the mouse rests over the destination.

SortableJS looks every 50 ms, and is at a loss when the mouse is at the very middle of an item.
"""

_LISTEN = """(() => {
    globalThis.dragged = null;
    addEventListener('dragstart', event => {
        const data = event.dataTransfer, prevented = event.defaultPrevented;
        const items = [...data.types].filter(type => type !== 'Files')
            .map(type => ({mimeType: type === 'text' ? 'text/plain' : type, data: data.getData(type)}));
        globalThis.dragged = prevented ? null : {items, effect: data.effectAllowed};
    }, {once: true});
})()"""
"""A script: keeps what the page puts into the next drag, as the browser would take it over from there."""

_MASKS = {"none": 0, "copy": 1, "link": 2, "move": 16, "copyLink": 3, "copyMove": 17, "linkMove": 18}
_ANY = 19
"""The operations that the page allows, as `DragData.drag_operations_mask` has them."""


async def drag(supervisor: AsyncSupervisor, arguments: DragArguments) -> Dragged:
    """Press the mouse on one element, move it to another and let it go there.

    A `draggable` element is dropped by `Input.dispatchDragEvent`. Raises an `ElementError` before anything is pressed.
    """
    top = await ready(supervisor)
    source, destination = find(supervisor, arguments.ref), find(supervisor, arguments.to_ref)
    await locate(supervisor, destination)
    mouse = await move_to(supervisor, source)
    async with _intercepted(supervisor, top):
        await run(supervisor, source.frame.frame_id, _LISTEN)
        await mouse.send("mousePressed", button="left", count=1)
        await _drop(supervisor, mouse, source, destination)
    return Dragged(ref=arguments.ref, to_ref=arguments.to_ref)


@asynccontextmanager
async def _intercepted(supervisor: AsyncSupervisor, top: FrameInfo) -> AsyncGenerator[None]:
    """Keep the browser from beginning a drag of the system, which would take the mouse from us."""
    await supervisor.send(input_.SetInterceptDrags(enabled=True), top.frame_id)
    try:
        yield
    finally:
        with suppress(BlockedByDialog):  # the next drag begins with it
            await supervisor.send(input_.SetInterceptDrags(enabled=False), top.frame_id)


async def _drop(supervisor: AsyncSupervisor, mouse: Mouse, source: Element, destination: Element) -> None:
    """Move to the destination, wherever it is by then, and let go."""
    start = mouse.point
    for shift in (3, 6, 9):  # Chromium begins a drag once the mouse has moved a few pixels
        mouse = Mouse(supervisor, mouse.frame, Point(start.x + shift, start.y))
        await mouse.send("mouseMoved", button="left")
    data = await _data(supervisor, source)
    end = (await locate(supervisor, destination))[-1].point
    for step in range(1, STEPS + 1):
        share = step / STEPS
        point = Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
        mouse = Mouse(supervisor, mouse.frame, point)
        if data is None:
            await mouse.send("mouseMoved", button="left")
        else:
            await _drag_event(mouse, "dragEnter" if step == 1 else "dragOver", data)
    if data is not None and _process(source) != _process(destination):  # it was not told of the drag yet
        await _drag_event(mouse, "dragEnter", data)
    for shift in RESTS:  # lists make room while something is over them, and look for that only now and then
        await asyncio.sleep(REST_S)
        end = (await locate(supervisor, destination))[-1].point
        mouse = Mouse(supervisor, mouse.frame, Point(end.x + shift, end.y + shift))
        if data is None:
            await mouse.send("mouseMoved", button="left")
        else:
            await _drag_event(mouse, "dragOver", data)
    if data is not None:
        with delivering():
            await _drag_event(mouse, "drop", data)
    with delivering(began=data is not None):
        await mouse.send("mouseReleased", button="left", count=1)


def _process(element: Element) -> str:
    return top_of_session(element.frame, element.tree).frame_id


async def _drag_event(mouse: Mouse, kind: input_.DispatchDragEventType, data: input_.DragData) -> None:
    event = input_.DispatchDragEvent(type=kind, x=mouse.point.x, y=mouse.point.y, data=data)
    await mouse.supervisor.send(event, mouse.frame.frame_id)


async def _data(supervisor: AsyncSupervisor, source: Element) -> input_.DragData | None:
    """What is dragged by the browser; None when the page does it by itself."""
    try:
        dragged: dict[str, Any] | None = await run(supervisor, source.frame.frame_id, "globalThis.dragged")
    except NavigationInterrupted:
        return None
    if dragged is None:
        return None
    items = [input_.DragDataItem(mime_type=item["mimeType"], data=item["data"]) for item in dragged["items"]]
    return input_.DragData(items=items, drag_operations_mask=_MASKS.get(dragged["effect"], _ANY))
