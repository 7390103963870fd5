"""Finds the point of the screen that hits an element, through all iframes around it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import accessibility, dom
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import FrameGone, NavigationInterrupted
from supervisor.core.vocabulary.values import FrameInfo

from .boxes import box_model, first_box, iframes_above, scroll_iframe, scroll_to, view_of
from .document.accessibility_tree import shown_around
from .element_errors import Covered, Disabled, NotShown, StaleRef, StillMoving
from .geometry import Point, Position, View, corners, is_near, through
from .page_frames import element_of, find, in_order, listened_on, owner_of, parent_of, run, run_on, top_of_session
from .refs import Element, Node, frame_named, refs_of
from .scripts.hits import FREE, GROUP, IS_DISABLED, IS_PART, UNCOVER

T = TypeVar("T")

LOOKS = 60
"""The number of times that an element which moves is looked at, a drawn frame of the page apart."""

COVERED_S = 1.0
"""The time that is given to what covers an element, such as a spinner, to go away."""

DRAWN = """new Promise(done => {
    requestAnimationFrame(() => done(0));
    setTimeout(() => done(0), 300);
})"""
"""A script: ends when the frame is drawn once more; one that the browser does not draw now has 300 ms."""


class FramePoint(Struct, frozen=True, kw_only=True):
    """A point in one process' part of the page, and what is to be hit there."""

    frame: FrameInfo
    """The top frame of that part: the point is in its viewport."""
    point: Point
    backend_node_id: int
    """The element itself, or the iframe element that it is somewhere in."""
    view: View
    """The viewport of that frame when the point was measured."""

    def is_near(self, other: FramePoint) -> bool:
        """Whether the same is at the same point there."""
        return self.view == other.view and is_near(self.point, other.point)


async def locate(
    supervisor: AsyncSupervisor, element: Element, place: Position | None = None
) -> tuple[FramePoint, ...]:
    """Bring an element into view; its point in its own viewport, and in each one above, the page's own last.

    The point is at `place`, or else in the middle of what is seen of the element. Raises `NotShown`, `StillMoving`, and
    `StaleRef` when it or its frame went away.
    """
    return (await _locate(supervisor, element, place, _ask_nothing))[0]


async def _ask_nothing(_: tuple[FramePoint, ...]) -> None:
    pass


async def _locate(
    supervisor: AsyncSupervisor,
    element: Element,
    place: Position | None,
    ask: Callable[[tuple[FramePoint, ...]], Awaitable[T]],
) -> tuple[tuple[FramePoint, ...], T]:
    """As `locate`. Meanwhile `ask` is asked about the levels; its answer belongs to the levels that are returned."""
    try:
        above = await _iframes_above(supervisor, element)
        is_resting = place is None  # otherwise the element is scrolled after it was measured
        then = _AT_REST if is_resting else None
        levels = await _measure(supervisor, element, place, above, scroll=True, then=then)
        for _ in range(1, LOOKS):
            if not is_resting:
                await run_on(supervisor, element, _AT_REST)
            before, is_resting = levels, False
            asking = asyncio.ensure_future(ask(before))
            asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())  # it may have moved
            try:
                levels = await _measure(supervisor, element, place, above, scroll=False)
                if is_near(before[-1].point, levels[-1].point):
                    find(supervisor, element.ref)  # in another document the same number may be another element
                    is_same = all(map(FramePoint.is_near, before, levels))
                    return levels, await (asking if is_same else ask(levels))
            finally:
                asking.cancel()
    except (FrameGone, NavigationInterrupted):
        raise StaleRef(element.ref, "its frame is gone") from None
    raise StillMoving(element.ref)


async def _iframes_above(supervisor: AsyncSupervisor, element: Element) -> list[tuple[FrameInfo, dom.BackendNodeId]]:
    try:
        return await iframes_above(supervisor, element)
    except CommandError:
        raise StaleRef(element.ref, "its frame is gone") from None


_AT_REST = f"""async function() {{
    const moves = /^(transform|translate|rotate|scale|left|top|right|bottom|inset|margin|width|height|offset)/;
    const ends = [], changesPlace = frame => Object.keys(frame).some(key => moves.test(key));
    for (let node = this; node; node = node.assignedSlot || node.parentNode || node.host) {{
        for (const animation of node instanceof Element ? node.getAnimations() : []) {{
            const {{effect}} = animation, isFinite = Number.isFinite(effect?.getComputedTiming().endTime);
            const isMove = isFinite && effect.getKeyframes().some(changesPlace);
            if (isMove && animation.playState === 'running') ends.push(animation.finished.catch(() => 0));
        }}
    }}
    await Promise.race([Promise.all(ends), new Promise(done => setTimeout(done, 1000))]);
    await {DRAWN};
}}"""
"""A function: ends when the animations that move the element now are over (after a second at most) and were drawn."""


