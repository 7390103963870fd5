"""The Runtime domain as far as the model knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.domains.target import resume
from cdp_typed.mock.js.syntax_tree import Program, Unknown
from cdp_typed.mock.runtime.endless_scripts import terminate
from cdp_typed.mock.runtime.execution_contexts import describe, find_context
from cdp_typed.mock.runtime.expressions import bare, call_of, not_understood, program_of
from cdp_typed.mock.runtime.playwright import UtilityCall, utility_call
from cdp_typed.mock.runtime.remote_objects import find_object, release
from cdp_typed.mock.state.browser import Context, Frame, Job, ReplyTo, Request, Session
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Turn

__all__ = ["HANDLERS"]


def _evaluate(turn: Turn, session: Session, request: Request) -> None:
    params = request.params
    target = turn.state.targets[session.target or ""]
    found = find_context(turn, target, params.get("contextId"), params.get("uniqueContextId"))
    if isinstance(found, Text):
        turn.refuse(request, found)
        return
    _start(turn, request, found, program_of(turn.state.expressions, params["expression"]))


def _call_function(turn: Turn, session: Session, request: Request) -> None:
    found = _function_place(turn, session, request.params)
    if isinstance(found, Text):
        turn.refuse(request, found)
        return
    frame, context, this = found
    arguments: list[Any] = []
    for argument in request.params.get("arguments", []):
        value = _argument(turn, session, argument)
        if isinstance(value, Text):
            turn.refuse(request, value)
            return
        arguments.append(value)
    declaration: str = request.params["functionDeclaration"]
    playwright = None
    try:
        playwright = utility_call(declaration, request.params.get("arguments", []))
        program = _called(turn, declaration, this, arguments) if playwright is None else _utility(turn, playwright)
    except Unknown as unknown:
        program = not_understood(str(unknown))
    if program is None:
        turn.refuse(request, Text.NO_FUNCTION)
    else:
        _start(turn, request, (frame, context), program, playwright=playwright is not None)


def _function_place(turn: Turn, session: Session, params: dict[str, Any]) -> tuple[Frame, Context, Any] | Text:
    """Where a function runs, and its `this`."""
    if "objectId" in params:
        held = find_object(turn, session, params["objectId"])
        if isinstance(held, Text):
            return held
        frame = turn.state.frames[held.frame]
        context = next(context for context in frame.contexts if context.unique_id == held.context)
        return frame, context, held.value
    if "executionContextId" not in params and "uniqueContextId" not in params:
        return Text.NO_OBJECT
    target = turn.state.targets[session.target or ""]
    found = find_context(turn, target, params.get("executionContextId"), params.get("uniqueContextId"))
    return found if isinstance(found, Text) else (*found, UNSET)


def _argument(turn: Turn, session: Session, argument: dict[str, Any]) -> Any:
    if "objectId" in argument:
        held = find_object(turn, session, argument["objectId"])
        return held if isinstance(held, Text) else held.value
    return float(argument["unserializableValue"]) if "unserializableValue" in argument else argument.get("value", UNSET)


def _called(turn: Turn, declaration: str, this: Any, arguments: list[Any]) -> Program | None:
    if bare(declaration) in turn.state.expressions:
        return program_of(turn.state.expressions, declaration)
    return call_of(program_of(turn.state.expressions, f"({declaration}\n)"), this, arguments)


def _utility(turn: Turn, call: UtilityCall) -> Program | None:
    if call.is_function:
        return _called(turn, call.expression, UNSET, list(call.arguments))
    return program_of(turn.state.expressions, call.expression)


def _start(
    turn: Turn, request: Request, where: tuple[Frame, Context], program: Program, *, playwright: bool = False
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
    turn.next(Job(frame.id, context.unique_id, program, reply=reply, gesture=gesture))


def _release(turn: Turn, session: Session, request: Request) -> None:
    held = find_object(turn, session, request.params["objectId"])
    if isinstance(held, Text):
        turn.refuse(request, held)
        return
    release(turn, request.params["objectId"])
    turn.reply(request)


def _enable(turn: Turn, session: Session, request: Request) -> None:
    if "Runtime" not in session.enabled:
        session = replace(session, enabled=session.enabled | {"Runtime"})
        turn.put_session(session)
        for frame in turn.state.frames.values():
            if frame.target == session.target:
                for context in frame.contexts:
                    turn.emit([session], "Runtime.executionContextCreated", {"context": describe(frame, context)})
        for kept in turn.state.console:
            if kept.target == session.target and kept.method.startswith("Runtime."):
                turn.emit([session], kept.method, kept.params)
    turn.reply(request)


HANDLERS: Final[dict[str, Callable[[Turn, Session, Request], None]]] = {
    "Runtime.callFunctionOn": _call_function,
    "Runtime.enable": _enable,
    "Runtime.evaluate": _evaluate,
    "Runtime.releaseObject": _release,
    "Runtime.runIfWaitingForDebugger": resume,
    "Runtime.terminateExecution": terminate,
}
