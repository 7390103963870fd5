"""The box that the browser draws over one element, without a change to the page."""

from __future__ import annotations

import contextlib
import re
from weakref import WeakKeyDictionary

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import dom, overlay
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.page_frames import find, top_of_session
from supervisor.tools.raw_commands.checks import check_command

_ORANGE = "#ff9000"
_COLOUR = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)

_DRAWN: WeakKeyDictionary[AsyncSupervisor, str] = WeakKeyDictionary()
"""The frame in whose session there is a box."""


async def highlight(context: ToolContext, named: str | None, colour: str = "") -> str:
    """Draw a box over an element in place of the one before (`Overlay.highlightNode`), and return the element's ref.

    None only removes the box. Raises `ElementError` for an element that is not displayed, `InvalidArgument` for a
    colour that is not written as `#f00` or `#ff0000`, `PolicyRefused`, and what `find` raises.
    """
    supervisor, config = context.supervisor, _config(colour or _ORANGE)
    await _remove(supervisor)
    if named is None:
        return ""
    (ref,) = await refs_for(supervisor, [named])
    element = find(supervisor, ref)
    session_frame, node = (
        top_of_session(element.frame, element.tree).frame_id,
        dom.BackendNodeId(element.backend_node_id),
    )
    draw = overlay.HighlightNode(highlight_config=config, backend_node_id=node)
    await check_command(supervisor, context.policy, draw, session_frame)
    try:
        await supervisor.send(dom.GetBoxModel(backend_node_id=node), session_frame)
    except CommandError:
        raise ElementError(ref, "it is not displayed") from None
    _DRAWN[supervisor] = session_frame
    for command in (dom.Enable(), overlay.Enable(), draw):
        await supervisor.send(command, session_frame)
    return ref


def _config(colour: str) -> overlay.HighlightConfig:
    """A border of this colour, and the same colour over the element, through which it can be seen."""
    if not _COLOUR.fullmatch(colour):
        raise InvalidArgument("text", "a colour is written as #f00 or #ff0000")
    digits = colour[1:] if len(colour) > len("#f00") else "".join(2 * digit for digit in colour[1:])
    red, green, blue = bytes.fromhex(digits)
    fill, edge = dom.RGBA(r=red, g=green, b=blue, a=0.4), dom.RGBA(r=red, g=green, b=blue)
    return overlay.HighlightConfig(content_color=fill, padding_color=fill, border_color=edge, show_info=True)


def has_box(supervisor: AsyncSupervisor, frame_id: str) -> bool:
    """Whether a box is drawn in the session of this frame."""
    return _DRAWN.get(supervisor) == frame_id


async def _remove(supervisor: AsyncSupervisor) -> None:
    session_frame = _DRAWN.pop(supervisor, None)
    if session_frame is not None:
        for command in (overlay.Disable(), dom.Disable()):
            with contextlib.suppress(CDPError):  # the box ended with its document
                await supervisor.send(command, session_frame)
