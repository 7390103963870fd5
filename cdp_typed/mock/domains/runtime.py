"""The Runtime domain as far as the model knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.domains.target import resume
from cdp_typed.mock.js.syntax_tree import Program, Unsupported
from cdp_typed.mock.runtime.endless_scripts import terminate
from cdp_typed.mock.runtime.execution_contexts import describe, find_context
from cdp_typed.mock.runtime.expressions import bare, call_of, not_understood, program_of
from cdp_typed.mock.runtime.playwright import UtilityCall, utility_call
from cdp_typed.mock.runtime.remote_objects import find_object, release
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, ExecutionContext, FrameNode, ReplyTo, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step

__all__ = ["HANDLERS"]


def _evaluate(step: Step, session: CDPSession, request: CommandCall) -> None:
    params = request.params
    target = step.state.targets[session.target or ""]
    found = find_context(step, target, params.get("contextId"), params.get("uniqueContextId"))
    if isinstance(found, Text):
        step.refuse(request, found)
        return
    _start(step, request, found, program_of(step.state.expressions, params["expression"]))


def _call_function(step: Step, session: CDPSession, request: CommandCall) -> None:
    found = _function_place(step, session, request.params)
    if isinstance(found, Text):
        step.refuse(request, found)
        return
    frame, context, this = found
    arguments: list[Any] = []
    for argument in request.params.get("arguments", []):
        value = _argument(step, session, argument)
        if isinstance(value, Text):
            step.refuse(request, value)
            return
        arguments.append(value)
    declaration: str = request.params["functionDeclaration"]
    playwright = None
    try:
        playwright = utility_call(declaration, request.params.get("arguments", []))
        program = _called(step, declaration, this, arguments) if playwright is None else _utility(step, playwright)
    except Unsupported as unknown:
        program = not_understood(str(unknown))
    if program is None:
        step.refuse(request, Text.NO_FUNCTION)
    else:
        _start(step, request, (frame, context), program, playwright=playwright is not None)


def _function_place(
    step: Step, session: CDPSession, params: dict[str, Any]
) -> tuple[FrameNode, ExecutionContext, Any] | Text:
    """Where a function runs, and its `this`."""
    if "objectId" in params:
        held = find_object(step, session, params["objectId"])
        if isinstance(held, Text):
            return held
        frame = step.state.frames[held.frame]
        context = next(context for context in frame.contexts if context.unique_id == held.context)
        return frame, context, held.value
    if "executionContextId" not in params and "uniqueContextId" not in params:
        return Text.NO_OBJECT
    target = step.state.targets[session.target or ""]
    found = find_context(step, target, params.get("executionContextId"), params.get("uniqueContextId"))
    return found if isinstance(found, Text) else (*found, UNSET)


def _argument(step: Step, session: CDPSession, argument: dict[str, Any]) -> Any:
    if "objectId" in argument:
        held = find_object(step, session, argument["objectId"])
        return held if isinstance(held, Text) else held.value
    return float(argument["unserializableValue"]) if "unserializableValue" in argument else argument.get("value", UNSET)


def _called(step: Step, declaration: str, this: Any, arguments: list[Any]) -> Program | None:
    if bare(declaration) in step.state.expressions:
        return program_of(step.state.expressions, declaration)
    return call_of(program_of(step.state.expressions, f"({declaration}\n)"), this, arguments)


def _utility(step: Step, call: UtilityCall) -> Program | None:
    if call.is_function:
        return _called(step, call.expression, UNSET, list(call.arguments))
    return program_of(step.state.expressions, call.expression)


def _start(
    step: Step,
    request: CommandCall,
    where: tuple[FrameNode, ExecutionContext],
    program: Program,
    *,
    playwright: bool = False,
) -> None:
    frame, context = where
    reply = ReplyTo(
        request.session,
        request.id,
        by_value=request.params.get("returnByValue", False),
        playwright=playwright,
        await_promise=request.params.get("awaitPromise", False),
        user_gesture=request.params.get("userGesture", False),
    )
    gesture: bool = request.params.get("userGesture", False)
    step.enqueue_first(ScriptRun(frame.id, context.unique_id, program, reply=reply, gesture=gesture))


def _release(step: Step, session: CDPSession, request: CommandCall) -> None:
    held = find_object(step, session, request.params["objectId"])
    if isinstance(held, Text):
        step.refuse(request, held)
        return
    release(step, request.params["objectId"])
    step.reply(request)


def _enable(step: Step, session: CDPSession, request: CommandCall) -> None:
    if "Runtime" not in session.enabled:
        session = replace(session, enabled=session.enabled | {"Runtime"})
        step.put_session(session)
        for frame in step.state.frames.values():
            if frame.target == session.target:
                for context in frame.contexts:
                    step.emit([session], "Runtime.executionContextCreated", {"context": describe(frame, context)})
        for kept in step.state.console:
            if kept.target == session.target and kept.method.startswith("Runtime."):
                step.emit([session], kept.method, kept.params)
    step.reply(request)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Runtime.callFunctionOn": _call_function,
    "Runtime.enable": _enable,
    "Runtime.evaluate": _evaluate,
    "Runtime.releaseObject": _release,
    "Runtime.runIfWaitingForDebugger": resume,
    "Runtime.terminateExecution": terminate,
}
