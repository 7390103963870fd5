"""The Runtime domain as far as the model knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from cdp_typed.mock.contexts import describe, find_context
from cdp_typed.mock.js.parse import parse
from cdp_typed.mock.js.run import not_known
from cdp_typed.mock.js.tree import Program, Quoted, Throw, Unknown
from cdp_typed.mock.js.values import Failure
from cdp_typed.mock.state import Context, Frame, Job, ReplyTo, Request, Session
from cdp_typed.mock.target_domain import resume
from cdp_typed.mock.texts import Text
from cdp_typed.mock.turn import Turn

__all__ = ["HANDLERS", "program_of"]


def program_of(expressions: dict[str, Any], source: str) -> Program:
    """What `source` does: as the test author scripted it, or as it reads; what nobody knows throws."""
    if source.strip() in expressions:
        value = expressions[source.strip()]
        return Program((Throw(Quoted(value), 0) if isinstance(value, Failure) else Quoted(value),))
    try:
        return parse(source)
    except Unknown as unknown:
        return Program((Throw(Quoted(not_known(f"{source} ({unknown})")), 0),))


def _evaluate(turn: Turn, session: Session, request: Request) -> None:
    params = request.params
    target = turn.state.targets[session.target or ""]
    found = find_context(turn, target, params.get("contextId"), params.get("uniqueContextId"))
    if isinstance(found, Text):
        turn.refuse(request, found)
        return
    _start(turn, request, found, params["expression"])


def _call_function(turn: Turn, session: Session, request: Request) -> None:
    params = request.params
    target = turn.state.targets[session.target or ""]
    if "objectId" in params or params.get("arguments"):
        turn.refuse(request, Text.MOCK_NO_OBJECTS)
        return
    if "executionContextId" not in params and "uniqueContextId" not in params:
        turn.refuse(request, Text.NO_OBJECT)
        return
    found = find_context(turn, target, params.get("executionContextId"), params.get("uniqueContextId"))
    if isinstance(found, Text):
        turn.refuse(request, found)
        return
    _start(turn, request, found, f"({params['functionDeclaration']})()")


def _start(turn: Turn, request: Request, where: tuple[Frame, Context], source: str) -> None:
    frame, context = where
    reply = ReplyTo(
        request.session,
        request.id,
        by_value=request.params.get("returnByValue", False),
        await_promise=request.params.get("awaitPromise", False),
    )
    program = program_of(dict(turn.state.expressions), source)
    turn.next(Job(frame.id, context.unique_id, program, reply=reply))


def _enable(turn: Turn, session: Session, request: Request) -> None:
    if "Runtime" not in session.enabled:
        session = replace(session, enabled=session.enabled | {"Runtime"})
        turn.put_session(session)
        for frame in turn.state.frames.values():
            if frame.target == session.target:
                for context in frame.contexts:
                    turn.emit([session], "Runtime.executionContextCreated", {"context": describe(frame, context)})
        for kept in turn.state.console:
            if kept.target == session.target:
                turn.emit([session], kept.method, kept.params)
    turn.reply(request)


HANDLERS: Final[dict[str, Callable[[Turn, Session, Request], None]]] = {
    "Runtime.callFunctionOn": _call_function,
    "Runtime.enable": _enable,
    "Runtime.evaluate": _evaluate,
    "Runtime.runIfWaitingForDebugger": resume,
}
