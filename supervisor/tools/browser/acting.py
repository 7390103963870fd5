"""A tool's action on the page, and its effects: a dialog that it opens does not make it fail."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from cdp_typed.errors import CDPError
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import BlockedByDialog, CallError
from supervisor.tools.actions.input_effects import ActionResult, Watch
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import OpenedDialog, was_sent
from supervisor.tools.page.object_groups import holding, release_held

from .dialog import answer_it
from .showing import begin_changes, owe_changes, with_changes

T = TypeVar("T")

_DOUBTED = ("click", "drag")
"""Their hint says that the element may have got nothing."""


async def with_effects(
    context: ToolContext,
    what: str,
    work: Awaitable[T],
    *,
    ref: str | None = None,
    shows_page: bool = False,
    settled: Callable[[AsyncSupervisor, Any], Awaitable[Any]] | None = None,
) -> tuple[T | None, ActionResult]:
    """Do what is done to the page, and return its result and its effects; no result when a dialog cut it short.

    `ref` is the element that gets the input. With `shows_page`, the effects have what changed on the page, or the page
    that loaded. They have the hint of the result, unless a dialog needs another one. `settled` reads the result again
    once the page rests. Raises `OpenedDialog` when something was left to be done, and `BlockedByDialog` when nothing
    was done yet.
    """
    watch, supervisor = Watch(context.supervisor), context.supervisor
    if shows_page:
        with contextlib.suppress(CDPError):  # the action tells what is wrong
            await begin_changes(supervisor)
    else:
        owe_changes(supervisor, "elements")
    # An action sends dozens of commands. From the loop of the connection each takes half the time of one from another.
    result, effects = await supervisor.with_driver(lambda _: _watched(supervisor, watch, work, ref, settled))
    if effects.opened_dialog:
        return result, replace(effects, hint=answer_it(context, f"do not repeat the {what}"))
    hint = getattr(result, "hint", "")
    effects = replace(effects, hint=hint, maybe_executed=bool(hint) and what in _DOUBTED)
    return result, await with_changes(context.supervisor, effects) if shows_page else effects


async def _watched(
    supervisor: AsyncSupervisor,
    watch: Watch,
    work: Awaitable[T],
    ref: str | None,
    settled: Callable[[AsyncSupervisor, Any], Awaitable[Any]] | None,
) -> tuple[T | None, ActionResult]:
    result = None
    async with holding(supervisor):
        await watch.begin(ref)
        try:
            result = await work
        except OpenedDialog as opened:
            if opened.left:
                raise
        except BlockedByDialog as blocked:  # its preparations were cut short
            raise BlockedByDialog(blocked.dialog, maybe_executed=False) from None
        except CallError as error:
            error.maybe_executed |= was_sent()
            raise
        ending = watch.end(getattr(result, "frame_id", None))
        releasing = release_held(supervisor) if settled is None else asyncio.sleep(0)
        effects, _ = await asyncio.gather(ending, releasing)
        if settled is not None and result is not None and not (effects.loading or effects.opened_dialog):
            result = await settled(supervisor, result)
        return result, effects
