"""What a tool does to the page, and its effects: a dialog that it opens does not make it fail."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable
from typing import TypeVar

from msgspec.structs import replace

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.tools.actions.input_effects import Aftermath, Watch
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import OpenedDialog
from supervisor.tools.page.outline import outline
from supervisor.tools.page.outline_parts import OutlineOptions

from .dialog import answer_it

T = TypeVar("T")

LOAD_S = 3.0
"""The time that a document has to load before it is shown."""

NOTHING_CHANGED = "nothing changed"


async def with_effects(
    context: ToolContext, what: str, work: Awaitable[T], *, shows_page: bool = False
) -> tuple[T | None, Aftermath]:
    """Do what is done to the page, and return its result and its effects; no result when a dialog cut it short.

    With `shows_page`, the effects have what changed on the page, or the page that loaded. Raises `OpenedDialog` when
    something was left to be done, and `BlockedByDialog` when nothing was done yet.
    """
    watch = Watch(context.supervisor)
    result = None
    try:
        result = await work
    except OpenedDialog as opened:
        if opened.left:
            raise
    except BlockedByDialog as blocked:  # its preparations were cut short
        raise BlockedByDialog(blocked.dialog, maybe_executed=False) from None
    effects = await watch.end(getattr(result, "frame_id", None))
    if effects.opened_dialog:
        return result, replace(effects, hint=answer_it(context, f"do not repeat the {what}"))
    return result, await _with_page(context.supervisor, effects) if shows_page else effects


async def _with_page(supervisor: AsyncSupervisor, effects: Aftermath) -> Aftermath:
    """The effects with what changed; with all of a document that loaded, once it is there or `LOAD_S` are over."""
    try:
        if not effects.loading:
            seen = await outline(supervisor, OutlineOptions(changed_only=True))
            return replace(effects, page=seen.page or NOTHING_CHANGED, cursor=seen.cursor)
        with contextlib.suppress(TimeoutError):
            await supervisor.wait_for(_is_quiet, timeout_s=LOAD_S)
        seen, now = await outline(supervisor, OutlineOptions()), supervisor.snapshot()
    except CDPError:  # the page is gone; the next call tells
        return effects
    url = next((tab.url for tab in now.pages if tab.is_current), "")
    return replace(effects, loading=not _is_quiet(now), title=seen.title, url=url, page=seen.page, cursor=seen.cursor)


def _is_quiet(now: SupervisorSnapshot) -> bool:
    """True when nothing loads on the current page, or when it shows a dialog."""
    top = now.frame_tree.top
    return (
        top is None
        or not any(frame.is_loading for frame in (top, *now.frame_tree.children))
        or any(dialog.target_id == top.frame_id for dialog in now.pending_dialogs)
    )
