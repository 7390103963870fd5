"""The page in the result of a tool that did something else, for who asked for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Literal
from weakref import WeakKeyDictionary, WeakSet

from msgspec.structs import replace

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.tools.actions.input_effects import ActionResult
from supervisor.tools.actions.settling import LIMIT_S, LOADING_S, Settling
from supervisor.tools.page.lines.whole_pages import WholePage
from supervisor.tools.page.outline import last_page, outline, read_page
from supervisor.tools.page.outline_parts import OutlineOptions
from supervisor.tools.page.page_frames import top_frame

LOAD_S = 3.0
"""The time that a document has to load before it is shown."""


_BASES: WeakKeyDictionary[AsyncSupervisor, tuple[WholePage, WholePage | None]] = WeakKeyDictionary()
"""What changes are compared with: the page just before the action, or before the batch that it is a step of; and the
page that was read last then."""

_BATCHES: WeakSet[AsyncSupervisor] = WeakSet()
"""The supervisors of running batches that tell their changes."""

_OWED: WeakKeyDictionary[AsyncSupervisor, Literal["elements", "all"]] = WeakKeyDictionary()
"""The changes of earlier actions that no result has shown, and that the next one shows."""


def owe_changes(supervisor: AsyncSupervisor, what: Literal["elements", "all"]) -> None:
    """Have the next action show more than it changes: the elements to use that have appeared since the page was read,
    or `all` that has changed since, after a script whose result could not show it."""
    _OWED[supervisor] = "all" if "all" in (what, _OWED.get(supervisor)) else what


async def begin_changes(supervisor: AsyncSupervisor) -> None:
    """Keep the page before an action, or before its batch, to compare with it afterwards. Raises `CDPError`."""
    loader_id, last = top_frame(supervisor).loader_id, last_page(supervisor)
    before, _ = _BASES.get(supervisor, (None, None)) if supervisor in _BATCHES else (None, None)
    owed = _OWED.pop(supervisor, None) if last is not None and last.loader_id == loader_id else None
    if owed == "all":
        before = last
    if before is None or before.loader_id != loader_id:
        _BASES.pop(supervisor, None)  # none is better than an old one
        before = await read_page(supervisor)
        before = before if owed is None or last is None else before.without_new_ones(last)
    _BASES[supervisor] = before, last_page(supervisor)


@contextlib.asynccontextmanager
async def one_change(supervisor: AsyncSupervisor) -> AsyncGenerator[None]:
    """Tell what several actions change as the change of one."""
    with contextlib.suppress(CDPError):  # the first action tells what is wrong
        await begin_changes(supervisor)
    _BATCHES.add(supervisor)
    try:
        yield
    finally:
        _BATCHES.discard(supervisor)


async def with_changes(supervisor: AsyncSupervisor, effects: ActionResult) -> ActionResult:
    """The effects with what changed; with all of a document that loaded, once it is there or `LOAD_S` are over."""
    try:
        if not effects.loading:
            since, then = _BASES.get(supervisor, (None, None))
            if then is not last_page(supervisor):  # a snapshot was taken before the answer to a dialog
                since = None
            seen = await outline(supervisor, OutlineOptions(changed_only=True), since=since)
            if (page := last_page(supervisor)) is not None:  # a later step of the same batch has only its own changes
                _BASES[supervisor] = page, page
            _OWED.pop(supervisor, None)
            return replace(effects, page=seen.page, cursor=seen.cursor, lines_left=seen.lines_left)
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
        lines_left=seen.lines_left,
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
