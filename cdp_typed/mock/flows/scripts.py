"""Scripts of pages at work: run a job, apply what it did, and answer whoever waits for its value."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from cdp_typed.mock.flows.location import move, place_of
from cdp_typed.mock.flows.popups import open_popup, steer_page, windows_of
from cdp_typed.mock.flows.requests import request_fetch, request_sync
from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.interpreter import run
from cdp_typed.mock.js.syntax_tree import Call, Program, Quoted
from cdp_typed.mock.js.values import Failure, Never, Pending, text
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
from cdp_typed.mock.state.browser import Context, Frame, Job, Place, Promise, ReplyTo, Stage, Timer
from cdp_typed.mock.state.http import HttpResponse, page_of
from cdp_typed.mock.state.step import Turn, base_of, home_of
from cdp_typed.mock.state.suspended import Pledge, Reaction
from cdp_typed.mock.target.attachment import info_changed
from cdp_typed.mock.target.workers import begin_worker

__all__ = ["perform_job", "settle_promises"]


def perform_job(turn: Turn, job: Job) -> None:
    """Run the job until it ends or a dialog stops it. If its document is gone, nothing happens and nobody hears."""
    frame = turn.state.frames.get(job.frame)
    context = _context(frame, job.context)
    if frame is None or context is None:
        return
    place = job.place or place_of(turn, frame)
    world = _world(turn, frame, context, place, job.url)
    result = run(job.program, world, job.answers)
    for effect in result.effects[job.seen :]:
        _apply(turn, frame.id, context, effect, job)
    # What ends a document waits until the script has ended: both are still there.
    frame = turn.state.frames[frame.id]
    context = next(item for item in frame.contexts if item.unique_id == job.context)
    waiting = replace(job, seen=len(result.effects), place=place)
    match result.outcome:
        case js.Asks() as asks:
            where = turn.state.frames[asks.page] if asks.page else frame
            open_dialog(turn, where, asks.type, message=asks.message, default=asks.default, job=waiting)
        case js.Sends() as sends:
            request_sync(turn, waiting, sends.request, sends.column)
        case js.Pauses() as pauses:
            pause(turn, waiting, pauses.column, result.variables)
        case js.Opens() as opens:
            open_popup(turn, frame, waiting, opens)
        case js.Begins() as begins:
            turn.next(replace(waiting, answers=(*job.answers, begin_worker(turn, frame, begins))))
        case js.Recalls() | js.Bakes() as wish:
            turn.next(replace(waiting, answers=(*job.answers, _cookies(turn, frame, wish))))
        case js.Spins():
            begin_loop(turn, frame, job)
        case js.Returns() | js.Throws() as outcome:
            put_context(turn, frame, replace(context, variables=result.variables))
            _finish(turn, job, frame, context, outcome)
        case _:
            assert_never(result.outcome)


def _cookies(turn: Turn, frame: Frame, wish: js.Recalls | js.Bakes) -> Any:
    has_origin = bool(home_of(frame))
    if isinstance(wish, js.Bakes):
        bake(turn, frame, wish.text)
        return has_origin
    return cookies_of(turn, frame) if has_origin else None


def _world(turn: Turn, frame: Frame, context: Context, place: Place, script: str) -> js.World:
    target = turn.state.targets[frame.target]
    return js.World(
        title=place.title,
        url=place.url,
        variables=context.variables,
        elements={child.name: child.id for child in turn.children(frame.id) if child.name},
        controls=controls_of(frame),
        script=script,
        steps=place.steps,
        windows={} if frame.thread else windows_of(turn, frame),
        popup=target.id if target.opener_frame else "",
        worker=bool(frame.thread),
        base="" if frame.thread else frame.inherits,
    )


def _context(frame: Frame | None, unique: str) -> Context | None:
    return next((item for item in frame.contexts if item.unique_id == unique), None) if frame else None


def _finish(turn: Turn, job: Job, frame: Frame, context: Context, outcome: js.Returns | js.Throws) -> None:
    if job.settles:
        settle(turn, frame.id, context.unique_id, job.settles, outcome.value, failed=isinstance(outcome, js.Throws))
    elif job.reply is not None:
        _reply(turn, job.reply, frame, context, outcome)
    elif isinstance(outcome, js.Throws):
        report_exception(turn, frame, context, outcome, job.url)
    if job.stage is not None:
        turn.then(job.stage)


def _reply(turn: Turn, reply: ReplyTo, frame: Frame, context: Context, outcome: js.Returns | js.Throws) -> None:
    value = outcome.value
    if isinstance(outcome, js.Throws):
        details = exception_details(turn, frame, context, outcome)
        result = {"result": shown(turn, frame, context, value), "exceptionDetails": details}
        turn.reply(reply, result, method="Runtime.evaluate")
    elif isinstance(value, Never) and reply.await_promise:
        turn.state = replace(turn.state, promises=(*turn.state.promises, Promise(frame.id, reply)))
    elif isinstance(value, Pending) and reply.await_promise:
        await_promise(turn, frame, context, value.number, reply)
    else:
        wanted = encoded(value) if reply.playwright else value
        result = {"result": shown(turn, frame, context, wanted, by_value=reply.by_value)}
        turn.reply(reply, result, method="Runtime.evaluate")


def settle_promises(turn: Turn) -> None:
    """Answer the calls whose promises are settled, and report the rejections that nobody waits for."""
    for promise in turn.state.promises:
        found = _settled(turn, promise.pledge)
        if found is not None:
            kept = tuple(other for other in turn.state.promises if other is not promise)
            turn.state = replace(turn.state, promises=kept)
            handle(turn, promise.pledge)
            _reply_settled(turn, promise.reply, *found)
    for key in list(turn.state.pledges):
        found = _settled(turn, key)
        if found is not None and found[0].state == "rejected" and not found[0].handled:
            pledge, frame, context = found
            handle(turn, key)
            report_rejection(turn, frame, context, pledge.value)


def _settled(turn: Turn, key: str) -> tuple[Pledge, Frame, Context] | None:
    """The promise of that key, and where it was made; None while it is pending, or if its document is gone."""
    pledge = turn.state.pledges.get(key)
    frame = None if pledge is None else turn.state.frames.get(pledge.frame)
    context = None if pledge is None else _context(frame, pledge.context)
    if pledge is None or frame is None or context is None or pledge.state == "pending":
        return None
    return pledge, frame, context


def _reply_settled(turn: Turn, reply: ReplyTo, pledge: Pledge, frame: Frame, context: Context) -> None:
    value = pledge.value
    if pledge.state == "fulfilled":
        _reply(turn, reply, frame, context, js.Returns(value))
        return
    details = exception_details(turn, frame, context, js.Throws(value, 0))
    if isinstance(value, Failure):
        # Chrome counts from 1 here, and nowhere else.
        place = {"lineNumber": 1, "columnNumber": value.column + 1}
        details = {**details, **place, "text": f"Uncaught (in promise) {text(value)}"}
    else:
        details = {**details, "text": "Uncaught (in promise)"}
    result = {"result": shown(turn, frame, context, value), "exceptionDetails": details}
    turn.reply(reply, result, method="Runtime.evaluate")


def _apply(turn: Turn, frame_id: str, context: Context, effect: js.Effect, job: Job) -> None:
    frame = turn.state.frames[frame_id]
    match effect:
        case js.Logs():
            log(turn, frame, context, effect, job.url)
        case js.Schedules():
            job = Job(frame.id, context.unique_id, Program((Call(Quoted(effect.function), ()),)), url=job.url)
            timer = Timer(turn.now + max(effect.delay_ms, 0) / 1000, job)
            turn.state = replace(turn.state, timers=(*turn.state.timers, timer))
        case js.Removes():
            remove_frame(turn, effect.frame)
        case js.Navigates():
            made = None if effect.srcdoc is None else page_of(HttpResponse(200, body=effect.srcdoc))
            srcdoc = None if made is None else replace(made, body="")
            navigate_child(turn, effect.frame, effect.url, base=base_of(frame), srcdoc=srcdoc)
        case js.Titles():
            _set_title(turn, frame, effect.title)
        case js.Calls():
            call(turn, frame, context, effect.name, effect.payload)
        case js.Clicks():
            element = next(item for item in frame.document.elements if item.name == effect.name)
            click(turn, frame, element, gesture=job.gesture)
        case js.Fetches() | js.Reacts() | js.Settles():
            _promise(turn, frame, context, effect)
        case js.Goes() | js.Reloads() | js.Pushes() | js.Travels():
            move(turn, frame, effect)
        case js.Steers():
            steer_page(turn, effect.page, effect.url)
        case js.Closes():
            turn.then(Stage(effect.page, "", "closing"))
        case js.Terminates():
            turn.then(Stage(effect.worker, "", "closing"))
        case _:
            assert_never(effect)


def _promise(turn: Turn, frame: Frame, context: Context, effect: js.Fetches | js.Reacts | js.Settles) -> None:
    unique = context.unique_id
    key = promise_key(unique, effect.promise)
    if isinstance(effect, js.Fetches):
        request_fetch(turn, frame, key, effect.request, effect.column)
    elif isinstance(effect, js.Reacts):
        following = promise_key(unique, effect.following)
        react(turn, frame.id, unique, key, Reaction(effect.fulfilled, effect.rejected, following))
    else:
        settle(turn, frame.id, unique, key, effect.value, failed=effect.failed)


def _set_title(turn: Turn, frame: Frame, title: str) -> None:
    turn.put_frame(replace(frame, title=title))
    if frame.id == frame.page:
        target = replace(turn.state.targets[frame.page], title=title)
        turn.put_target(target)
        info_changed(turn, target)
