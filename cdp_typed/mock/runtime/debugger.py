"""`debugger` statements: pause the page while a session has enabled Debugger.

A paused page runs none of its scripts, but clients may evaluate in it, as in Chrome.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.interpreter import is_unsupported, run, unsupported_error, with_advice
from cdp_typed.mock.js.values import OpaqueObject
from cdp_typed.mock.runtime.console import exception_details
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.runtime.remote_objects import to_remote_object
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, ExecutionContext, FrameNode, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.state.suspended import DebuggerPause

_CALL_FRAME: Final = re.compile(r"-?\d+\.\d+\.\d+")


def _debuggers(step: Step, target: str) -> list[CDPSession]:
    return step.enabled(target, "Debugger")


def pause_script(step: Step, script_run: ScriptRun, column: int, variables: Mapping[str, Any]) -> None:
    """Pause the script at `debugger` if a session has enabled Debugger; otherwise go on."""
    frame = step.state.frames[script_run.frame]
    process = step.process_key(frame)
    debuggers = [session for session in _debuggers(step, frame.target) if not session.skips_pauses]
    if not debuggers or step.process(process).blocked == "paused":
        step.enqueue_first(replace(script_run, answers=(*script_run.answers, {})))
        return
    context = next(item for item in frame.contexts if item.unique_id == script_run.context)
    pause = DebuggerPause(f"pause {step.number()}", frame.id, frame.target, process, context.unique_id, dict(variables))
    step.put_process(process, replace(step.process(process), blocked="paused"))
    suspended = {**step.state.suspended, pause.key: (script_run,)}
    step.state = replace(step.state, suspended=suspended, pauses=(*step.state.pauses, pause))
    step.emit(debuggers, "Debugger.paused", _describe(step, frame, context, pause, script_run, column))


def _describe(
    step: Step, frame: FrameNode, context: ExecutionContext, pause: DebuggerPause, script_run: ScriptRun, column: int
) -> dict[str, Any]:
    window = OpaqueObject("Window")
    location = {"scriptId": "1", "lineNumber": 0, "columnNumber": column}
    call_frame = {
        "callFrameId": _call_frame(pause),
        "functionName": "",
        "functionLocation": {**location, "columnNumber": 0},
        "location": location,
        "url": script_run.url,
        "scopeChain": [{"type": "global", "object": to_remote_object(step, frame, context, window)}],
        "this": to_remote_object(step, frame, context, window),
        "canBeRestarted": True,
    }
    return {"callFrames": [call_frame], "reason": "other", "hitBreakpoints": []}


def _call_frame(pause: DebuggerPause) -> str:
    return f"{pause.key.partition(' ')[2]}.{pause.context.partition('.')[0]}.0"


def resume_undebugged(step: Step) -> None:
    """Resume the paused pages of which no session has Debugger enabled any more."""
    for pause in step.state.pauses:
        if not _debuggers(step, pause.target):
            _go_on(step, pause)


def _go_on(step: Step, pause: DebuggerPause) -> None:
    works = step.state.suspended[pause.key]
    suspended = {key: value for key, value in step.state.suspended.items() if key != pause.key}
    pauses = tuple(other for other in step.state.pauses if other.key != pause.key)
    step.state = replace(step.state, suspended=suspended, pauses=pauses)
    process = step.process(pause.process)
    step.put_process(pause.process, replace(process, blocked="", queue=()))
    step.emit(_debuggers(step, pause.target), "Debugger.resumed")
    for work in works:
        step.enqueue(
            replace(work, answers=(*work.answers, dict(pause.changed))) if isinstance(work, ScriptRun) else work
        )
    for waiting in process.queue:
        step.enqueue(waiting)


def _pause_of(step: Step, session: CDPSession, call: CommandCall) -> DebuggerPause | None:
    """Return the pause of the session's target; None if the call was refused."""
    for pause in step.state.pauses:
        if pause.target == session.target:
            return pause
    step.refuse(call, Text.NOT_PAUSED)
    return None


def _enable(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, enabled=session.enabled | {"Debugger"}))
    step.reply(call, {"debuggerId": f"{step.number()}.{step.number()}"})


def _disable(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, enabled=session.enabled - {"Debugger"}))
    step.reply(call)


def _resume(step: Step, session: CDPSession, call: CommandCall) -> None:
    pause = _pause_of(step, session, call)
    if pause is not None:
        step.reply(call)
        _go_on(step, pause)


def _skip(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, skips_pauses=call.params["skip"]))
    step.reply(call)


def _evaluate(step: Step, session: CDPSession, call: CommandCall) -> None:
    pause = _pause_of(step, session, call)
    if pause is None:
        return
    if call.params["callFrameId"] != _call_frame(pause):
        looks_like_one = _CALL_FRAME.fullmatch(call.params["callFrameId"])
        step.refuse(call, Text.NO_CONTEXT if looks_like_one else Text.NO_CALL_FRAME)
        return
    frame = step.state.frames[pause.frame]
    context = next(item for item in frame.contexts if item.unique_id == pause.context)
    before = {**pause.variables, **pause.changed}
    environment = js.ScriptEnvironment(title=frame.title, url=frame.url, variables=before, iframes={})
    run_result = run(program_of(step.state.expressions, call.params["expression"]), environment)
    outcome = run_result.outcome
    if run_result.effects or not isinstance(outcome, (js.Returned, js.Threw)):
        outcome = js.Threw(unsupported_error("anything but values and variables while the page is paused"), 0)
    if isinstance(outcome, js.Threw) and is_unsupported(outcome.value):
        outcome = with_advice(outcome, call.params["expression"])
        step.note_refusal(outcome.value.message, call)
    changed = {name: value for name, value in run_result.variables.items() if before.get(name, UNSET) is not value}
    pauses = tuple(
        replace(other, changed={**other.changed, **changed}) if other.key == pause.key else other
        for other in step.state.pauses
    )
    step.state = replace(step.state, pauses=pauses)
    by_value: bool = call.params.get("returnByValue", False)
    result: dict[str, Any] = {"result": to_remote_object(step, frame, context, outcome.value, by_value=by_value)}
    if isinstance(outcome, js.Threw):
        result["exceptionDetails"] = exception_details(step, frame, context, outcome)
    step.reply(call, result)


HANDLERS: Final[dict[str, Callable[[Step, CDPSession, CommandCall], None]]] = {
    "Debugger.disable": _disable,
    "Debugger.enable": _enable,
    "Debugger.evaluateOnCallFrame": _evaluate,
    "Debugger.resume": _resume,
    "Debugger.setSkipAllPauses": _skip,
}
