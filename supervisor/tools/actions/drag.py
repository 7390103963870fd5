"""Drag and drop, of what listens to the pointer and of what is `draggable`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from enum import Enum, auto
from math import copysign, hypot
from types import TracebackType
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CDPError
from cdp_typed.protocol import input as input_
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog, CallError, NavigationInterrupted
from supervisor.tools.framework.tool_errors import InvalidArgument, delivering, sending
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.geometry import Box, Point, Position
from supervisor.tools.page.hit_testing import aim, locate
from supervisor.tools.page.page_frames import before_next_input, find, ready, run, run_on, top_of_session
from supervisor.tools.page.refs import Element
from supervisor.tools.page.resolving import resolve_ref

from .input_effects import ActionResult, show_pointer
from .mouse import Mouse, move_to
from .positions import distance, drop_position, held_modifiers, modifiers, position_at


class DragArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_drag`."""

    ref: str
    to_ref: str | None = None
    """Where to drop it."""
    at: str | None = None
    """As for a click."""
    to_at: str | None = None
    """Where on to_ref; before or after it, in a list."""
    by: str | None = None
    """Or a distance: "120,0"."""
    modifiers: str | None = None
    """As for a click."""
    snapshot: bool = False
    """Show changes."""


class Dragged(ActionResult, frozen=True, kw_only=True, omit_defaults=True):
    """The element was dragged and let go."""

    ref: str
    to_ref: str | None = None
    lies: str = ""
    """Where it is now: before, after or in `to_ref`, if it is beside that or in it."""


class DragUnfinished(ElementError):
    """The element was dragged, and could not be dropped: it was let go on the way."""

    def __init__(self, error: ElementError) -> None:
        super().__init__(error.ref, f"{error.problem}; the drag had begun, and was ended without a drop")


STEPS = 8
"""The number of places between start and end at which the mouse is moved."""

LET_GO_S = 1.0
"""The time that each step has by which a drag that failed is ended."""

RESTS = (0, 2, 1)
REST_S = 0.06
"""The places, in pixels beyond its middle, and the time that the mouse rests over the destination.

SortableJS looks every 50 ms, and is at a loss when the mouse is at the very middle of an item. jQuery UI moves an item
only when the mouse has crossed that middle.
"""

UNSEEN = "The element's frame did not see the press: whether anything was dragged is not known."

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

_SIZE = """function() {
    const box = (this.getBoundingClientRect ? this : this.parentElement).getBoundingClientRect();
    return [box.width, box.height];
}"""

_SIDE = """function(source) {
    const line = node => node.parentNode ? [...line(node.parentNode), node] : [node];
    const [ours, others] = [line(this), line(source)], level = ours.findIndex((node, at) => node !== others[at]);
    const [item, other] = [ours[level], others[level]];
    if (!item || !other) return level < 0 ? 'in' : '';
    return item.nextElementSibling === other ? 'after' : item.previousElementSibling === other ? 'before' : '';
}"""
"""A function: on which side of the element another one lies, or the item of the list that it is in; `in` in it."""

_MASKS = {"none": 0, "copy": 1, "link": 2, "move": 16, "copyLink": 3, "copyMove": 17, "linkMove": 18}
_ANY = 19
"""The operations that the page allows, as `DragData.drag_operations_mask` has them."""


async def drag(supervisor: AsyncSupervisor, arguments: DragArguments) -> Dragged:
    """Press the mouse on one element, move it to another, or by a distance, and let it go there.

    A `draggable` element is dropped by `Input.dispatchDragEvent`. Raises an `ElementError` before anything is pressed,
    `DragUnfinished` when the destination goes away then, and `OpenedDialog`, at once, when the drag opens a dialog.
    """
    way = _way(arguments)
    held, place = modifiers(arguments.modifiers), position_at("at", arguments.at)
    await ready(supervisor)
    source = await resolve_ref(supervisor, arguments.ref)
    goal = _Goal(source if way is not None else await resolve_ref(supervisor, arguments.to_ref or ""))
    if way is None:
        side = arguments.to_at if arguments.to_at in ("before", "after") else ""
        goal = replace(goal, place=await drop_position(supervisor, goal.element, arguments.to_at), side=side)
        await goal.point(supervisor)
    mouse = await move_to(supervisor, source, place, held)
    if way is not None:
        goal = replace(goal, end=Point(mouse.point.x + way.x, mouse.point.y + way.y))
    async with _Hand(source, mouse) as hand:
        try:
            with delivering(began=True, left="nothing was dropped"):
                await hand.take(await goal.point(supervisor))
                await hand.carry_to(goal)
        except ElementError as error:
            raise DragUnfinished(error) from None
        await hand.drop()
    return Dragged(ref=arguments.ref, to_ref=arguments.to_ref, hint=hand.hint)


async def settled_drag(supervisor: AsyncSupervisor, dragged: Dragged) -> Dragged:
    """The same with where the element is now."""
    with suppress(ElementError, CDPError):
        goal, source = find(supervisor, dragged.to_ref or ""), find(supervisor, dragged.ref)
        if source.frame == goal.frame:
            side = await run_on(supervisor, goal, _SIDE, source.backend_node_id)
            return replace(dragged, lies=f"{side} {goal.ref}" if side else "")
    return dragged


