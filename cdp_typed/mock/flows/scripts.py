"""Script runs: run an expression, apply its effects, and answer the command that waits for its value."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from cdp_typed.mock.flows.location import move, place_of
from cdp_typed.mock.flows.network_requests import request_fetch, request_sync
from cdp_typed.mock.flows.popups import open_popup, steer_page, windows_of
from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.interpreter import run
from cdp_typed.mock.js.syntax_tree import CallExpression, Constant, Program
from cdp_typed.mock.js.values import ErrorObject, NeverSettledPromise, PromiseValue, text
from cdp_typed.mock.network.page_cookies import bake, cookies_of
from cdp_typed.mock.page.dialogs import open_dialog
from cdp_typed.mock.page.frames import navigate_child, remove_frame
from cdp_typed.mock.page.links_and_inputs import click, controls_of
from cdp_typed.mock.runtime.bindings import call
from cdp_typed.mock.runtime.console import exception_details, log, report_exception, report_rejection
from cdp_typed.mock.runtime.debugger import pause
from cdp_typed.mock.runtime.endless_scripts import begin_loop
from cdp_typed.mock.runtime.execution_contexts import put_context
from cdp_typed.mock.runtime.playwright import encoded
from cdp_typed.mock.runtime.promises import await_promise, handle, promise_key, react, settle
from cdp_typed.mock.runtime.remote_objects import shown
from cdp_typed.mock.state.browser_state import (
    AwaitingCall,
    DocumentLocation,
    ExecutionContext,
    FrameNode,
    LoadStage,
    ReplyTo,
    ScriptRun,
    Timer,
)
from cdp_typed.mock.state.http import HttpResponse, page_of
from cdp_typed.mock.state.step import Step, base_of, home_of
from cdp_typed.mock.state.suspended import PromiseReaction, PromiseState
from cdp_typed.mock.target.attachment import info_changed
from cdp_typed.mock.target.workers import begin_worker

__all__ = ["perform_job", "settle_promises"]


def perform_job(step: Step, job: ScriptRun) -> None:
    """Run the job until it ends or a dialog stops it. If its document is gone, nothing happens and nobody hears."""
    frame = step.state.frames.get(job.frame)
    context = _context(frame, job.context)
    if frame is None or context is None:
        return
    place = job.place or place_of(step, frame)
    world = _world(step, frame, context, place, job.url)
    result = run(job.program, world, job.answers)
    for effect in result.effects[job.seen :]:
        _apply(step, frame.id, context, effect, job)
    # What ends a document waits until the script has ended: both are still there.
    frame = step.state.frames[frame.id]
    context = next(item for item in frame.contexts if item.unique_id == job.context)
    waiting = replace(job, seen=len(result.effects), place=place)
    match result.outcome:
        case js.OpenDialog() as asks:
            where = step.state.frames[asks.page] if asks.page else frame
            open_dialog(step, where, asks.type, message=asks.message, default=asks.default, job=waiting)
        case js.SendSyncRequest() as sends:
            request_sync(step, waiting, sends.request, sends.column)
        case js.PauseInDebugger() as pauses:
            pause(step, waiting, pauses.column, result.variables)
        case js.OpenWindow() as opens:
            open_popup(step, frame, waiting, opens)
        case js.StartWorker() as begins:
            step.enqueue_first(replace(waiting, answers=(*job.answers, begin_worker(step, frame, begins))))
        case js.ReadCookies() | js.WriteCookie() as wish:
            step.enqueue_first(replace(waiting, answers=(*job.answers, _cookies(step, frame, wish))))
        case js.LoopForever():
            begin_loop(step, frame, job)
        case js.Returned() | js.Threw() as outcome:
            put_context(step, frame, replace(context, variables=result.variables))
            _finish(step, job, frame, context, outcome)
        case _:
            assert_never(result.outcome)


def _cookies(step: Step, frame: FrameNode, wish: js.ReadCookies | js.WriteCookie) -> Any:
    has_origin = bool(home_of(frame))
    if isinstance(wish, js.WriteCookie):
        bake(step, frame, wish.text)
        return has_origin
    return cookies_of(step, frame) if has_origin else None


def _world(
    step: Step, frame: FrameNode, context: ExecutionContext, place: DocumentLocation, script: str
) -> js.ScriptEnvironment:
    target = step.state.targets[frame.target]
    return js.ScriptEnvironment(
        title=place.title,
        url=place.url,
        variables=context.variables,
        elements={child.name: child.id for child in step.children(frame.id) if child.name},
        controls=controls_of(frame),
        script=script,
        steps=place.steps,
        windows={} if frame.thread else windows_of(step, frame),
        popup=target.id if target.opener_frame else "",
        worker=bool(frame.thread),
        base="" if frame.thread else frame.inherits,
    )


def _context(frame: FrameNode | None, unique: str) -> ExecutionContext | None:
    return next((item for item in frame.contexts if item.unique_id == unique), None) if frame else None


def _finish(
    step: Step, job: ScriptRun, frame: FrameNode, context: ExecutionContext, outcome: js.Returned | js.Threw
) -> None:
    if job.settles:
        settle(step, frame.id, context.unique_id, job.settles, outcome.value, failed=isinstance(outcome, js.Threw))
    elif job.reply is not None:
        _reply(step, job.reply, frame, context, outcome)
    elif isinstance(outcome, js.Threw):
        report_exception(step, frame, context, outcome, job.url)
    if job.stage is not None:
        step.enqueue(job.stage)


def _reply(
    step: Step, reply: ReplyTo, frame: FrameNode, context: ExecutionContext, outcome: js.Returned | js.Threw
) -> None:
    value = outcome.value
    if isinstance(outcome, js.Threw):
        details = exception_details(step, frame, context, outcome)
        result = {"result": shown(step, frame, context, value), "exceptionDetails": details}
        step.reply(reply, result, method="Runtime.evaluate")
    elif isinstance(value, NeverSettledPromise) and reply.await_promise:
        step.state = replace(step.state, promises=(*step.state.promises, AwaitingCall(frame.id, reply)))
    elif isinstance(value, PromiseValue) and reply.await_promise:
        await_promise(step, frame, context, value.number, reply)
    else:
        wanted = encoded(value) if reply.playwright else value
        result = {"result": shown(step, frame, context, wanted, by_value=reply.by_value)}
        step.reply(reply, result, method="Runtime.evaluate")


def settle_promises(step: Step) -> None:
    """Answer the calls whose promises are settled, and report the rejections that nobody waits for."""
    for promise in step.state.promises:
        found = _settled(step, promise.pledge)
        if found is not None:
            kept = tuple(other for other in step.state.promises if other is not promise)
            step.state = replace(step.state, promises=kept)
            handle(step, promise.pledge)
            _reply_settled(step, promise.reply, *found)
    for key in list(step.state.pledges):
        found = _settled(step, key)
        if found is not None and found[0].state == "rejected" and not found[0].handled:
            pledge, frame, context = found
            handle(step, key)
            report_rejection(step, frame, context, pledge.value)


def _settled(step: Step, key: str) -> tuple[PromiseState, FrameNode, ExecutionContext] | None:
    """The promise of that key, and where it was made; None while it is pending, or if its document is gone."""
    pledge = step.state.pledges.get(key)
    frame = None if pledge is None else step.state.frames.get(pledge.frame)
    context = None if pledge is None else _context(frame, pledge.context)
    if pledge is None or frame is None or context is None or pledge.state == "pending":
        return None
    return pledge, frame, context


def _reply_settled(
    step: Step, reply: ReplyTo, pledge: PromiseState, frame: FrameNode, context: ExecutionContext
) -> None:
    value = pledge.value
    if pledge.state == "fulfilled":
        _reply(step, reply, frame, context, js.Returned(value))
        return
    details = exception_details(step, frame, context, js.Threw(value, 0))
    if isinstance(value, ErrorObject):
        # Chrome counts from 1 here, and nowhere else.
        place = {"lineNumber": 1, "columnNumber": value.column + 1}
        details = {**details, **place, "text": f"Uncaught (in promise) {text(value)}"}
    else:
        details = {**details, "text": "Uncaught (in promise)"}
    result = {"result": shown(step, frame, context, value), "exceptionDetails": details}
    step.reply(reply, result, method="Runtime.evaluate")


def _apply(step: Step, frame_id: str, context: ExecutionContext, effect: js.Effect, job: ScriptRun) -> None:
    frame = step.state.frames[frame_id]
    match effect:
        case js.ConsoleCall():
            log(step, frame, context, effect, job.url)
        case js.SetTimeout():
            job = ScriptRun(
                frame.id, context.unique_id, Program((CallExpression(Constant(effect.function), ()),)), url=job.url
            )
            timer = Timer(step.now + max(effect.delay_ms, 0) / 1000, job)
            step.state = replace(step.state, timers=(*step.state.timers, timer))
        case js.RemoveIframe():
            remove_frame(step, effect.frame)
        case js.NavigateIframe():
            made = None if effect.srcdoc is None else page_of(HttpResponse(200, body=effect.srcdoc))
            srcdoc = None if made is None else replace(made, body="")
            navigate_child(step, effect.frame, effect.url, base=base_of(frame), srcdoc=srcdoc)
        case js.SetTitle():
            _set_title(step, frame, effect.title)
        case js.CallBinding():
            call(step, frame, context, effect.name, effect.payload)
        case js.ClickElement():
            element = next(item for item in frame.document.elements if item.name == effect.name)
            click(step, frame, element, gesture=job.gesture)
        case js.StartFetch() | js.AddReaction() | js.SettlePromise():
            _promise(step, frame, context, effect)
        case js.AssignLocation() | js.ReloadPage() | js.PushState() | js.TraverseHistory():
            move(step, frame, effect)
        case js.NavigateWindow():
            steer_page(step, effect.page, effect.url)
        case js.CloseWindow():
            step.enqueue(LoadStage(effect.page, "", "closing"))
        case js.TerminateWorker():
            step.enqueue(LoadStage(effect.worker, "", "closing"))
        case _:
            assert_never(effect)


def _promise(
    step: Step, frame: FrameNode, context: ExecutionContext, effect: js.StartFetch | js.AddReaction | js.SettlePromise
) -> None:
    unique = context.unique_id
    key = promise_key(unique, effect.promise)
    if isinstance(effect, js.StartFetch):
        request_fetch(step, frame, key, effect.request, effect.column)
    elif isinstance(effect, js.AddReaction):
        following = promise_key(unique, effect.following)
        react(step, frame.id, unique, key, PromiseReaction(effect.fulfilled, effect.rejected, following))
    else:
        settle(step, frame.id, unique, key, effect.value, failed=effect.failed)


def _set_title(step: Step, frame: FrameNode, title: str) -> None:
    step.put_frame(replace(frame, title=title))
    if frame.id == frame.page:
        target = replace(step.state.targets[frame.page], title=title)
        step.put_target(target)
        info_changed(step, target)
