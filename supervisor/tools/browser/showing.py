"""The page in the result of a tool that did something else, for who asked for it."""

from __future__ import annotations

import asyncio
import contextlib

from msgspec.structs import replace

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.tools.actions.input_effects import Aftermath
from supervisor.tools.actions.settling import LIMIT_S, LOADING_S, Settling
from supervisor.tools.page.outline import outline
from supervisor.tools.page.outline_parts import OutlineOptions
from supervisor.tools.page.page_frames import top_frame

LOAD_S = 3.0
"""The time that a document has to load before it is shown."""


async def with_changes(supervisor: AsyncSupervisor, effects: Aftermath) -> Aftermath:
    """The effects with what changed; with all of a document that loaded, once it is there or `LOAD_S` are over."""
    try:
        if not effects.loading:
            seen = await outline(supervisor, OutlineOptions(changed_only=True))
            return replace(effects, page=seen.page, cursor=seen.cursor)
        is_changing = await settle_document(supervisor)
        seen = await outline(supervisor, OutlineOptions())
    except CDPError:  # the page is gone; the next call tells
        return effects
    now = supervisor.snapshot()
    return replace(
        effects,
        loading=not _is_quiet(now),
        still_changing=is_changing,
        title=seen.title,
        url=next((tab.url for tab in now.pages if tab.is_current), ""),
        page=seen.page,
        cursor=seen.cursor,
    )


async def settle_document(supervisor: AsyncSupervisor, *, loads: bool = True) -> bool:
    """Wait until the current page has loaded, with `loads`, and rests; whether it was still changing at the end.

    A document that scripts build has `QUIET_S` to show something. One that goes elsewhere by itself is followed.
    """
    clock = asyncio.get_running_loop().time
    end, document = clock() + LOAD_S + LOADING_S, None
    while (top := supervisor.snapshot().frame_tree.top) is not None and document != (top.frame_id, top.loader_id):
        if loads:
            with contextlib.suppress(TimeoutError):
                await supervisor.wait_for(_is_quiet, timeout_s=LOAD_S)
        now = top_frame(supervisor)
        document = (now.frame_id, now.loader_id)
        settling = Settling(supervisor, now.frame_id)
        await settling.begin(LIMIT_S)
        limit_s = max(0.0, min(LOADING_S, end - clock()))
        if await settling.end(expects=settling.is_scripted, is_new=True, limit_s=limit_s):
            return True
    return False


def _is_quiet(now: SupervisorSnapshot) -> bool:
    """True when nothing loads on the current page, or when it shows a dialog."""
    top = now.frame_tree.top
    return (
        top is None
        or not any(frame.is_loading for frame in (top, *now.frame_tree.children))
        or any(dialog.target_id == top.frame_id for dialog in now.pending_dialogs)
    )
