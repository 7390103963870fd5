"""The values of scripts that a caller runs outside of `AsyncSupervisor.evaluate`."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.calls.calls import IDENTITY, WITHOUT_VALUE
from supervisor.core.vocabulary.chromium import NO_JSON
from supervisor.core.vocabulary.console_values import describe, exception_text
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.tools.page.element_errors import StaleRef
from supervisor.tools.page.object_groups import holding
from supervisor.tools.page.page_frames import object_of
from supervisor.tools.page.refs import Element

R = TypeVar("R")


class ScriptValue(Struct, frozen=True):
    """The value of a script; None for what JSON cannot hold, with its type and description."""

    value: Any
    type: str
    description: str


async def value_of(
    send: Callable[[Command[Any]], Awaitable[Any]], done: runtime.EvaluateResult | runtime.CallFunctionOnResult
) -> ScriptValue:
    """The value of a script that ran, as `AsyncSupervisor.evaluate` returns it; of a promise, what it comes to.

    Raises `EvaluationFailed`.
    """
    _check(done.exception_details)
    handle = plain = done.result
    if handle.object_id is not None and handle.subtype == "promise":
        awaited = runtime.CallFunctionOn(
            function_declaration=IDENTITY, object_id=handle.object_id, await_promise=True, silent=True
        )
        return await value_of(send, await send(awaited))
    if handle.object_id is not None and handle.type not in WITHOUT_VALUE:
        by_value = runtime.CallFunctionOn(
            function_declaration=IDENTITY, object_id=handle.object_id, return_by_value=True, silent=True
        )
        try:
            plain = (await send(by_value)).result
        except CommandError as error:
            if not error.message.startswith(NO_JSON):
                raise
        with contextlib.suppress(CDPError):
            await send(runtime.ReleaseObject(object_id=handle.object_id))
    value = None if handle.type in WITHOUT_VALUE else plain.value
    return ScriptValue(value, handle.subtype or handle.type, describe(plain))


def _check(details: runtime.ExceptionDetails | None) -> None:
    if details is not None:
        # What throws while it runs has a stack, and what a page throws later has no script (Chromium 156).
        kind = "" if details.exception is None else details.exception.class_name
        has_run = kind != "SyntaxError" or details.stack_trace is not None or details.script_id is None
        raise EvaluationFailed(exception_text(details), has_run=has_run)


async def call_with(
    supervisor: AsyncSupervisor, elements: Sequence[Element], function: str, timeout_s: float
) -> ScriptValue:
    """The value of a caller's function of elements, called in their document's own world (`Runtime.callFunctionOn`).

    Raises `StaleRef` when one was removed, `EvaluationFailed`, and what `send` raises.
    """
    frame_id = elements[0].frame.frame_id

    async def send(command: Command[R]) -> R:
        return await supervisor.send(command, frame_id, timeout_s=timeout_s)

    async with holding(supervisor) as held:
        objects = list[runtime.RemoteObjectId | None]()
        for element in elements:
            try:
                objects.append(await object_of(supervisor, frame_id, element.backend_node_id, held))
            except CommandError:
                raise StaleRef(element.ref, "it was removed from its document") from None
        command = runtime.CallFunctionOn(
            function_declaration=function,
            object_id=objects[0],
            arguments=[runtime.CallArgument(object_id=object_id) for object_id in objects],
            await_promise=True,
            object_group=held.name,
        )
        return await value_of(send, await send(command))
