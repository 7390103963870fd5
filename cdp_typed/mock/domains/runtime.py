"""The Runtime domain: evaluation, function calls, remote objects."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.domains.target import resume
from cdp_typed.mock.js.numbers import number_of
from cdp_typed.mock.js.syntax.syntax_tree import Program, Unsupported
from cdp_typed.mock.runtime.endless_scripts import terminate
from cdp_typed.mock.runtime.execution_contexts import describe, find_context
from cdp_typed.mock.runtime.expressions import (
    call_if_function,
    call_program,
    program_of,
    strip_source_url,
    unsupported_program,
)
from cdp_typed.mock.runtime.playwright import UtilityCall, utility_call
from cdp_typed.mock.runtime.remote_objects import find_object, release_group, release_object
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, ExecutionContext, FrameNode, ReplyTo, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step

_UNMODELLED: Final = {
    "throwOnSideEffect": Text.MOCK_SIDE_EFFECTS,
    "generatePreview": Text.MOCK_NO_PREVIEWS,
}


def _evaluate(step: Step, session: CDPSession, call: CommandCall) -> None:
    params = call.params
    target = step.state.targets[session.target or ""]
    where = _unmodelled_option(call) or find_context(
        step, target, params.get("contextId"), params.get("uniqueContextId")
    )
    if isinstance(where, Text):
        step.refuse(call, where)
        return
    program = program_of(step.state.expressions, params["expression"])
    _start(step, call, where, replace(program, is_repl=params.get("replMode", False)), params["expression"])


def _call_function(step: Step, session: CDPSession, call: CommandCall) -> None:
    where = _unmodelled_option(call) or _function_context(step, session, call.params)
    if isinstance(where, Text):
        step.refuse(call, where)
        return
    frame, context, this = where
    arguments: list[Any] = []
    for argument in call.params.get("arguments", []):
        value = _argument(step, session, argument)
        if isinstance(value, Text):
            step.refuse(call, value)
            return
        arguments.append(value)
    declaration: str = call.params["functionDeclaration"]
    playwright = None
    try:
        playwright = utility_call(declaration, call.params.get("arguments", []))
        program = _called(step, declaration, this, arguments) if playwright is None else _utility(step, playwright)
    except Unsupported as unknown:
        program = unsupported_program(str(unknown))
    if program is None:
        step.refuse(call, Text.NO_FUNCTION)
    else:
        encodes = playwright is not None and playwright.by_value
        source = declaration if playwright is None else playwright.expression
        _start(step, call, (frame, context), program, source, playwright=encodes)


def _function_context(
    step: Step, session: CDPSession, params: dict[str, Any]
) -> tuple[FrameNode, ExecutionContext, Any] | Text:
    """Return the frame and context in which a function runs, and its `this`."""
    if len(params.keys() & {"objectId", "executionContextId", "uniqueContextId"}) > 1:
        return Text.TWO_PLACES
    if "objectId" in params:
        remote = find_object(step, session, params["objectId"])
        if isinstance(remote, Text):
            return remote
        frame = step.state.frames[remote.frame]
        context = next(context for context in frame.contexts if context.unique_id == remote.context)
        return frame, context, remote.value
    if "executionContextId" not in params and "uniqueContextId" not in params:
        return Text.NO_OBJECT
    target = step.state.targets[session.target or ""]
    where = find_context(step, target, params.get("executionContextId"), params.get("uniqueContextId"))
    return where if isinstance(where, Text) else (*where, UNSET)


def _argument(step: Step, session: CDPSession, argument: dict[str, Any]) -> Any:
    if "objectId" in argument:
        remote = find_object(step, session, argument["objectId"])
        return remote if isinstance(remote, Text) else remote.value
    if "unserializableValue" not in argument:
        return argument.get("value", UNSET)
    text: str = argument["unserializableValue"]
    number = number_of(text)
    if text != "NaN" and math.isnan(number):
        return Text.MOCK_NUMBERS_ONLY
    return number if text.strip() else UNSET


def _called(step: Step, declaration: str, this: Any, arguments: list[Any]) -> Program | None:
    if strip_source_url(declaration) in step.state.expressions:
        return program_of(step.state.expressions, declaration)
    return call_program(program_of(step.state.expressions, f"({declaration}\n)"), this, arguments)


def _utility(step: Step, call: UtilityCall) -> Program | None:
    if call.is_function:
        return _called(step, call.expression, UNSET, list(call.arguments))
    program = program_of(step.state.expressions, call.expression)
    return program if call.is_function is False else call_if_function(program, call.arguments)


def _start(
    step: Step,
    call: CommandCall,
    where: tuple[FrameNode, ExecutionContext],
    program: Program,
    source: str,
    *,
    playwright: bool = False,
) -> None:
    frame, context = where
    reply = ReplyTo(
        call.session,
        call.id,
        by_value=call.params.get("returnByValue", False),
        playwright=playwright,
        await_promise=call.params.get("awaitPromise", False) and not program.is_repl,
        user_gesture=call.params.get("userGesture", False),
        deadline=step.now + call.params["timeout"] / 1000 if "timeout" in call.params else None,
        object_group=_group(step, call.params),
        source=strip_source_url(source),
    )
    gesture: bool = call.params.get("userGesture", False)
    if gesture:
        _activate(step, frame)
    step.enqueue_first(ScriptRun(frame.id, context.unique_id, program, reply=reply, gesture=gesture))


def _group(step: Step, params: dict[str, Any]) -> str:
    """Return the group of the result: of a function without one, that of the object that it is called on."""
    remote = step.state.remote_objects.get(params.get("objectId", ""))
    group: str = params.get("objectGroup", "" if remote is None else remote.group)
    return group


def _activate(step: Step, frame: FrameNode) -> None:
    """Note a user gesture in a frame, which is one in all frames around it."""
    around: FrameNode | None = frame
    while around is not None:
        step.put_frame(replace(around, was_activated=True))
        around = step.state.frames.get(around.parent or "")


def _unmodelled_option(call: CommandCall) -> Text | None:
    """Return the refusal of an option that would change the result and that the mock does not model."""
    return next((text for name, text in _UNMODELLED.items() if call.params.get(name)), None)


def _release(step: Step, session: CDPSession, call: CommandCall) -> None:
    remote = find_object(step, session, call.params["objectId"])
    if isinstance(remote, Text):
        step.refuse(call, remote)
        return
    release_object(step, call.params["objectId"])
    step.reply(call)


def _release_group(step: Step, session: CDPSession, call: CommandCall) -> None:
    release_group(step, session, call.params["objectGroup"])
    step.reply(call)


def _enable(step: Step, session: CDPSession, call: CommandCall) -> None:
    if "Runtime" not in session.enabled:
        session = replace(session, enabled=session.enabled | {"Runtime"})
        step.put_session(session)
        for frame in step.state.frames.values():
            if frame.target == session.target:
                for context in frame.contexts:
                    step.emit([session], "Runtime.executionContextCreated", {"context": describe(frame, context)})
        for kept in step.state.console_entries:
            if kept.target == session.target and kept.method.startswith("Runtime."):
                step.emit([session], kept.method, kept.params)
    step.reply(call)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Runtime.callFunctionOn": _call_function,
    "Runtime.enable": _enable,
    "Runtime.evaluate": _evaluate,
    "Runtime.releaseObject": _release,
    "Runtime.releaseObjectGroup": _release_group,
    "Runtime.runIfWaitingForDebugger": resume,
    "Runtime.terminateExecution": terminate,
}
