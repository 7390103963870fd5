"""Measures the boxes of elements and of the iframes around them, in viewports."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any

from cdp_typed.errors import CommandError
from cdp_typed.protocol import dom, page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import FrameInfo

from .element_errors import NotShown, StaleRef
from .geometry import Box, Point, Position, View, around, corners, through
from .page_frames import in_order, nodes_in, owner_of, parent_of, run_on, top_of_session
from .refs import Element, Node, refs_of

SPECK = 2.0
"""The side, in pixels, of a box that nobody aims at: that of a field which a page hides."""


async def scroll_to(supervisor: AsyncSupervisor, element: Element, whole: Box, place: Position) -> None:
    """Scroll a place of an element that is larger than the viewport into view."""
    point = whole.point_at(place)
    rect = dom.Rect(x=point.x - whole.left, y=point.y - whole.top, width=1, height=1)
    command = dom.ScrollIntoViewIfNeeded(backend_node_id=dom.BackendNodeId(element.backend_node_id), rect=rect)
    await supervisor.send(command, element.frame.frame_id)


async def seen_of(supervisor: AsyncSupervisor, element: Element, area: Box | None = None) -> tuple[Box, bool]:
    """The box around what its own process shows of an element, in the page's viewport, and whether that is all of it.

    With `area`, in the page's viewport too, that part of the page counts as shown. Raises `NotShown` and `StaleRef`.
    """
    frame = top_of_session(element.frame, element.tree)
    area = area if frame.parent_id is None else None
    whole, seen, _ = await first_box(supervisor, element, frame, area, scroll=False)
    return await _in_page(supervisor, element, seen.corners), seen == whole


async def box_of(supervisor: AsyncSupervisor, element: Element) -> Box:
    """The box around an element's border in the page's viewport, also where it is out of view (`DOM.getBoxModel`).

    Raises `NotShown` and `StaleRef`.
    """
    try:
        model = await box_model(supervisor, element.frame, dom.BackendNodeId(element.backend_node_id))
    except CommandError:
        raise await _why_no_box(supervisor, element) from None
    return await _in_page(supervisor, element, corners(model.border))


async def _in_page(supervisor: AsyncSupervisor, element: Element, points: Iterable[Point]) -> Box:
    """The box around points of the element's process, in the page's viewport."""
    for parent, owner in await iframes_above(supervisor, element):
        model = await box_model(supervisor, parent, owner)
        points = [through(model, point) for point in points]
    return around(points)


async def iframes_above(supervisor: AsyncSupervisor, element: Element) -> list[tuple[FrameInfo, dom.BackendNodeId]]:
    """The iframe elements that lead into another process, from the inside out, each with the frame that holds it."""
    frame, parents, asked = top_of_session(element.frame, element.tree), list[FrameInfo](), list[Any]()
    while (parent := parent_of(frame, element.tree)) is not None:
        parents.append(parent)
        asked.append(owner_of(supervisor, frame, parent))
        frame = top_of_session(parent, element.tree)
    return list(zip(parents, await asyncio.gather(*asked), strict=True))


async def first_box(
    supervisor: AsyncSupervisor,
    element: Element,
    frame: FrameInfo,
    area: Box | None = None,
    *,
    scroll: bool,
    then: str | None = None,
) -> tuple[Box, Box, View]:
    """An element's first box (`DOM.getContentQuads`), the part of it that is in `area`, or else in the view of `frame`,
    and that view.

    A link over two lines has two boxes, and what lies in an inline element counts as one of its boxes: the first one
    that is in view and no speck will do. Then the function `then` is run on the element that has the box. Raises
    `NotShown` and `StaleRef`.
    """
    node = dom.BackendNodeId(element.backend_node_id)
    commands = (dom.ScrollIntoViewIfNeeded(backend_node_id=node),) if scroll else ()
    scrolling = [supervisor.send(command, element.frame.frame_id) for command in commands]
    measuring = supervisor.send(dom.GetContentQuads(backend_node_id=node), element.frame.frame_id)
    running = [] if then is None else [run_on(supervisor, element, then)]
    boxes: list[tuple[Box, Box, View]] = []
    with contextlib.suppress(CommandError):
        told = await in_order(*scrolling, measuring, view_of(supervisor, frame), *running)
        content, view = told[len(scrolling) :][:2]
        wholes = [around(corners(quad)) for quad in content.quads]
        boxes = [(whole, seen, view) for whole in wholes if (seen := whole.within(area or view.box)) is not None]
    if not boxes:
        return await _box_of_another(supervisor, element, frame, area, scroll=scroll, then=then)
    return next((found for found in boxes if _is_wide(found[1])), boxes[0])


def _is_wide(box: Box) -> bool:
    return box.right - box.left > SPECK and box.bottom - box.top > SPECK


_SHOWN_IN_PLACE = """function() {
    const map = this.localName === 'area' && this.closest('map'), isWide = node => {
        const {width, height} = node.getBoundingClientRect();
        return width > 0 && height > 0;
    };
    const inner = node => [...node.children].flatMap(child => isWide(child) ? [child] : inner(child));
    const [found] = map ? document.querySelectorAll(`img[usemap="#${CSS.escape(map.name)}"]`) : inner(this);
    globalThis.shownInPlace = found;
    if (!found) return null;
    const all = (this.coords ?? '').split(',').map(Number), numbers = all.length % 2 ? all.slice(0, 2) : all;
    if (!map || numbers.length < 2 || numbers.some(Number.isNaN)) return [];
    const xs = numbers.filter((_, at) => at % 2 === 0), ys = numbers.filter((_, at) => at % 2), radius = all[2];
    if (numbers !== all) return [xs[0] - radius, ys[0] - radius, xs[0] + radius, ys[0] + radius];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}"""
"""A function: keeps what is shown of an element without a box: the picture of an area, or what floats in it. Returns
the part of the picture that the area is, or an empty array for all of it."""


async def _box_of_another(
    supervisor: AsyncSupervisor, element: Element, frame: FrameInfo, area: Box | None, *, scroll: bool, then: str | None
) -> tuple[Box, Box, View]:
    part = await run_on(supervisor, element, _SHOWN_IN_PLACE)
    if part is None:
        raise await _why_no_box(supervisor, element)
    (node,) = await nodes_in(supervisor, element.frame, "[globalThis.shownInPlace]")
    whole, seen, view = await first_box(supervisor, element.at(node), frame, area, scroll=scroll, then=then)
    if not part:
        return whole, seen, view
    left, top, right, bottom = part
    own = Box(whole.left + left, whole.top + top, whole.left + right, whole.top + bottom)
    if (shown := own.within(seen)) is None:
        raise NotShown(element.ref)
    return own, shown, view


async def _why_no_box(supervisor: AsyncSupervisor, element: Element) -> Exception:
    place = await run_on(supervisor, element, _IN_CANVAS)
    if place is None:
        return StaleRef(element.ref, "it was removed from its document")
    if not place:
        return NotShown(element.ref)
    (canvas,) = await nodes_in(supervisor, element.frame, "[globalThis.canvasAround]")
    node = Node(element.frame.frame_id, element.frame.loader_id, canvas)
    return NotShown(element.ref, refs_of(supervisor).name(node))


_IN_CANVAS = """function() {
    globalThis.canvasAround = this.closest?.('canvas');
    return this.isConnected ? Boolean(globalThis.canvasAround) : null;
}"""
"""A function: whether the element is in a canvas, which is kept; null if it is in no document."""


async def scroll_iframe(
    supervisor: AsyncSupervisor, parent: FrameInfo, owner: dom.BackendNodeId, model: dom.BoxModel, point: Point
) -> None:
    """Scroll a point of an iframe into view. The browser does so by itself for frames above, but some time later."""
    border, content = corners(model.border)[0], corners(model.content)[0]
    rect = dom.Rect(x=point.x + content.x - border.x, y=point.y + content.y - border.y, width=1, height=1)
    command = dom.ScrollIntoViewIfNeeded(backend_node_id=owner, rect=rect)
    await supervisor.send(command, parent.frame_id)


async def box_model(supervisor: AsyncSupervisor, frame: FrameInfo, owner: dom.BackendNodeId) -> dom.BoxModel:
    """The box model of a node of this frame's process (`DOM.getBoxModel`)."""
    command = dom.GetBoxModel(backend_node_id=owner)
    return (await supervisor.send(command, frame.frame_id)).model


async def view_of(supervisor: AsyncSupervisor, frame: FrameInfo) -> View:
    """The viewport of a frame that is the top one of its process (`Page.getLayoutMetrics`)."""
    seen = (await supervisor.send(page.GetLayoutMetrics(), frame.frame_id)).css_layout_viewport
    return View(Box(0, 0, seen.client_width, seen.client_height), seen.page_x, seen.page_y)
