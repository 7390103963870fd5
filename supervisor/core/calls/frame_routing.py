"""Routes a caller's command to its frame, and to no other.

A session covers the part of a page in one process: its top document and every same-process iframe. A command for one of
those iframes must name it by a parameter; a command without such a parameter is refused, never run on the page.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed._base import Command
from supervisor.core.state.frames import Context, Frame
from supervisor.core.vocabulary.errors import NotForOneFrame

_NAMES_ITS_OBJECT = frozenset(
    {"object_id", "node_id", "node_ids", "backend_node_id", "backend_node_ids", "script_id", "style_sheet_id"}
)
"""Parameters that identify their object in any frame."""

_FOR_THE_PROCESS = frozenset(
    {"Runtime.terminateExecution", "Runtime.runIfWaitingForDebugger", "Runtime.releaseObjectGroup"}
)
"""Commands that apply to the whole process of the frame."""

_BROWSER_ONLY = ("Extensions.", "SystemInfo.", "Tethering.", "Target.closeTarget")
"""Commands for the browser's session alone. Chromium 156 refuses them on a page's session, except `Target.closeTarget`,
which Chrome 131 does not answer there when it closes that page."""

_ALSO_OF_THE_BROWSER = ("Browser.", "Target.")
"""Commands for both sessions; on a page's session some apply to that page (`Browser.getWindowForTarget`)."""


def is_for_the_browser(command: Command[Any], has_page: bool) -> bool:
    """Return True for a command that is sent to the browser's own session."""
    return command.METHOD.startswith(_BROWSER_ONLY if has_page else (*_BROWSER_ONLY, *_ALSO_OF_THE_BROWSER))


def aim(command: Command[Any], frame: Frame, context: Context | None) -> Command[Any] | None:
    """Return the command with the parameters that make it apply to `frame`, for the frame's session.

    None when it needs the frame's script context and there is none yet. Raises `NotForOneFrame` for a command that
    would apply to the whole page, when the frame is not the top one of its session.
    """
    fields = command.__struct_fields__
    given = {name for name in fields if getattr(command, name) not in (None, UNSET)}
    if given & {"frame_id", "unique_context_id", "context_id", "execution_context_id", *_NAMES_ITS_OBJECT}:
        return command
    if "unique_context_id" in fields and (context is None or context.unique_id is not None):
        return None if context is None else replace(command, unique_context_id=context.unique_id)
    if "execution_context_id" in fields:
        return None if context is None else replace(command, execution_context_id=context.number)
    if "unique_context_id" in fields and "context_id" in fields:
        return None if context is None else replace(command, context_id=context.number)
    if "frame_id" in fields:
        return replace(command, frame_id=frame.frame_id)
    if frame.is_top_of_session or command.METHOD in _FOR_THE_PROCESS:
        return command
    raise NotForOneFrame(command.METHOD, frame.frame_id)
