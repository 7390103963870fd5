"""The boxes that the browser draws over elements, without a change to the page."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import dom, overlay
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import UnknownFrame
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.page_frames import find, top_of_session
from supervisor.tools.raw_commands.checks import check_command

_ORANGE = "#ff9000"
_NONE = "none"
_COLOUR = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)


class _Box(Struct, frozen=True):
    session_frame: str
    node: dom.BackendNodeId
    colour: tuple[int, int, int]


_DRAWN: WeakKeyDictionary[AsyncSupervisor, Mapping[str, _Box]] = WeakKeyDictionary()
"""The boxes by the refs of their elements, the newest last."""


async def highlight(context: ToolContext, named: str | None, colour: str = "") -> list[str]:
    """Draw a box over an element, or remove its box (`none`); without an element, remove all boxes.

    Returns the refs of the elements that have one. The newest is filled (`Overlay.highlightNode`), the others are
    borders. Raises `ElementError` for an element that is not displayed, `InvalidArgument` for a colour that is not
    written as `#f00` or `#ff0000`, `PolicyRefused`, and what `find` raises.
    """
    supervisor, rgb = context.supervisor, None if colour == _NONE else _rgb(colour or _ORANGE)
    before = _DRAWN.get(supervisor, {})
    boxes = dict[str, _Box]()
    if named is not None:
        (ref,) = await refs_for(supervisor, [named])
        boxes = {each: box for each, box in before.items() if each != ref and await _is_displayed(supervisor, box)}
        if rgb is not None:
            boxes[ref] = await _checked(context, ref, rgb)
    for session_frame in {box.session_frame for box in before.values()} - {box.session_frame for box in boxes.values()}:
        for command in (overlay.Disable(), dom.Disable()):
            with contextlib.suppress(CDPError):  # the boxes ended with their document
                await supervisor.send(command, session_frame)
    _DRAWN[supervisor] = boxes
    for session_frame in {box.session_frame for box in boxes.values()}:
        await _draw(supervisor, session_frame, [box for box in boxes.values() if box.session_frame == session_frame])
    return list(boxes)


async def _checked(context: ToolContext, ref: str, colour: tuple[int, int, int]) -> _Box:
    supervisor, element = context.supervisor, find(context.supervisor, ref)
    session_frame = top_of_session(element.frame, element.tree).frame_id
    node = dom.BackendNodeId(element.backend_node_id)
    draw = overlay.HighlightNode(highlight_config=_filled(colour), backend_node_id=node)
    await check_command(supervisor, context.policy, draw, session_frame)
    box = _Box(session_frame, node, colour)
    if not await _is_displayed(supervisor, box):
        raise ElementError(ref, "it is not displayed")
    return box


async def _is_displayed(supervisor: AsyncSupervisor, box: _Box) -> bool:
    try:
        await supervisor.send(dom.GetBoxModel(backend_node_id=box.node), box.session_frame)
    except (CommandError, UnknownFrame):  # hidden, removed, or gone with its document
        return False
    return True


async def _draw(supervisor: AsyncSupervisor, session_frame: str, boxes: list[_Box]) -> None:
    """Draw these boxes, and no others of the session. A border around a query container is what Chromium draws for
    several elements at once; the elements need not be containers."""
    *_, newest = boxes
    # A node has an id only below a document that was asked for.
    for command in (dom.Enable(), overlay.Enable(), dom.GetDocument(depth=0)):
        await supervisor.send(command, session_frame)
    asked = dom.PushNodesByBackendIdsToFrontend(backend_node_ids=[box.node for box in boxes])
    ids = (await supervisor.send(asked, session_frame)).node_ids
    borders = [_border(node, box.colour) for node, box in zip(ids, boxes, strict=True)]
    await supervisor.send(
        overlay.SetShowContainerQueryOverlays(container_query_highlight_configs=borders), session_frame
    )
    fill = overlay.HighlightNode(highlight_config=_filled(newest.colour), backend_node_id=newest.node)
    await supervisor.send(fill, session_frame)


def _border(node: dom.NodeId, colour: tuple[int, int, int]) -> overlay.ContainerQueryHighlightConfig:
    line = overlay.LineStyle(color=_rgba(colour, 1))
    return overlay.ContainerQueryHighlightConfig(
        node_id=node,
        container_query_container_highlight_config=overlay.ContainerQueryContainerHighlightConfig(
            container_border=line
        ),
    )


def _filled(colour: tuple[int, int, int]) -> overlay.HighlightConfig:
    """A border of this colour, and the same colour over the element, through which it can be seen."""
    fill = _rgba(colour, 0.4)
    return overlay.HighlightConfig(
        content_color=fill, padding_color=fill, border_color=_rgba(colour, 1), show_info=True
    )


def _rgba(colour: Iterable[int], alpha: float) -> dom.RGBA:
    red, green, blue = colour
    return dom.RGBA(r=red, g=green, b=blue, a=alpha)


def _rgb(colour: str) -> tuple[int, int, int]:
    if not _COLOUR.fullmatch(colour):
        raise InvalidArgument("text", f"a colour is written as #f00 or #ff0000; {_NONE} removes the box")
    digits = colour[1:] if len(colour) > len("#f00") else "".join(2 * digit for digit in colour[1:])
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue


def has_box(supervisor: AsyncSupervisor, frame_id: str) -> bool:
    """Whether a box is drawn in the session of this frame."""
    return any(box.session_frame == frame_id for box in _DRAWN.get(supervisor, {}).values())
