"""Calls of tools that a page offers: started, awaited for a while, cancelled."""

from __future__ import annotations

import itertools
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from cdp_typed.errors import CommandError
from cdp_typed.protocol import runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.tools.framework.tool import ToolContext
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText
from supervisor.tools.page.object_groups import release

WAIT_S = 10.0
"""The time that one action waits for a tool by default. The tool goes on in the page after that."""
ANSWER_S = 30.0
"""Seconds more that the page has to answer."""
MOST_CALLS = 100
"""The number of calls that are kept. The oldest is forgotten first."""

# The call lives in this object alone, which no script of the page can reach.
_STARTED = """(() => {
    const stop = new AbortController();
    const text = output => typeof output === 'string' ? output : JSON.stringify(output) ?? '';
    const ended = (async () => (%s)(stop.signal))().then(
        output => ({output: text(output)}), error => ({error: String(error?.message ?? error)}));
    const cancelled = new Promise(done => stop.signal.addEventListener('abort', () => done({cancelled: true})));
    return {stop, ended: Promise.race([cancelled, ended])};
})()"""
_AWAIT = "function(ms) { return Promise.race([this.ended, new Promise(done => setTimeout(() => done({}), ms))]) }"
_CANCEL = "async function() { this.stop.abort(new Error('cancelled')); return await this.ended }"

_numbers = itertools.count(1)


class PageToolOutput(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a page's tool."""

    text: LongPageText = ""
    unfinished: bool = False
    """The tool still runs in the page. A form that it filled in may wait to be submitted."""
    id: str = ""
    """The call, while it is unfinished: for `tool_result` and `cancel_tool`."""
    cancelled: bool = False
    """The call has ended. A tool that does not listen to its signal goes on in the page."""


class _StartedTool(Struct, frozen=True):
    frame_id: str
    object_id: runtime.RemoteObjectId


_CALLS: WeakKeyDictionary[AsyncSupervisor, dict[str, _StartedTool]] = WeakKeyDictionary()
"""The calls that had not ended when they were last looked at, by id."""


async def start(
    context: ToolContext, frame_id: str, function: str, world: runtime.ExecutionContextId, wait_s: float
) -> PageToolOutput:
    """Call our own function of an `AbortSignal` in the frame (`Runtime.evaluate`), and wait so long for its result.

    Raises `EvaluationFailed` when it fails, and what `send` raises.
    """
    supervisor = context.supervisor
    command = runtime.Evaluate(expression=_STARTED % function, context_id=world)
    started = await supervisor.send(command, frame_id)
    if started.result.object_id is None or started.exception_details is not None:
        raise EvaluationFailed("the call did not start")
    call_id = f"call-{next(_numbers)}"
    calls = _CALLS.setdefault(supervisor, {})
    calls[call_id] = _StartedTool(frame_id, started.result.object_id)
    for forgotten in list(calls)[:-MOST_CALLS]:
        del calls[forgotten]
    return await result(context, call_id, wait_s)


async def result(context: ToolContext, call_id: str, wait_s: float) -> PageToolOutput:
    """Wait so long for the result of a call. Raises as `start` does, and `InvalidArgument` for an unknown id or one
    whose document is gone."""
    return await _ask(context, call_id, _AWAIT, wait_s)


async def cancel(context: ToolContext, call_id: str) -> PageToolOutput:
    """Abort the signal that the tool was given, and end the call. Raises as `result` does."""
    return await _ask(context, call_id, _CANCEL, 0)


async def _ask(context: ToolContext, call_id: str, function: str, wait_s: float) -> PageToolOutput:
    supervisor, calls = context.supervisor, _CALLS.get(context.supervisor, {})
    call = calls.get(call_id)
    if call is None:
        raise InvalidArgument("name", f"no unfinished call has this id; unfinished: {', '.join(calls) or 'none'}")
    command = runtime.CallFunctionOn(
        function_declaration=function,
        object_id=call.object_id,
        arguments=[runtime.CallArgument(value=wait_s * 1000)],
        await_promise=True,
        return_by_value=True,
    )
    try:
        done: dict[str, Any] = (await supervisor.send(command, call.frame_id, timeout_s=wait_s + ANSWER_S)).result.value
    except CommandError:
        del calls[call_id]
        raise InvalidArgument("name", "the call ended with its document") from None
    if not done:
        return PageToolOutput(unfinished=True, id=call_id)
    del calls[call_id]
    await release(supervisor, runtime.ReleaseObject(object_id=call.object_id), call.frame_id)
    if "error" in done:
        raise EvaluationFailed(done["error"])
    return PageToolOutput(text=done.get("output", ""), cancelled=done.get("cancelled", False))