async def aim(
    supervisor: AsyncSupervisor,
    element: Element,
    place: Position | None = None,
    *,
    force: bool = False,
    watch: str | None = None,
) -> tuple[FramePoint, ...]:
    """Bring an element into view and make sure that the mouse would hit it, and each iframe above it.

    Where something covers it, such as a banner or a sticky header, what is around it is scrolled to where nothing does.
    What still covers it is given a second to go away. With `force` only the place is looked for. The function `watch`
    is run on the element meanwhile. Raises `Disabled`, `Covered`, and what `locate` raises.
    """
    is_disabled = element.is_disabled
    if not force and (await run_on(supervisor, element, IS_DISABLED) if is_disabled is None else is_disabled):
        raise Disabled(element.ref)

    free = FREE if place is None and not force else "() => null"
    script = free if watch is None else f"function() {{ ({watch}).call(this); return ({free}).call(this); }}"

    async def all_of(levels: tuple[FramePoint, ...]) -> tuple[Any, Sequence[_Hit]]:
        hits, told = await asyncio.gather(hits_of(levels), run_on(supervisor, element, script))
        return told, hits

    async def hits_of(levels: tuple[FramePoint, ...]) -> Sequence[_Hit]:
        return () if force else await _hits(supervisor, element, levels)

    levels, (free, hits) = await _locate(supervisor, element, place, all_of)
    if free is not None:
        place = Position(x=free[0], y=free[1], share_x=free[2], share_y=free[2])
        levels, hits = await _locate(supervisor, element, place, hits_of)
    end = asyncio.get_running_loop().time() + COVERED_S
    while not force and (found := await _cover(supervisor, element, levels, hits)) is not None:
        number, cover = found
        if asyncio.get_running_loop().time() > end:
            raise await _covered(supervisor, element, cover)
        await _scroll_free(supervisor, element, levels[number].point, cover[1], place)
        await run(supervisor, element.frame.frame_id, DRAWN)
        levels, hits = await _locate(supervisor, element, place, hits_of)
    return levels


async def _scroll_free(
    supervisor: AsyncSupervisor, element: Element, point: Point, cover: FrameInfo, place: Position | None
) -> None:
    """Scroll to where nothing in the cover's document, or around it, covers the element, or the iframe that it is in;
    where that is nowhere, to the middle. `point` is the covered one, in the viewport of that document's process."""
    around_cover = {cover.frame_id}
    while (above := parent_of(cover, element.tree)) is not None:
        cover = above
        around_cover.add(cover.frame_id)
    own, within = element, None
    while own.frame.frame_id not in around_cover and (above := parent_of(own.frame, own.tree)) is not None:
        own = replace(own, frame=above, backend_node_id=await owner_of(supervisor, own.frame, above))
    if own is not element:
        corner = corners((await box_model(supervisor, own.frame, dom.BackendNodeId(own.backend_node_id))).content)[0]
        within = [point.x - corner.x, point.y - corner.y]
    at = None if place is None or within else [place.share_x, place.share_y, place.x, place.y]
    await run_on(supervisor, own, f"function() {{ return ({UNCOVER}).call(this, {json.dumps([at, within])}) }}")


async def drawn_under_mouse(supervisor: AsyncSupervisor, element: Element, levels: tuple[FramePoint, ...]) -> None:
    """Wait until the mouse hits the element that it was moved to, a second at most.

    A rule for `:hover` may show another picture, and until that is loaded the element has no size. Raises `StaleRef`
    when the element was removed.
    """
    end = asyncio.get_running_loop().time() + COVERED_S
    while asyncio.get_running_loop().time() < end:
        now = tuple([replace(level, view=await view_of(supervisor, level.frame)) for level in levels])
        if await _cover(supervisor, element, now, await _hits(supervisor, element, now)) is None:
            return
        await run(supervisor, element.frame.frame_id, DRAWN)


async def _cover(
    supervisor: AsyncSupervisor, element: Element, levels: tuple[FramePoint, ...], hits: Sequence[_Hit]
) -> tuple[int, tuple[Node, FrameInfo]] | None:
    """The number of the level at which the mouse would hit something else, that node, and its frame."""
    for number, (level, hit) in enumerate(zip(levels, hits, strict=True)):
        if isinstance(hit, BaseException):
            raise hit
        if hit.backend_node_id == level.backend_node_id:
            continue
        if number == 0 and await _is_part(supervisor, element, hit):
            continue
        frame = frame_named(element.tree, hit.frame_id) or level.frame
        return number, (Node(frame.frame_id, frame.loader_id, hit.backend_node_id), frame)
    return None


async def _covered(supervisor: AsyncSupervisor, element: Element, cover: tuple[Node, FrameInfo]) -> Covered:
    """Name the cover by the innermost element around it that a snapshot shows (`Accessibility.getPartialAXTree`)."""
    node, frame = cover
    hit, ax_nodes = node.backend_node_id, tuple[accessibility.AXNode, ...]()
    with contextlib.suppress(CommandError):
        hit = await element_of(supervisor, frame.frame_id, hit)
        command = accessibility.GetPartialAXTree(backend_node_id=dom.BackendNodeId(hit))
        ax_nodes = (await supervisor.send(command, frame.frame_id)).nodes
    backend_node_id, role = shown_around(ax_nodes, hit) or (hit, "element")
    if frame == element.frame and await run_on(supervisor, element, _IS_INSIDE, backend_node_id):
        backend_node_id, role = hit, "element"  # what is around the element does not cover it
    ref = refs_of(supervisor).name(Node(node.frame_id, node.loader_id, backend_node_id))
    return Covered(element.ref, ref, role)