def _way(arguments: DragArguments) -> Point | None:
    """The distance to drag by; None for a drag to an element."""
    if (arguments.to_ref is None) is (arguments.by is None):
        raise InvalidArgument("to_ref", "give to_ref or by")
    if arguments.by is not None and arguments.to_at is not None:
        raise InvalidArgument("to_at", "give it with to_ref only")
    return None if arguments.by is None else distance(arguments.by)


class _Goal(Struct, frozen=True):
    """The end of a drag: a place of an element, or a point."""

    element: Element
    place: Position | None = None
    side: str = ""
    """`before` or `after`, of a list's item."""
    end: Point | None = None

    async def point(self, supervisor: AsyncSupervisor) -> Point:
        """Where that is now."""
        return self.end or (await locate(supervisor, self.element, self.place))[-1].point

    async def has_beside(self, supervisor: AsyncSupervisor, source: Element) -> bool:
        """Whether what is dragged lies on its side of the element by now: lists may move it on the way."""
        if self.side == "" or source.frame != self.element.frame:
            return False
        with suppress(ElementError):
            return bool(await run_on(supervisor, self.element, _SIDE, source.backend_node_id) == self.side)
        return False

    async def around(self, supervisor: AsyncSupervisor) -> Box:
        """The box of the element as seen from its place; nothing for a point."""
        if self.end is not None:
            return Box(0, 0, 0, 0)
        width, height = await run_on(supervisor, self.element, _SIZE)
        place = self.place or Position(share_x=0.5, share_y=0.5)
        at = Box(0, 0, width, height).point_at(place)
        return Box(-at.x, -at.y, width - at.x, height - at.y)


class _Stage(Enum):
    """How far a drag has come."""

    ABOVE = auto()
    PRESSED = auto()
    DROPPED = auto()
    RELEASED = auto()


class _Hand:
    """The mouse of one drag. It lets go when the block ends, however that is.

    While it is there, the browser begins no drag of the system (`Input.setInterceptDrags`), which would take the mouse
    from us.
    """

    def __init__(self, source: Element, mouse: Mouse) -> None:
        self._source = source
        self._mouse = mouse
        self._data: input_.DragData | None = None
        self._stage = _Stage.ABOVE
        self.hint = ""
        """A reason to doubt that the drag worked."""

    async def __aenter__(self) -> Self:
        await self._intercept(enabled=True)
        await run(self._mouse.supervisor, self._source.frame.frame_id, _LISTEN)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._let_go()
        except BlockedByDialog:
            before_next_input(self._mouse.supervisor, self._let_go)

    async def take(self, end: Point) -> None:
        """Press, and move a few pixels towards the end: then Chromium begins a drag."""
        await self._reach(_Stage.PRESSED, self._mouse.send("mousePressed", button="left", count=1))
        start = self._mouse.point
        length = hypot(end.x - start.x, end.y - start.y) or 1.0
        for shift in (min(pixels, length) / length for pixels in (3, 6, 9)):
            self._mouse = self._at(Point(start.x + (end.x - start.x) * shift, start.y + (end.y - start.y) * shift))
            await self._mouse.send("mouseMoved", button="left")
        was_seen, self._data = await _begun(self._mouse.supervisor, self._source)
        self.hint = "" if was_seen else UNSEEN

    async def carry_to(self, goal: _Goal) -> None:
        """Move to the destination, and rest there.

        It is followed where it goes until the mouse is over it. What moves then makes room for what is dropped. What
        lies where it should, in a list that moves it on the way, is carried no further.
        """
        supervisor, start = self._mouse.supervisor, self._mouse.point
        end, is_over, box = start, False, await goal.around(supervisor)
        for step in range(STEPS):
            if await goal.has_beside(supervisor, self._source):
                end = self._mouse.point
                break
            if not is_over:
                end = await goal.point(supervisor)
            here, share = self._mouse.point, 1 / (STEPS - step)
            point = Point(here.x + (end.x - here.x) * share, here.y + (end.y - here.y) * share)
            is_over = is_over or box.contains(Point(point.x - end.x, point.y - end.y))
            await self._move("dragEnter" if step == 0 else "dragOver", point)
        if self._data is not None and _process(self._source) != _process(goal.element):  # it was not told of the drag
            await self._move("dragEnter", end)
        right, down = copysign(1, end.x - start.x), copysign(1, end.y - start.y)
        for shift in (
            RESTS if goal.end is None and goal.place is None else (0,)
        ):  # lists make room while something is over them, and look for that only now and then
            await asyncio.sleep(REST_S)
            await self._move("dragOver", Point(end.x + right * shift, end.y + down * shift))

    async def drop(self) -> None:
        """Let go over the destination."""
        if self._data is not None:
            with delivering():
                await self._reach(_Stage.DROPPED, _drag_event(self._mouse, "drop", self._data))
        with delivering(began=self._data is not None):
            await self._release()

    async def _move(self, kind: input_.DispatchDragEventType, point: Point) -> None:
        self._mouse = self._at(point)
        if self._data is None:
            await self._mouse.send("mouseMoved", button="left")
        else:
            await _drag_event(self._mouse, kind, self._data)

    def _at(self, point: Point) -> Mouse:
        return replace(self._mouse, point=point)

    async def _let_go(self) -> None:
        """End what was begun, on the same document; without that, Chromium would take no other click there.

        Raises `BlockedByDialog` when a dialog is open: it ends what was not done yet when it is called again.
        """
        if self._stage is _Stage.PRESSED and self._is_same_document():
            async with _in_time():
                data = self._data or (await _begun(self._mouse.supervisor, self._source))[1]
                if data is not None:
                    await self._reach(_Stage.DROPPED, _drag_event(self._mouse, "dragCancel", data))
        if self._stage in (_Stage.PRESSED, _Stage.DROPPED) and self._is_same_document():
            async with _in_time():
                await self._release()
        async with _in_time():
            await self._intercept(enabled=False)

    async def _release(self) -> None:
        await self._reach(_Stage.RELEASED, self._mouse.send("mouseReleased", button="left", count=1))

    async def _reach(self, stage: _Stage, sending: Awaitable[None]) -> None:
        """Send what leads to a stage; it is reached unless this was surely not delivered."""
        before, self._stage = self._stage, stage
        try:
            await sending
        except CallError as error:
            if not error.maybe_executed:
                self._stage = before
            raise

    def _is_same_document(self) -> bool:
        top = self._mouse.supervisor.snapshot().frame_tree.top
        before = self._mouse.frame
        return top is not None and (top.frame_id, top.loader_id) == (before.frame_id, before.loader_id)

    async def _intercept(self, *, enabled: bool) -> None:
        mouse = self._mouse
        await mouse.supervisor.send(input_.SetInterceptDrags(enabled=enabled), mouse.frame.frame_id)


