"""The tool `browser_wait`."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog, CallError, NavigationInterrupted
from supervisor.core.vocabulary.values import PendingDialog, SupervisorSnapshot
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText, QuotedLines
from supervisor.tools.page.outline import Outline, outline
from supervisor.tools.page.outline_parts import OutlineOptions
from supervisor.tools.page.page_frames import frame_id_of

from .evaluate import Timeout

_POLL_MS = 100
_WAIT = (
    "new Promise(done => {{ const look = () =>"
    " document.body !== null && document.body.innerText.includes({text}) === {wanted}"
    " ? done(true) : setTimeout(look, {poll}); look(); }})"
)
FOR_EVER_S = 3600.0
"""The wait's own deadline comes before."""


class WaitArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_wait`: the condition to wait for."""

    until: Literal["loaded", "text", "text_gone", "url", "dialog", "file_chooser", "time"]
    value: str | None = None
    """The text, a part of the URL, or the seconds."""
    frame_id: str | None = None
    """For text: an iframe's ref, or an id."""
    timeout: Timeout = 30.0
    """Seconds."""
    snapshot: bool = False
    """Show the page."""


class Waited(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """It has come."""

    url: PageText
    """The current page's."""
    page: QuotedLines = ""
    """The page as text, if it was asked for."""
    cursor: str | None = None
    """There is more: browser_snapshot shows it with this cursor."""


class NotYet(CallError):
    """It did not come in time."""

    def __init__(self, until: str, timeout_s: float) -> None:
        super().__init__(f"{until!r} did not come within {timeout_s:g} s", maybe_executed=False)


@tool(toolset="browser", reads_only=True, idempotent=True)
async def browser_wait(context: ToolContext, arguments: WaitArguments) -> Waited:
    """Wait until the page has loaded, shows a text or no longer does, has a URL, opens a dialog or a file chooser, or
    for some seconds. A dialog ends it at once."""
    if arguments.value is None and arguments.until in ("text", "text_gone", "url", "time"):
        raise InvalidArgument("value", f"missing; needed for {arguments.until}")
    supervisor = context.supervisor
    try:
        async with asyncio.timeout(arguments.timeout):
            await _wait(supervisor, arguments)
    except TimeoutError:
        raise NotYet(arguments.until, arguments.timeout) from None
    seen = await outline(supervisor, OutlineOptions()) if arguments.snapshot else Outline(page="")
    url = next((page.url for page in supervisor.snapshot().pages if page.is_current), "")
    return Waited(url=url, page=seen.page, cursor=seen.cursor)


async def _wait(supervisor: AsyncSupervisor, arguments: WaitArguments) -> None:
    value = arguments.value or ""
    match arguments.until:
        case "text" | "text_gone":
            await _wait_for_text(supervisor, arguments)
        case "time":
            await _wait_for_time(supervisor, value)
        case "dialog":
            await supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=arguments.timeout)
        case "file_chooser":
            await _wait_for(supervisor, lambda now: any(blocker.kind == "file_chooser" for blocker in now.blockers))
        case "url":
            await _wait_for(supervisor, lambda now: any(page.is_current and value in page.url for page in now.pages))
        case "loaded":
            await _wait_for(supervisor, _is_loaded)


async def _wait_for(supervisor: AsyncSupervisor, holds: Callable[[SupervisorSnapshot], bool]) -> None:
    """Until `holds` is true. Raises `BlockedByDialog` as soon as the current page shows a dialog."""
    now = await supervisor.wait_for(lambda now: holds(now) or _dialog(now) is not None, timeout_s=FOR_EVER_S)
    dialog = _dialog(now)
    if dialog is not None:
        raise BlockedByDialog(dialog, maybe_executed=False)


async def _wait_for_time(supervisor: AsyncSupervisor, value: str) -> None:
    try:
        seconds = float(value)
    except ValueError:
        raise InvalidArgument("value", "expected a number of seconds") from None
    if not 0 < seconds < FOR_EVER_S:
        raise InvalidArgument("value", "expected a positive number of seconds")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _wait_for(supervisor, lambda _: False)


async def _wait_for_text(supervisor: AsyncSupervisor, arguments: WaitArguments) -> None:
    """In the page itself, in each of the documents that it shows meanwhile."""
    wanted = "true" if arguments.until == "text" else "false"
    expression = _WAIT.format(text=json.dumps(arguments.value), wanted=wanted, poll=_POLL_MS)
    frame_id = await frame_id_of(supervisor, arguments.frame_id)
    while True:
        try:
            await supervisor.evaluate(expression, frame_id, timeout_s=FOR_EVER_S)
        except NavigationInterrupted:
            continue
        return


def _is_loaded(now: SupervisorSnapshot) -> bool:
    top = now.frame_tree.top
    return top is not None and not any(frame.is_loading for frame in (top, *now.frame_tree.children))


def _dialog(now: SupervisorSnapshot) -> PendingDialog | None:
    current = {page.target_id for page in now.pages if page.is_current}
    return next((dialog for dialog in now.pending_dialogs if dialog.target_id in current), None)