_IS_INSIDE = """function(other) {
    for (let node = this; node; node = node.assignedSlot || node.parentNode || node.host) {
        if (node === other) return true;
    }
    return false;
}"""
"""A function: true when the element is `other`, or inside of it."""


async def _measure(
    supervisor: AsyncSupervisor,
    element: Element,
    place: Position | None,
    above: Sequence[tuple[FrameInfo, dom.BackendNodeId]],
    *,
    scroll: bool,
    then: str | None = None,
) -> tuple[FramePoint, ...]:
    """The levels of an element in these iframes. With `scroll` it is brought into view, and so is each iframe whose
    point is in no view; after each scrolling the function `then` is run on the element.
    """
    frame = top_of_session(element.frame, element.tree)
    tops = [top_of_session(parent, element.tree) for parent, _ in above]
    boxing = first_box(supervisor, element, frame, scroll=scroll, then=then)
    models = [box_model(supervisor, *iframe) for iframe in above]
    viewing = [view_of(supervisor, top) for top in tops]
    (whole, seen, view), *others = await in_order(boxing, *models, *viewing)
    if place is not None and scroll and not view.box.contains(whole.point_at(place)):
        await scroll_to(supervisor, element, whole, place)
        whole, seen, view = await first_box(supervisor, element, frame, scroll=False)
    point = seen.middle if place is None else whole.point_at(place)
    levels = [FramePoint(frame=frame, point=point, backend_node_id=element.backend_node_id, view=view)]
    for number, ((parent, owner), frame) in enumerate(zip(above, tops, strict=True)):
        model, view = others[number], others[len(above) + number]
        if scroll and not view.box.contains(through(model, point)):
            scrolling = scroll_iframe(supervisor, parent, owner, model, point)
            again = box_model(supervisor, parent, owner)
            resting = [] if then is None else [run_on(supervisor, element, then)]
            _, model, view, *_ = await in_order(scrolling, again, view_of(supervisor, frame), *resting)
        point = through(model, point)
        levels.append(FramePoint(frame=frame, point=point, backend_node_id=owner, view=view))
    is_in_view = place is None and len(levels) == 1
    if not is_in_view and not view.box.contains(point):
        raise NotShown(element.ref)
    return tuple(levels)


_Hit: TypeAlias = dom.GetNodeForLocationResult | BaseException


async def _hits(supervisor: AsyncSupervisor, element: Element, levels: tuple[FramePoint, ...]) -> list[_Hit]:
    """The node that the mouse would hit at each level, or why there is none."""
    asking = [_hit(supervisor, element, level) for level in levels]
    return await asyncio.gather(*asking, return_exceptions=True)


async def _hit(supervisor: AsyncSupervisor, element: Element, level: FramePoint) -> dom.GetNodeForLocationResult:
    """Return the node that the mouse would hit. Chromium takes document coordinates here, not viewport ones."""
    command = dom.GetNodeForLocation(
        x=int(level.point.x) + level.view.x,
        y=int(level.point.y) + level.view.y,
        include_user_agent_shadow_dom=True,
    )
    try:
        return await supervisor.send(command, level.frame.frame_id)
    except CommandError:
        raise NotShown(element.ref) from None


async def _is_part(supervisor: AsyncSupervisor, element: Element, hit: dom.GetNodeForLocationResult) -> bool:
    below, frame = None, frame_named(element.tree, hit.frame_id)
    while frame is not None and frame.frame_id != element.frame.frame_id:
        below, frame = frame, parent_of(frame, element.tree)
    if frame is None:
        return False
    if below is not None:  # it lies in an iframe of the same process: is that the element?
        return await owner_of(supervisor, below, frame) == element.backend_node_id
    is_part = f"function(hit) {{ {IS_PART} return isPart(this, hit) }}"
    return bool(await run_on(supervisor, element, is_part, hit.backend_node_id)) or await _is_one_group(
        supervisor, element, hit.backend_node_id
    )


CLICKS = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup"})


async def _is_one_group(supervisor: AsyncSupervisor, element: Element, hit: int) -> bool:
    """Whether an element and a node are shapes of one group of an SVG, and the group alone takes the click.

    Then the group listens, or the mouse becomes a hand over it.
    """

    def listening(node: str) -> Coroutine[Any, Any, frozenset[str]]:
        return listened_on(supervisor, element, f"function(hit) {{ {GROUP} return {node} }}", hit)

    def value(script: str) -> Coroutine[Any, Any, Any]:
        return run_on(supervisor, element, f"function(hit) {{ {GROUP} {script} }}", hit)

    if not await value("globalThis.aimedAt = undefined; return groupOf(this, hit) !== null"):
        return False
    if CLICKS & (await listening("this") | await listening("shapeOf(hit)")):
        return False
    if not (CLICKS & await listening("groupOf(this, hit)") or await value("return isHandOf(groupOf(this, hit))")):
        return False
    await value("globalThis.aimedAt = groupOf(this, hit)")
    return True
