"""The mouse wheel."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page
from cdp_typed.wire.json_text import is_array
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.tools.framework.tool_errors import InvalidArgument, delivering
from supervisor.tools.page.geometry import Point
from supervisor.tools.page.hit_testing import locate
from supervisor.tools.page.page_frames import find, ready, run, run_on

from .input_effects import ActionResult, send_input
from .mouse import arrive


class ScrollArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_scroll`: the direction and the distance."""

    direction: Literal["up", "down", "left", "right", "into_view"] = "down"
    """`into_view` only shows `ref`."""
    amount: Annotated[int, Meta(ge=1, le=100_000)] = 500
    """In CSS pixels."""
    ref: str | None = None
    """Over this element."""
    snapshot: bool = False
    """Show changes."""


class Scrolled(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The wheel was turned."""

    moved: bool | None = None
    """Whether anything scrolled; not given when not known. Over an iframe only the iframe knows: use a ref in it."""
    x: float | None = None
    y: float | None = None
    """How far what scrolls is scrolled now, in CSS pixels."""
    max_x: float | None = None
    max_y: float | None = None
    """How far it can be."""


_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}

_SCROLLER = """
    const scrollerOf = start => {
        const canScroll = node => {
            const style = getComputedStyle(node), is = value => value === 'auto' || value === 'scroll';
            return (node.scrollHeight > node.clientHeight && is(style.overflowY))
                || (node.scrollWidth > node.clientWidth && is(style.overflowX));
        };
        for (let node = start; node; node = node.assignedSlot || node.parentNode || node.host) {
            if (node instanceof Element && node !== document.body && canScroll(node)) return node;
        }
        return document.scrollingElement || document.documentElement;
    };
    const place = node => [node.scrollLeft, node.scrollTop,
        node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight];
    const settle = async node => {
        let last = place(node), still = 0;
        for (let look = 0; look < 60 && still < 4; look++) {
            await new Promise(resolve => setTimeout(resolve, 50));
            const now = place(node);
            still = now[0] === last[0] && now[1] === last[1] ? still + 1 : 0;
            last = now;
        }
        return last;
    };
"""
"""A script: the scroll offset of what scrolls under the wheel, once it has come to rest (3 s at most)."""

_AT_ELEMENT = "function() {" + _SCROLLER + "return %s(scrollerOf(this)) }"

_AT_MIDDLE = (
    "(() => {"
    + _SCROLLER
    + """
    const hit = document.elementFromPoint(document.documentElement.clientWidth / 2, innerHeight / 2);
    return hit instanceof HTMLIFrameElement ? null : %s(scrollerOf(hit));
})()"""
)


async def scroll(supervisor: AsyncSupervisor, arguments: ScrollArguments) -> Scrolled:
    """Turn the wheel over an element, or the middle of the page (`Input.dispatchMouseEvent`).

    Raises an `ElementError` when the element has no place to turn it over, and `OpenedDialog` when it opens a dialog.
    """
    top = await ready(supervisor)
    element = None if arguments.ref is None else find(supervisor, arguments.ref)
    if element is None and arguments.direction == "into_view":
        raise InvalidArgument("ref", "missing; needed for into_view")

    async def ask(what: str) -> list[float] | None:
        try:
            if element is None:
                offsets = await run(supervisor, top.frame_id, _AT_MIDDLE % what)
            else:
                offsets = await run_on(supervisor, element, _AT_ELEMENT % what)
        except EvaluationFailed:
            return None
        return [float(offset) for offset in offsets] if is_array(offsets) else None

    if element is not None and arguments.direction == "into_view":
        before = await ask("place")
        with delivering(began=True):
            await locate(supervisor, element)
            after = await ask("place")
    else:
        if element is None:
            point = await _middle(supervisor, top.frame_id)
        else:
            point = (await arrive(supervisor, element, await locate(supervisor, element))).point
        before = await ask("place")
        with delivering():
            await send_input(supervisor, _wheel(point, arguments), top.frame_id)
        with delivering(began=True):
            after = await ask("settle")
    if before is None or after is None:
        return Scrolled()
    x, y, max_x, max_y = after
    return Scrolled(moved=before[:2] != after[:2], x=x, y=y, max_x=max_x, max_y=max_y)


def _wheel(point: Point, arguments: ScrollArguments) -> input_.DispatchMouseEvent:
    across, down = _DIRECTIONS[arguments.direction]
    x, y = across * arguments.amount, down * arguments.amount
    return input_.DispatchMouseEvent(type="mouseWheel", x=point.x, y=point.y, delta_x=x, delta_y=y)


async def _middle(supervisor: AsyncSupervisor, frame_id: str) -> Point:
    seen = (await supervisor.send(page.GetLayoutMetrics(), frame_id)).css_layout_viewport
    return Point(seen.client_width / 2, seen.client_height / 2)
