"""Scripts of pages at work: run a job, apply what it did, and answer whoever waits for its value."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.child_frames import navigate_child, remove_frame
from cdp_typed.mock.contexts import put_context
from cdp_typed.mock.dialogs import open_dialog
from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.run import run
from cdp_typed.mock.js.tree import Call, Program, Quoted
from cdp_typed.mock.js.values import Failure, Never
from cdp_typed.mock.objects import shown
from cdp_typed.mock.playwright import encoded
from cdp_typed.mock.state import Context, Frame, Job, Kept, Params, Promise, Timer
from cdp_typed.mock.targets import info_changed
from cdp_typed.mock.turn import Turn

__all__ = ["KEPT_MESSAGES", "exception_details", "perform_job"]

KEPT_MESSAGES = 1_000
"""So many console messages of a target Chrome repeats to a session that enables Runtime."""


def perform_job(turn: Turn, job: Job) -> None:
    """Run the job until it ends or a dialog stops it. If its document is gone, nothing happens and nobody hears."""
    frame = turn.state.frames.get(job.frame)
    context = _context(frame, job.context)
    if frame is None or context is None:
        return
    elements = {child.name: child.id for child in turn.children(frame.id) if child.name}
    world = js.World(title=frame.title, url=frame.url, variables=context.variables, elements=elements)
    result = run(job.program, world, job.answers)
    for effect in result.effects[job.seen :]:
        _apply(turn, frame.id, context, effect)
    frame = turn.state.frames.get(job.frame)
    context = _context(frame, job.context)
    if frame is None or context is None:
        return
    match result.outcome:
        case js.Asks() as asks:
            waiting = replace(job, seen=len(result.effects))
            open_dialog(turn, frame, asks.type, message=asks.message, default=asks.default, job=waiting)
        case js.Spins():
            key = turn.frame_process(frame)
            turn.put_process(key, replace(turn.process(key), blocked="busy"))
            if job.reply is not None:
                turn.state = replace(turn.state, promises=(*turn.state.promises, Promise(frame.id, job.reply)))
        case js.Returns() | js.Throws() as outcome:
            put_context(turn, frame, replace(context, variables=result.variables))
            _finish(turn, job, frame, context, outcome)


def _context(frame: Frame | None, unique: str) -> Context | None:
    return next((item for item in frame.contexts if item.unique_id == unique), None) if frame else None


def _finish(turn: Turn, job: Job, frame: Frame, context: Context, outcome: js.Returns | js.Throws) -> None:
    match outcome:
        case js.Throws() if job.reply is None:
            _report_exception(turn, frame, context, outcome)
        case js.Throws() if job.reply is not None:
            details = exception_details(turn, frame, context, outcome)
            result = {"result": shown(turn, frame, context, outcome.value), "exceptionDetails": details}
            turn.reply(job.reply, result, method="Runtime.evaluate")
        case js.Returns(value=Never()) if job.reply is not None and job.reply.await_promise:
            turn.state = replace(turn.state, promises=(*turn.state.promises, Promise(frame.id, job.reply)))
        case js.Returns(value=value) if job.reply is not None:
            wanted = encoded(value) if job.reply.playwright else value
            result = {"result": shown(turn, frame, context, wanted, by_value=job.reply.by_value)}
            turn.reply(job.reply, result, method="Runtime.evaluate")
        case _:
            pass
    if job.stage is not None:
        turn.then(job.stage)


def exception_details(turn: Turn, where: Frame, context: Context, outcome: js.Throws) -> dict[str, Any]:
    """`Runtime.ExceptionDetails` of what a script threw."""
    number = turn.number()
    script = str(number)
    column = outcome.value.column if isinstance(outcome.value, Failure) else outcome.column
    frame = {"functionName": "", "scriptId": script, "url": "", "lineNumber": 0, "columnNumber": column}
    return {
        "exceptionId": number,
        "text": "Uncaught",
        "lineNumber": 0,
        "columnNumber": outcome.column,
        "scriptId": script,
        "stackTrace": {"callFrames": [frame]},
        "exception": shown(turn, where, context, outcome.value),
    }


def _apply(turn: Turn, frame_id: str, context: Context, effect: js.Effect) -> None:
    frame = turn.state.frames[frame_id]
    match effect:
        case js.Logs():
            _log(turn, frame, context, effect)
        case js.Schedules():
            job = Job(frame.id, context.unique_id, Program((Call(Quoted(effect.function), ()),)))
            timer = Timer(turn.now + max(effect.delay_ms, 0) / 1000, job)
            turn.state = replace(turn.state, timers=(*turn.state.timers, timer))
        case js.Removes():
            remove_frame(turn, effect.frame)
        case js.Navigates():
            navigate_child(turn, effect.frame, effect.url, base=frame.url)
        case js.Titles():
            _set_title(turn, frame, effect.title)


def _set_title(turn: Turn, frame: Frame, title: str) -> None:
    turn.put_frame(replace(frame, title=title))
    if frame.id == frame.page:
        target = replace(turn.state.targets[frame.page], title=title)
        turn.put_target(target)
        info_changed(turn, target)


def _log(turn: Turn, frame: Frame, context: Context, effect: js.Logs) -> None:
    place = {"functionName": "", "scriptId": "1", "url": "", "lineNumber": 0, "columnNumber": 0}
    params = {
        "type": effect.level,
        "args": [shown(turn, frame, context, argument) for argument in effect.arguments],
        "executionContextId": context.id,
        "timestamp": turn.now * 1000,
        "stackTrace": {"callFrames": [place]},
    }
    keep(turn, frame.target, "Runtime.consoleAPICalled", params)


def _report_exception(turn: Turn, frame: Frame, context: Context, outcome: js.Throws) -> None:
    details = {**exception_details(turn, frame, context, outcome), "executionContextId": context.id}
    keep(turn, frame.target, "Runtime.exceptionThrown", {"timestamp": turn.now * 1000, "exceptionDetails": details})


def keep(turn: Turn, target: str, method: str, params: Params) -> None:
    """Send a console message to whoever has Runtime enabled, and keep it for those who enable it later."""
    mine = [kept for kept in turn.state.console if kept.target == target]
    others = [kept for kept in turn.state.console if kept.target != target]
    mine = [*mine, Kept(target, method, params)][-KEPT_MESSAGES:]
    turn.state = replace(turn.state, console=(*others, *mine))
    turn.tell(target, method, params)