@asynccontextmanager
async def _in_time() -> AsyncGenerator[None]:
    """Pass over what keeps a drag from being ended, but for a dialog: the page is gone, or does not answer."""
    try:
        async with asyncio.timeout(LET_GO_S):
            yield
    except BlockedByDialog:
        raise
    except (CDPError, TimeoutError):
        pass


def _process(element: Element) -> str:
    return top_of_session(element.frame, element.tree).frame_id


async def _drag_event(mouse: Mouse, kind: input_.DispatchDragEventType, data: input_.DragData) -> None:
    held = mouse.modifiers | held_modifiers(mouse.supervisor, mouse.frame.frame_id)
    event = input_.DispatchDragEvent(type=kind, x=mouse.point.x, y=mouse.point.y, data=data, modifiers=held)
    show_pointer(mouse.supervisor, event.x, event.y)
    with sending():
        await mouse.supervisor.send(event, mouse.frame.frame_id)


async def _begun(supervisor: AsyncSupervisor, source: Element) -> tuple[bool, input_.DragData | None]:
    """Whether the frame saw the press, and what is dragged by the browser: None when the page does it by itself."""
    try:
        was_seen, dragged = await run(
            supervisor, source.frame.frame_id, "[globalThis.witness?.pressed() !== 'nothing', globalThis.dragged]"
        )
    except NavigationInterrupted:
        return True, None
    if dragged is None:
        return was_seen, None
    items = [input_.DragDataItem(mime_type=item["mimeType"], data=item["data"]) for item in dragged["items"]]
    return was_seen, input_.DragData(items=items, drag_operations_mask=_MASKS.get(dragged["effect"], _ANY))


class NotDropped(ElementError):
    """The page does not take this drop."""

    def __init__(self, ref: str) -> None:
        super().__init__(ref, "the page took no drop here: it prevents no dragover of such data")


_LISTEN_FOR_DROP = """function() {
    globalThis.dropped = false;
    addEventListener('drop', () => { globalThis.dropped = true }, {once: true, capture: true});
}"""


async def drop_data(supervisor: AsyncSupervisor, ref: str, data: Mapping[str, str], files: Sequence[str]) -> None:
    """Drop data by their MIME types, and files, on an element, as if they came from outside the browser
    (`Input.dispatchDragEvent`).

    Raises an `ElementError`, `NotDropped` if the page does not take them, and `OpenedDialog`.
    """
    top = await ready(supervisor)
    element = await resolve_ref(supervisor, ref)
    mouse = Mouse(supervisor, top, (await aim(supervisor, element))[-1].point)
    items = [input_.DragDataItem(mime_type=kind, data=text) for kind, text in data.items()]
    dragged = input_.DragData(items=items, files=list(files) or None, drag_operations_mask=_ANY)
    await run_on(supervisor, element, _LISTEN_FOR_DROP)
    kinds: tuple[input_.DispatchDragEventType, ...] = ("dragEnter", "dragOver", "dragEnter", "dragOver", "drop")
    for number, kind in enumerate(kinds):  # the second round reaches a process that it enters
        with delivering(began=number > 0):
            await _drag_event(mouse, kind, dragged)
    with delivering(began=True):
        was_dropped = await run(supervisor, element.frame.frame_id, "globalThis.dropped")
    if not was_dropped:
        raise NotDropped(ref)
