"""The renders of React's components, counted between two calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.page_frames import check_no_dialog, top_frame
from supervisor.tools.page.refs import all_frames
from supervisor.tools.raw_commands.checks import check_command

from .components import NO_COMPONENTS
from .fiber_scripts import RECORD

MOST = 50


class Rendered(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The renders of the components of one name."""

    name: PageText
    mounts: int = 0
    """The first renders of new ones."""
    renders: int = 0
    """The further ones."""
    causes: Mapping[PageText, int] = {}
    """How many of these had a changed `prop NAME`, `state` or `context`; `parent`: none of them."""
    ms: float = 0
    """Their time with the components in them. Production builds do not measure it."""


class Renders(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The renders since `renders_start`."""

    recording: bool = False
    seconds: float = 0
    commits: int = 0
    """How often React changed the page."""
    components: list[Rendered] = []
    """The first 50, those that rendered most first."""
    more: int = 0
    """The components that are left out."""
    lost: list[str] = []
    """The ids of frames whose counts ended with their document."""


_RUNNING: WeakKeyDictionary[AsyncSupervisor, dict[str, runtime.RemoteObjectId]] = WeakKeyDictionary()
"""The counting objects by frame id."""


async def start(context: ToolContext) -> Renders:
    """Count the renders of all React roots of the page and its iframes from now on (`Runtime.evaluate`).

    Raises `InvalidArgument` while it counts already and for a page without React, `BlockedByDialog`, `PolicyRefused`,
    and what `send` raises.
    """
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    if _RUNNING.get(supervisor):
        raise InvalidArgument("action", "renders are counted already; renders_stop ends it")
    running: dict[str, runtime.RemoteObjectId] = {}
    top = top_frame(supervisor).frame_id
    for frame in all_frames(supervisor.snapshot().frame_tree):
        command = runtime.Evaluate(expression=RECORD)
        await check_command(supervisor, context.policy, command, frame.frame_id)
        try:
            result = await supervisor.send(command, frame.frame_id)
            if result.exception_details is not None or result.result.object_id is None:
                raise EvaluationFailed("React was not found")
            count = await _called(supervisor, frame.frame_id, result.result.object_id, "return this.roots")
        except CDPError:
            if frame.frame_id == top:
                raise
            continue
        if count:
            running[frame.frame_id] = result.result.object_id
    if not running:
        raise InvalidArgument("action", NO_COMPONENTS)
    _RUNNING[supervisor] = running
    return Renders(recording=True)


async def stop(context: ToolContext) -> Renders:
    """End the counting, and return the counts. Raises `InvalidArgument` when nothing is counted, and `BlockedByDialog`.

    A document that is gone has taken its counts with it.
    """
    supervisor = context.supervisor
    await check_no_dialog(supervisor)
    running = _RUNNING.get(supervisor)
    if not running:
        raise InvalidArgument("action", "no renders are counted; renders_start begins it")
    parts, lost = list[dict[str, Any]](), list[str]()
    for frame_id, object_id in list(running.items()):
        try:
            parts.append(await _called(supervisor, frame_id, object_id, "return this.stop()"))
        except CommandError:
            lost.append(frame_id)
        except CDPError as error:
            if not _is_gone(supervisor, frame_id):
                raise error
            lost.append(frame_id)
        del running[frame_id]
    components = sorted(
        (each for part in parts for each in part["components"]), key=lambda each: -each["mounts"] - each["renders"]
    )
    return Renders(
        seconds=round(max((part["seconds"] for part in parts), default=0), 2),
        commits=sum(part["commits"] for part in parts),
        components=[Rendered(**{**each, "ms": round(each["ms"], 2)}) for each in components[:MOST]],
        more=max(0, len(components) - MOST),
        lost=lost,
    )


def _is_gone(supervisor: AsyncSupervisor, frame_id: str) -> bool:
    return all(frame.frame_id != frame_id for frame in all_frames(supervisor.snapshot().frame_tree))


async def _called(supervisor: AsyncSupervisor, frame_id: str, object_id: runtime.RemoteObjectId, body: str) -> Any:
    command = runtime.CallFunctionOn(
        function_declaration=f"function() {{ {body} }}", object_id=object_id, return_by_value=True
    )
    return (await supervisor.send(command, frame_id)).result.value
