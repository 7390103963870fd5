"""The page in the result of a tool that did something else, for who asked for it."""

from __future__ import annotations

import contextlib

from msgspec.structs import replace

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.tools.actions.input_effects import Aftermath
from supervisor.tools.page.outline import Outline, outline
from supervisor.tools.page.outline_parts import OutlineOptions

LOAD_S = 3.0
"""The time that a document has to load before it is shown."""

NOTHING_CHANGED = "nothing changed"


async def with_changes(supervisor: AsyncSupervisor, effects: Aftermath) -> Aftermath:
    """The effects with what changed; with all of a document that loaded, once it is there or `LOAD_S` are over."""
    try:
        if not effects.loading:
            seen = await outline(supervisor, OutlineOptions(changed_only=True))
            return replace(effects, page=seen.page or NOTHING_CHANGED, cursor=seen.cursor)
        seen = await whole_page(supervisor)
    except CDPError:  # the page is gone; the next call tells
        return effects
    now = supervisor.snapshot()
    url = next((tab.url for tab in now.pages if tab.is_current), "")
    return replace(effects, loading=not _is_quiet(now), title=seen.title, url=url, page=seen.page, cursor=seen.cursor)


async def whole_page(supervisor: AsyncSupervisor) -> Outline:
    """All of the current page, once it has loaded or `LOAD_S` are over."""
    with contextlib.suppress(TimeoutError):
        await supervisor.wait_for(_is_quiet, timeout_s=LOAD_S)
    return await outline(supervisor, OutlineOptions())


def _is_quiet(now: SupervisorSnapshot) -> bool:
    """True when nothing loads on the current page, or when it shows a dialog."""
    top = now.frame_tree.top
    return (
        top is None
        or not any(frame.is_loading for frame in (top, *now.frame_tree.children))
        or any(dialog.target_id == top.frame_id for dialog in now.pending_dialogs)
    )
