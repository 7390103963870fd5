"""Slice: callers' calls. Each ends exactly once, with a value or an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from cdp_typed._base import Command
from cdp_typed.errors import CommandError, ConnectionLost, SessionDetached, SessionNotFound, TargetCrashed
from cdp_typed.protocol import page, runtime
from supervisor.core.dialogs.before_close import is_too_early, must_wait, pages_ended_by, stop_watching
from supervisor.core.state.calls import Call, Calls
from supervisor.core.state.dialogs import Dialog
from supervisor.core.state.frames import Context, Frame
from supervisor.core.state.world import World
from supervisor.core.vocabulary.chromium import (
    ANSWERED_WHILE_BLOCKED,
    ANSWERED_WHILE_BLOCKED_PREFIXES,
    CRASHED,
    INPUT_PREFIX,
    INTERNAL_ERROR,
    NAVIGATED,
    NO_JSON,
    NO_SUCH_CONTEXT,
    REVIVES_CRASHED,
    TERMINATED,
)
from supervisor.core.vocabulary.command_tags import CallReply, CallValue
from supervisor.core.vocabulary.console_values import describe, exception_text
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Disarm, Effects, Forget, Send
from supervisor.core.vocabulary.errors import (
    BlockedByDialog,
    BlockedByPrintPreview,
    CallLost,
    CallTimeout,
    EvaluationFailed,
    FrameGone,
    NavigationInterrupted,
    NoPage,
    NotForOneFrame,
    NotRunning,
    PausedByDebugger,
    Terminated,
    TimeoutCause,
    UnknownFrame,
)
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, Input, TimerFired
from supervisor.core.vocabulary.requests import CallAbandoned, CallRequested, Evaluate
from supervisor.core.vocabulary.timers import CallDeadline
from supervisor.core.vocabulary.values import Evaluation

from .frame_routing import aim, is_for_the_browser

IDENTITY = "function() { return this }"
WITHOUT_VALUE = frozenset({"function", "symbol"})
"""Types whose values are reported as None: JSON would make an empty object of a function."""


def advance(world: World, before: World, received: Input, now: float) -> tuple[World, Effects]:
    """Begin and end calls; then end those that something blocks, and send those that can be sent."""
    calls, effects = _reduce(world.calls, received, world, now)
    return replace(world, calls=calls), effects


def _reduce(calls: Calls, received: Input, world: World, now: float) -> tuple[Calls, Effects]:
    """Begin and end calls; then end those that something blocks, and send those that can be sent."""
    effects: Effects = ()
    match received:
        case CallRequested():
            calls, effects = _begin(calls, received, world, now)
        case CommandSucceeded(CallReply(call_id), result) if call_id in calls.pending:
            calls, effects = _on_reply(calls, calls.pending[call_id], result, world)
        case CommandSucceeded(CallValue(call_id), runtime.CallFunctionOnResult(result=value)) if (
            call_id in calls.pending
        ):
            calls, effects = _end_with_value(calls, calls.pending[call_id], value)
        case CommandFailed(CallValue(call_id), error) if call_id in calls.pending:
            calls, effects = _end_without_value(calls, calls.pending[call_id], error, world)
        case CommandFailed(CallReply(call_id), error) if call_id in calls.pending:
            calls, effects = _refuse(calls, calls.pending[call_id], error, world)
        case CallAbandoned(call_id) if call_id in calls.pending:
            call = calls.pending[call_id]
            calls, effects = _end(calls, call, NotRunning("the caller gave up"))  # the driver ignores the outcome
        case TimerFired(CallDeadline(call_id)) if call_id in calls.pending:
            call = calls.pending[call_id]
            calls, effects = _end(calls, call, _overdue(call, world))
        case _:
            pass
    # A change of dialogs, frames or the connection may block or unblock any of them, whatever the input was about.
    for call in calls.pending.values():
        calls, more = _advance(calls, call, world)
        effects = (*effects, *more)
    return calls, effects


def _begin(calls: Calls, request: CallRequested, world: World, now: float) -> tuple[Calls, Effects]:
    if not world.connection.is_alive:
        return calls, (CompleteCall(request.call_id, world.connection.end or NotRunning(world.connection.state)),)
    frame, work = world.frame(request.frame_id), request.work
    if request.frame_id is None and not isinstance(work, Evaluate) and is_for_the_browser(work, frame is not None):
        frame = None
    elif frame is None:
        return calls, (CompleteCall(request.call_id, _no_frame(request.frame_id, world)),)
    page_id = frame.page_id if frame else ""
    call = Call(
        call_id=request.call_id,
        work=work,
        timeout_s=request.timeout_s,
        begun_at=now,
        frame=frame,
        is_aimed=request.frame_id is not None,
        tolerated=_tolerated(work, frame, world),
        ends=frozenset() if isinstance(work, Evaluate) else pages_ended_by(work, page_id, world.targets),
    )
    calls = calls.with_call(call)
    return calls, (Arm(CallDeadline(call.call_id), call.timeout_s),)


def _tolerated(work: Evaluate | Command[Any], frame: Frame | None, world: World) -> frozenset[str]:
    """Return the ids of the dialogs and of the breakpoint or print preview that are there already and do not stop this
    call.

    Measured: while a script is paused at a breakpoint, only the call that ran into it hangs, and calls that await a
    promise. So does a page with a print preview, where input succeeds without an effect.
    """
    waits = isinstance(work, Evaluate) and work.await_promise
    pause = world.blockers.pause(frame.session_id) if frame and not waits else None
    if pause is not None and pause.kind == "print" and _is_input(work):
        pause = None
    dialogs = world.dialogs.ids() if _is_answered_while_blocked(work) else ()
    return frozenset((*dialogs, pause.id) if pause else dialogs)


def _no_frame(frame_id: str | None, world: World) -> Exception:
    if frame_id is None:
        return NoPage()
    if frame_id in world.frames.gone:
        return FrameGone(frame_id, maybe_executed=False)
    return UnknownFrame(frame_id)


def _advance(calls: Calls, call: Call, world: World) -> tuple[Calls, Effects]:
    """Send a call that can be sent; end one that is blocked."""
    obstacle = _obstacle(call, world)
    if obstacle is not None:
        return _end(calls, call, obstacle)
    frame = world.frames.nodes[call.frame.frame_id] if call.frame else None
    is_away = not world.connection.is_up or (frame is not None and (frame.stale or frame.is_moving))
    if call.sent or is_away:  # the connection may come back within the call's deadline
        return calls, ()
    try:
        command = _command(call, frame, world)
    except NotForOneFrame as error:
        return _end(calls, call, error)
    if command is None or _must_stay_disabled(command, frame, world):
        return calls, ()
    if must_wait(world.before_close, world.dialogs, world.targets, call.ends):
        return calls, ()
    # Measured on Chromium 156: input to a tab that shows a dialog has no effect, and succeeds. It waits for the answer.
    if frame is not None and _is_input(command) and any(world.dialogs_over(frame)):
        return calls, ()
    if frame and command.METHOD == runtime.TerminateExecution.METHOD:
        calls = _mark_stopped(calls, frame.session_id)
    context = world.frames.context(frame) if frame else None
    calls = calls.with_call(replace(call, sent=True, frame=frame, context=context))
    before = stop_watching(world.before_close, world.dialogs, world.targets.listening, call.ends)
    session_id = frame.session_id if frame else None
    return calls, (*before, Send(command=command, session_id=session_id, tag=CallReply(call.call_id)))


def _mark_stopped(calls: Calls, session_id: str) -> Calls:
    def runs_there(call: Call) -> bool:
        return call.sent and call.frame is not None and call.frame.session_id == session_id

    pending = {key: replace(call, stopped=True) if runs_there(call) else call for key, call in calls.pending.items()}
    return replace(calls, pending=pending)


def _command(call: Call, frame: Frame | None, world: World) -> Command[Any] | None:
    """Return the command to send; None while the frame has no script context. Raises `NotForOneFrame`."""
    if frame is None or not (call.is_aimed or isinstance(call.work, Evaluate)):
        assert not isinstance(call.work, Evaluate)
        return call.work
    context = world.frames.context(frame)
    if isinstance(call.work, Evaluate):
        return _evaluate(call.work, context) if context else None
    return aim(call.work, frame, context)


def _must_stay_disabled(command: Command[Any], frame: Frame | None, world: World) -> bool:
    """Return True for a `Page.enable` that would crash the browser: a detached-frame dialog is still open."""
    return (
        frame is not None
        and frame.page_id in world.detached_frame_dialogs.pages
        and command.METHOD == page.Enable.METHOD
    )


def _evaluate(work: Evaluate, context: Context) -> runtime.Evaluate:
    return runtime.Evaluate(
        expression=work.expression,
        # With a unique id, an expression never runs in the next document: the browser refuses it.
        unique_context_id=context.unique_id,
        context_id=runtime.ExecutionContextId(context.number) if context.unique_id is None else None,
        await_promise=work.await_promise,
        user_gesture=work.user_gesture or None,
    )


def _obstacle(call: Call, world: World) -> Exception | None:
    """Return the error that ends the call now, or None."""
    if not world.connection.is_up:
        if call.sent and world.connection.state != "stopped":
            return CallLost(world.connection.reason)
        if not world.connection.is_alive:
            return world.connection.end
    if call.frame is None:
        return None
    frame = world.frames.nodes.get(call.frame.frame_id)
    if frame is None:
        return FrameGone(call.frame.frame_id, maybe_executed=call.sent)
    if call.sent and frame.session_id != call.frame.session_id:
        return NavigationInterrupted(frame.frame_id, maybe_executed=True)
    session = world.targets.sessions.get(frame.session_id)
    if session is not None and session.crashed and not _revives(call.work):
        return TargetCrashed(session.session_id)
    for dialog in _dialogs_in_the_way(call.work, frame, world):
        if dialog.info.id not in call.tolerated:
            return BlockedByDialog(dialog.info, maybe_executed=call.sent)
    pause = world.blockers.pause(frame.session_id)
    if pause is not None and pause.id not in call.tolerated and not _is_answered_while_blocked(call.work):
        held = PausedByDebugger if pause.kind == "debugger" else BlockedByPrintPreview
        return held(pause, maybe_executed=call.sent)
    return None


def _dialogs_in_the_way(work: Evaluate | Command[Any], frame: Frame, world: World) -> Sequence[Dialog]:
    if _is_input(work):
        return [dialog for dialog in world.dialogs_over(frame) if dialog.blocks]
    return world.blocking_dialogs(frame)


def _is_input(work: Evaluate | Command[Any]) -> bool:
    return not isinstance(work, Evaluate) and work.METHOD.startswith(INPUT_PREFIX)


def _revives(work: Evaluate | Command[Any]) -> bool:
    return not isinstance(work, Evaluate) and work.METHOD in REVIVES_CRASHED


def _is_answered_while_blocked(work: Evaluate | Command[Any]) -> bool:
    if isinstance(work, Evaluate):
        return False
    return work.METHOD in ANSWERED_WHILE_BLOCKED or work.METHOD.startswith(ANSWERED_WHILE_BLOCKED_PREFIXES)


def _end(calls: Calls, call: Call, outcome: Evaluation | CommandResult | Exception) -> tuple[Calls, Effects]:
    tag = CallReply(call.call_id) if call.handle is None else CallValue(call.call_id)
    forget: Effects = (Forget(tag),) if call.sent else ()
    return calls.without(call), (Disarm(CallDeadline(call.call_id)), *forget, CompleteCall(call.call_id, outcome))


def _refuse(calls: Calls, call: Call, error: Exception, world: World) -> tuple[Calls, Effects]:
    frame = world.frames.nodes.get(call.frame.frame_id) if call.frame else None
    if not isinstance(call.work, Evaluate) and is_too_early(call.work, error, frame):
        return calls.with_call(replace(call, sent=False)), ()
    return _end(calls, call, _explain(call, error, world))


def _on_reply(calls: Calls, call: Call, result: Any, world: World) -> tuple[Calls, Effects]:
    """Take the reply to a call. An expression is answered by a remote object, whose value is read by a second command:
    with `returnByValue`, a value that JSON cannot hold would be an error, although the expression has run."""
    if _may_have_run_elsewhere(call, world):
        assert call.frame is not None
        return _end(calls, call, NavigationInterrupted(call.frame.frame_id, maybe_executed=True))
    if not isinstance(call.work, Evaluate) or not isinstance(result, runtime.EvaluateResult):
        return _end(calls, call, CommandResult(result))
    if result.exception_details is not None:
        return _end(calls, call, EvaluationFailed(exception_text(result.exception_details)))
    handle = result.result
    if handle.object_id is None or handle.type in WITHOUT_VALUE:
        return _end(calls, call, _evaluation(call, handle))
    assert call.frame is not None
    by_value = runtime.CallFunctionOn(
        function_declaration=IDENTITY, object_id=handle.object_id, return_by_value=True, silent=True
    )
    send = Send(command=by_value, session_id=call.frame.session_id, tag=CallValue(call.call_id))
    return calls.with_call(replace(call, handle=handle)), (send,)


def _end_with_value(calls: Calls, call: Call, value: runtime.RemoteObject) -> tuple[Calls, Effects]:
    assert call.handle is not None
    release = _release(call)
    calls, effects = _end(calls, call, _evaluation(call, value))
    return calls, (*effects, *release)


def _end_without_value(calls: Calls, call: Call, error: Exception, world: World) -> tuple[Calls, Effects]:
    """End a call whose value could not be read: JSON cannot hold it, or the document is gone. The expression ran."""
    assert call.handle is not None
    if isinstance(error, CommandError) and error.message.startswith(NO_JSON):
        release = _release(call)
        calls, effects = _end(calls, call, _evaluation(call, replace(call.handle, value=None)))
        return calls, (*effects, *release)
    explained = _explain(call, error, world)
    if isinstance(explained, NavigationInterrupted):
        explained = NavigationInterrupted(explained.frame_id, maybe_executed=True)
    return _end(calls, call, explained)


def _release(call: Call) -> Effects:
    if call.frame is None or call.handle is None or call.handle.object_id is None:
        return ()
    return (Send(command=runtime.ReleaseObject(object_id=call.handle.object_id), session_id=call.frame.session_id),)


def _evaluation(call: Call, value: runtime.RemoteObject) -> Evaluation:
    assert call.frame is not None
    return Evaluation(
        value=None if value.type in WITHOUT_VALUE else value.value,
        type=(call.handle or value).subtype or (call.handle or value).type,
        description=describe(value),
        frame_id=call.frame.frame_id,
        target_id=call.frame.page_id,
        session_id=call.frame.session_id,
        url=call.frame.url,
    )


def _may_have_run_elsewhere(call: Call, world: World) -> bool:
    """Return True if the call may have run in a later document than the one that it was sent to.

    Without unique ids, the number of a context may be used again in the next process."""
    if call.frame is None or call.context is None or call.context.unique_id is not None:
        return False
    is_bound = call.is_aimed or isinstance(call.work, Evaluate)
    return is_bound and world.frames.context_in(call.frame.session_id, call.frame.frame_id) != call.context


def _explain(call: Call, error: Exception, world: World) -> Exception:
    """Return a failed command's error as the caller gets it."""
    if isinstance(error, ConnectionLost):
        return CallLost(error.reason)
    if call.frame is None:
        return error
    if isinstance(error, SessionDetached):
        frame = world.frames.nodes.get(call.frame.frame_id)
        if frame is not None and frame.parent_id is not None:  # not removed: it moves to another process
            return NavigationInterrupted(frame.frame_id, maybe_executed=True)
        return FrameGone(call.frame.frame_id, maybe_executed=True, why="its session ended")
    if isinstance(error, SessionNotFound):
        return FrameGone(call.frame.frame_id, maybe_executed=False, why="the browser does not know its session")
    if isinstance(error, CommandError):
        if error.message in NAVIGATED:
            return NavigationInterrupted(call.frame.frame_id, maybe_executed=True)
        if error.message in NO_SUCH_CONTEXT and isinstance(call.work, Evaluate):
            return NavigationInterrupted(call.frame.frame_id, maybe_executed=False)
        if error.message == TERMINATED or (call.stopped and error.code == INTERNAL_ERROR):
            return Terminated(call.frame.frame_id)
        if error.message == CRASHED:
            return TargetCrashed(call.frame.session_id)
    return error


