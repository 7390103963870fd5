"""The box that the browser draws over one element, without a change to the page."""

from __future__ import annotations

import contextlib
from weakref import WeakKeyDictionary

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import dom, overlay
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.page.element_errors import ElementError
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.page_frames import find, top_of_session
from supervisor.tools.raw_commands.checks import check_command

_FILL = dom.RGBA(r=255, g=196, b=0, a=0.4)
_EDGE = dom.RGBA(r=220, g=90, b=0)
_CONFIG = overlay.HighlightConfig(content_color=_FILL, padding_color=_FILL, border_color=_EDGE, show_info=True)

_DRAWN: WeakKeyDictionary[AsyncSupervisor, str] = WeakKeyDictionary()
"""The frame in whose session there is a box."""


async def highlight(context: ToolContext, named: str | None) -> str:
    """Draw a box over an element in place of the one before (`Overlay.highlightNode`), and return the element's ref.

    None only removes the box. Raises `ElementError` for an element that is not displayed, `PolicyRefused`, and what
    `find` raises.
    """
    supervisor = context.supervisor
    await _remove(supervisor)
    if named is None:
        return ""
    (ref,) = await refs_for(supervisor, [named])
    element = find(supervisor, ref)
    session_frame, node = (
        top_of_session(element.frame, element.tree).frame_id,
        dom.BackendNodeId(element.backend_node_id),
    )
    draw = overlay.HighlightNode(highlight_config=_CONFIG, backend_node_id=node)
    await check_command(supervisor, context.policy, draw, session_frame)
    try:
        await supervisor.send(dom.GetBoxModel(backend_node_id=node), session_frame)
    except CommandError:
        raise ElementError(ref, "it is not displayed") from None
    _DRAWN[supervisor] = session_frame
    for command in (dom.Enable(), overlay.Enable(), draw):
        await supervisor.send(command, session_frame)
    return ref


def has_box(supervisor: AsyncSupervisor, frame_id: str) -> bool:
    """Whether a box is drawn in the session of this frame."""
    return _DRAWN.get(supervisor) == frame_id


async def _remove(supervisor: AsyncSupervisor) -> None:
    session_frame = _DRAWN.pop(supervisor, None)
    if session_frame is not None:
        for command in (overlay.Disable(), dom.Disable()):
            with contextlib.suppress(CDPError):  # the box ended with its document
                await supervisor.send(command, session_frame)
