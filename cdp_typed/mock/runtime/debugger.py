"""`debugger`: scripts that stop there for whoever debugs their target, and what a client may do meanwhile.

A page that is paused runs no script of its own, but clients may evaluate in it, as in Chrome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.interpreter import not_known, run
from cdp_typed.mock.js.values import Instance
from cdp_typed.mock.runtime.console import exception_details
from cdp_typed.mock.runtime.expressions import program_of
from cdp_typed.mock.runtime.remote_objects import shown
from cdp_typed.mock.state.browser import Context, Frame, Job, Request, Session
from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.state.suspended import Pause

__all__ = ["HANDLERS", "pause", "release_unwatched"]


def _watchers(turn: Turn, target: str) -> list[Session]:
    return turn.enabled(target, "Debugger")


def pause(turn: Turn, job: Job, column: int, variables: Mapping[str, Any]) -> None:
    """The job has come to `debugger`: it stops if somebody is there to see it, and goes on otherwise."""
    frame = turn.state.frames[job.frame]
    process = turn.frame_process(frame)
    watchers = [session for session in _watchers(turn, frame.target) if not session.skips_pauses]
    if not watchers or turn.process(process).blocked == "paused":
        turn.next(replace(job, answers=(*job.answers, {})))
        return
    context = next(item for item in frame.contexts if item.unique_id == job.context)
    stop = Pause(f"pause {turn.number()}", frame.id, frame.target, process, context.unique_id, dict(variables))
    turn.put_process(process, replace(turn.process(process), blocked="paused"))
    suspended = {**turn.state.suspended, stop.key: (job,)}
    turn.state = replace(turn.state, suspended=suspended, pauses=(*turn.state.pauses, stop))
    turn.emit(watchers, "Debugger.paused", _describe(turn, frame, context, stop, job, column))


def _describe(turn: Turn, frame: Frame, context: Context, stop: Pause, job: Job, column: int) -> dict[str, Any]:
    window = Instance("Window")
    place = {"scriptId": "1", "lineNumber": 0, "columnNumber": column}
    call_frame = {
        "callFrameId": _call_frame(stop),
        "functionName": "",
        "functionLocation": {**place, "columnNumber": 0},
        "location": place,
        "url": job.url,
        "scopeChain": [{"type": "global", "object": shown(turn, frame, context, window)}],
        "this": shown(turn, frame, context, window),
        "canBeRestarted": True,
    }
    return {"callFrames": [call_frame], "reason": "other", "hitBreakpoints": []}


def _call_frame(stop: Pause) -> str:
    return f"{stop.key.partition(' ')[2]}.{stop.context.partition('.')[0]}.0"


def release_unwatched(turn: Turn) -> None:
    """A page that is paused goes on when nobody debugs it any more."""
    for stop in turn.state.pauses:
        if not _watchers(turn, stop.target):
            _go_on(turn, stop)


def _go_on(turn: Turn, stop: Pause) -> None:
    stopped = turn.state.suspended[stop.key]
    suspended = {key: value for key, value in turn.state.suspended.items() if key != stop.key}
    pauses = tuple(other for other in turn.state.pauses if other.key != stop.key)
    turn.state = replace(turn.state, suspended=suspended, pauses=pauses)
    process = turn.process(stop.process)
    turn.put_process(stop.process, replace(process, blocked="", queue=()))
    turn.emit(_watchers(turn, stop.target), "Debugger.resumed")
    for work in stopped:
        turn.then(replace(work, answers=(*work.answers, dict(stop.changed))) if isinstance(work, Job) else work)
    for waiting in process.queue:
        turn.then(waiting)


def _here(turn: Turn, session: Session, request: Request) -> Pause | None:
    """The pause of the session's target; None if there is none, and the call is refused."""
    for stop in turn.state.pauses:
        if stop.target == session.target:
            return stop
    turn.refuse(request, Text.NOT_PAUSED)
    return None


def _enable(turn: Turn, session: Session, request: Request) -> None:
    turn.put_session(replace(session, enabled=session.enabled | {"Debugger"}))
    turn.reply(request, {"debuggerId": f"{turn.number()}.{turn.number()}"})


def _disable(turn: Turn, session: Session, request: Request) -> None:
    turn.put_session(replace(session, enabled=session.enabled - {"Debugger"}))
    turn.reply(request)


def _resume(turn: Turn, session: Session, request: Request) -> None:
    stop = _here(turn, session, request)
    if stop is not None:
        turn.reply(request)
        _go_on(turn, stop)


def _skip(turn: Turn, session: Session, request: Request) -> None:
    turn.put_session(replace(session, skips_pauses=request.params["skip"]))
    turn.reply(request)


def _evaluate(turn: Turn, session: Session, request: Request) -> None:
    stop = _here(turn, session, request)
    if stop is None:
        return
    if request.params["callFrameId"] != _call_frame(stop):
        turn.refuse(request, Text.NO_CALL_FRAME)
        return
    frame = turn.state.frames[stop.frame]
    context = next(item for item in frame.contexts if item.unique_id == stop.context)
    before = {**stop.variables, **stop.changed}
    world = js.World(title=frame.title, url=frame.url, variables=before, elements={})
    done = run(program_of(turn.state.expressions, request.params["expression"]), world)
    outcome = done.outcome
    if done.effects or not isinstance(outcome, (js.Returns, js.Throws)):
        outcome = js.Throws(not_known("anything but values and variables while the page is paused"), 0)
    changed = {name: value for name, value in done.variables.items() if before.get(name, UNSET) is not value}
    stops = tuple(
        replace(other, changed={**other.changed, **changed}) if other.key == stop.key else other
        for other in turn.state.pauses
    )
    turn.state = replace(turn.state, pauses=stops)
    by_value: bool = request.params.get("returnByValue", False)
    result: dict[str, Any] = {"result": shown(turn, frame, context, outcome.value, by_value=by_value)}
    if isinstance(outcome, js.Throws):
        result["exceptionDetails"] = exception_details(turn, frame, context, outcome)
    turn.reply(request, result)


HANDLERS: Final[dict[str, Callable[[Turn, Session, Request], None]]] = {
    "Debugger.disable": _disable,
    "Debugger.enable": _enable,
    "Debugger.evaluateOnCallFrame": _evaluate,
    "Debugger.resume": _resume,
    "Debugger.setSkipAllPauses": _skip,
}