def _overdue(call: Call, world: World) -> CallTimeout:
    frame = world.frames.nodes.get(call.frame.frame_id, call.frame) if call.frame else None
    session = world.targets.sessions.get(frame.session_id, world.targets.page(frame.page_id)) if frame else None
    cause: TimeoutCause = "slow"
    if not world.connection.is_up:
        cause, why = "away", f"the connection to the browser is being opened again: {world.connection.reason}"
    elif call.frame is None:
        why = "the browser has not answered"
    elif session is not None and session.unresponsive:
        cause = "unresponsive"
        why = "the page does not respond; a dialog from before may be open on it, or a long script runs"
    elif not call.sent:
        cause, why = "not_loaded", f"the document of frame {call.frame.frame_id!r} has not loaded"
    elif isinstance(call.work, page.CaptureScreenshot):
        why = "the browser has not drawn the page"
    else:
        why = "the page has not answered; a long script may be running"
    open_ids = world.dialogs.ids()
    if open_ids:
        why += f" (open dialogs: {', '.join(open_ids)})"
    choosers = [entry.info.id for entry in world.blockers.entries if entry.info.kind == "account_chooser"]
    if choosers:
        why += f" (open account choosers: {', '.join(choosers)})"
    return CallTimeout(call.timeout_s, cause, why, maybe_executed=call.sent)
