"""`debugger` statements: pause the page while a session has enabled Debugger.

A paused page runs no script of its own, but clients may evaluate in it, as in Chrome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.interpreter import run, unsupported_error
from cdp_typed.mock.js.values import OpaqueObject
from cdp_typed.mock.runtime.console import exception_details
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.runtime.remote_objects import to_remote_object
from cdp_typed.mock.state.browser_state import CDPSession, CommandCall, ExecutionContext, FrameNode, ScriptRun
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.state.suspended import DebuggerPause

__all__ = ["HANDLERS", "pause_script", "resume_undebugged"]


def _debuggers(step: Step, target: str) -> list[CDPSession]:
    return step.enabled(target, "Debugger")


def pause_script(step: Step, script_run: ScriptRun, column: int, variables: Mapping[str, Any]) -> None:
    """Pause the script at `debugger` if a session has enabled Debugger; otherwise go on."""
    frame = step.state.frames[script_run.frame]
    process = step.frame_process(frame)
    watchers = [session for session in _debuggers(step, frame.target) if not session.skips_pauses]
    if not watchers or step.process(process).blocked == "paused":
        step.enqueue_first(replace(script_run, answers=(*script_run.answers, {})))
        return
    context = next(item for item in frame.contexts if item.unique_id == script_run.context)
    stop = DebuggerPause(f"pause {step.number()}", frame.id, frame.target, process, context.unique_id, dict(variables))
    step.put_process(process, replace(step.process(process), blocked="paused"))
    suspended = {**step.state.suspended, stop.key: (script_run,)}
    step.state = replace(step.state, suspended=suspended, pauses=(*step.state.pauses, stop))
    step.emit(watchers, "Debugger.paused", _describe(step, frame, context, stop, script_run, column))


def _describe(
    step: Step, frame: FrameNode, context: ExecutionContext, stop: DebuggerPause, script_run: ScriptRun, column: int
) -> dict[str, Any]:
    window = OpaqueObject("Window")
    location = {"scriptId": "1", "lineNumber": 0, "columnNumber": column}
    call_frame = {
        "callFrameId": _call_frame(stop),
        "functionName": "",
        "functionLocation": {**location, "columnNumber": 0},
        "location": location,
        "url": script_run.url,
        "scopeChain": [{"type": "global", "object": to_remote_object(step, frame, context, window)}],
        "this": to_remote_object(step, frame, context, window),
        "canBeRestarted": True,
    }
    return {"callFrames": [call_frame], "reason": "other", "hitBreakpoints": []}


def _call_frame(stop: DebuggerPause) -> str:
    return f"{stop.key.partition(' ')[2]}.{stop.context.partition('.')[0]}.0"


def resume_undebugged(step: Step) -> None:
    """Resume the paused pages of which no session has Debugger enabled any more."""
    for stop in step.state.pauses:
        if not _debuggers(step, stop.target):
            _go_on(step, stop)


def _go_on(step: Step, stop: DebuggerPause) -> None:
    stopped = step.state.suspended[stop.key]
    suspended = {key: value for key, value in step.state.suspended.items() if key != stop.key}
    pauses = tuple(other for other in step.state.pauses if other.key != stop.key)
    step.state = replace(step.state, suspended=suspended, pauses=pauses)
    process = step.process(stop.process)
    step.put_process(stop.process, replace(process, blocked="", queue=()))
    step.emit(_debuggers(step, stop.target), "Debugger.resumed")
    for work in stopped:
        step.enqueue(
            replace(work, answers=(*work.answers, dict(stop.changed))) if isinstance(work, ScriptRun) else work
        )
    for waiting in process.queue:
        step.enqueue(waiting)


def _pause_of(step: Step, session: CDPSession, call: CommandCall) -> DebuggerPause | None:
    """Return the pause of the session's target; None if the call was refused."""
    for stop in step.state.pauses:
        if stop.target == session.target:
            return stop
    step.refuse(call, Text.NOT_PAUSED)
    return None


def _enable(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, enabled=session.enabled | {"Debugger"}))
    step.reply(call, {"debuggerId": f"{step.number()}.{step.number()}"})


def _disable(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, enabled=session.enabled - {"Debugger"}))
    step.reply(call)


def _resume(step: Step, session: CDPSession, call: CommandCall) -> None:
    stop = _pause_of(step, session, call)
    if stop is not None:
        step.reply(call)
        _go_on(step, stop)


def _skip(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.put_session(replace(session, skips_pauses=call.params["skip"]))
    step.reply(call)


def _evaluate(step: Step, session: CDPSession, call: CommandCall) -> None:
    stop = _pause_of(step, session, call)
    if stop is None:
        return
    if call.params["callFrameId"] != _call_frame(stop):
        step.refuse(call, Text.NO_CALL_FRAME)
        return
    frame = step.state.frames[stop.frame]
    context = next(item for item in frame.contexts if item.unique_id == stop.context)
    before = {**stop.variables, **stop.changed}
    environment = js.ScriptEnvironment(title=frame.title, url=frame.url, variables=before, iframes={})
    done = run(program_of(step.state.expressions, call.params["expression"]), environment)
    outcome = done.outcome
    if done.effects or not isinstance(outcome, (js.Returned, js.Threw)):
        outcome = js.Threw(unsupported_error("anything but values and variables while the page is paused"), 0)
    changed = {name: value for name, value in done.variables.items() if before.get(name, UNSET) is not value}
    stops = tuple(
        replace(other, changed={**other.changed, **changed}) if other.key == stop.key else other
        for other in step.state.pauses
    )
    step.state = replace(step.state, pauses=stops)
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
