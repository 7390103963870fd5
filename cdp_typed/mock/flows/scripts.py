"""Script runs: interpret a program, apply its effects, and reply to the command that awaits its value."""

from __future__ import annotations

from typing import Any, Final, assert_never

from msgspec.structs import replace

from cdp_typed.mock.dom.answers import answer_host, milliseconds_since_start
from cdp_typed.mock.dom.known_documents import is_alone
from cdp_typed.mock.flows.navigation import traverse_history
from cdp_typed.mock.flows.network_requests import request_fetch, request_sync
from cdp_typed.mock.flows.popups import navigate_window, open_popup, related_windows
from cdp_typed.mock.js import effects as js
from cdp_typed.mock.js.calls import UNREAD
from cdp_typed.mock.js.effects import AssignLocation, PushState, ReloadLocation, TraverseHistory
from cdp_typed.mock.js.interpreter import is_unsupported, run, with_advice
from cdp_typed.mock.js.shown.remote_values import NotByValue
from cdp_typed.mock.js.syntax.syntax_tree import CallExpression, Constant, Program
from cdp_typed.mock.js.values import Failure, NeverSettledPromise, PromiseValue, text
from cdp_typed.mock.network.page_cookies import document_cookie, set_document_cookie
from cdp_typed.mock.page.dialogs import open_dialog
from cdp_typed.mock.page.frames import navigate_child, remove_frame
from cdp_typed.mock.page.history import entry_at
from cdp_typed.mock.page.links_and_inputs import click, clickable_elements
from cdp_typed.mock.page.same_document import go_to_fragment, is_fragment_navigation, push_state
from cdp_typed.mock.runtime.bindings import call_binding
from cdp_typed.mock.runtime.console import (
    exception_details,
    log_console_call,
    report_exception,
    report_rejection,
    with_preview,
)
from cdp_typed.mock.runtime.debugger import pause_script
from cdp_typed.mock.runtime.endless_scripts import begin_loop
from cdp_typed.mock.runtime.execution_contexts import put_context
from cdp_typed.mock.runtime.playwright import encoded
from cdp_typed.mock.runtime.promises import add_reaction, await_promise, mark_handled, promise_key, settle_promise
from cdp_typed.mock.runtime.remote_objects import to_remote_object
from cdp_typed.mock.state.browser_state import (
    AwaitingCall,
    DocumentLocation,
    ExecutionContext,
    FrameNode,
    LoadStage,
    LoadState,
    ReplyTo,
    ScriptNavigation,
    ScriptRun,
    Target,
    Timer,
)
from cdp_typed.mock.state.error_texts import Refusal
from cdp_typed.mock.state.http import HttpResponse, page_of
from cdp_typed.mock.state.step import Step, base_url_of, initiator_of, origin_url_of
from cdp_typed.mock.state.suspended import PromiseReaction, PromiseState
from cdp_typed.mock.target.workers import start_worker
from cdp_typed.mock.urls import ERROR_URL

_READY_STATES: Final[dict[LoadState, str]] = {
    "starting": "loading",
    "committing": "loading",
    "script": "loading",
    "on_load": "complete",
    "done": "complete",
    "closing": "complete",
}


def perform_script_run(step: Step, script_run: ScriptRun) -> None:
    """Run a script until it ends or stops; do nothing if its document is gone."""
    frame = step.state.frames.get(script_run.frame)
    context = _context(frame, script_run.context)
    if frame is None or context is None:
        return
    location = script_run.location or document_location(step, frame)
    environment = _environment(step, frame, context, location, script_run.url)
    result = run(script_run.program, environment, script_run.answers)
    for effect in result.effects[script_run.seen :]:
        _apply(step, frame.id, context, effect, script_run)
    # Effects that end a document are delayed until the script has ended: frame and context still exist.
    frame = step.state.frames[frame.id]
    context = next(item for item in frame.contexts if item.unique_id == script_run.context)
    waiting = replace(script_run, seen=len(result.effects), location=location)
    match result.outcome:
        case js.OpenDialog() as dialog:
            dialog_frame = step.state.frames[dialog.page] if dialog.page else frame
            open_dialog(
                step, dialog_frame, dialog.type, message=dialog.message, default=dialog.default, script_run=waiting
            )
        case js.SendSyncRequest() as sync:
            request_sync(step, waiting, sync.request, sync.column)
        case js.PauseInDebugger() as stop:
            pause_script(step, waiting, stop.column, result.variables)
        case js.OpenWindow() as window:
            open_popup(step, frame, waiting, window)
        case js.StartWorker() as worker:
            step.enqueue_first(replace(waiting, answers=(*script_run.answers, start_worker(step, frame, worker))))
        case js.ReadCookies() | js.WriteCookie() as access:
            step.enqueue_first(replace(waiting, answers=(*script_run.answers, _access_cookies(step, frame, access))))
        case js.AskHost() as question:
            step.enqueue_first(replace(waiting, answers=(*script_run.answers, answer_host(step, frame, question))))
        case js.ReadClock():
            step.enqueue_first(replace(waiting, answers=(*script_run.answers, int(step.now * 1000))))
        case js.LoopForever():
            begin_loop(step, frame, script_run)
        case js.Returned() | js.Threw() as outcome:
            unread: dict[str, Any] = {}
            if isinstance(outcome, js.Threw) and is_unsupported(outcome.value):
                unread = {UNREAD: True}
                outcome = with_advice(outcome, script_run.reply.source if script_run.reply else "")
                step.note_refusal(outcome.value.message, script_run.reply)
            put_context(step, frame, replace(context, variables={**result.variables, **unread}))
            _finish(step, script_run, frame, context, outcome)
        case _:
            assert_never(result.outcome)


def _access_cookies(step: Step, frame: FrameNode, access: js.ReadCookies | js.WriteCookie) -> Any:
    has_origin = bool(origin_url_of(frame))
    if isinstance(access, js.WriteCookie):
        set_document_cookie(step, frame, access.text)
        return has_origin
    return document_cookie(step, frame) if has_origin else None


def _environment(
    step: Step, frame: FrameNode, context: ExecutionContext, location: DocumentLocation, script: str
) -> js.ScriptEnvironment:
    target = step.state.targets[frame.target]
    return js.ScriptEnvironment(
        title=location.title,
        url=location.url,
        variables=context.variables,
        iframes={child.name: child.id for child in step.children(frame.id) if child.name},
        clickables=clickable_elements(frame),
        script=script,
        history_position=location.history_position,
        windows={} if frame.thread else related_windows(step, frame),
        popup=target.id if target.opener_frame else "",
        worker=bool(frame.thread),
        base="" if frame.thread else frame.inherited_url,
        opener=_opener(step, target) if frame.id == frame.page else None,
        depth=_depth(step, frame),
        ready_state=_READY_STATES.get(frame.loading, "interactive"),
        is_in_front=is_alone(step, frame),
    )


def _depth(step: Step, frame: FrameNode) -> int:
    return 0 if frame.parent is None else 1 + _depth(step, step.state.frames[frame.parent])


def _opener(step: Step, target: Target) -> str | None:
    return target.opener if target.can_access_opener and target.opener in step.state.targets else None


def _context(frame: FrameNode | None, unique: str) -> ExecutionContext | None:
    return next((item for item in frame.contexts if item.unique_id == unique), None) if frame else None


def _finish(
    step: Step, script_run: ScriptRun, frame: FrameNode, context: ExecutionContext, outcome: js.Returned | js.Threw
) -> None:
    if script_run.settles:
        settle_promise(
            step, frame.id, context.unique_id, script_run.settles, outcome.value, failed=isinstance(outcome, js.Threw)
        )
    elif script_run.reply is not None:
        _reply(step, script_run.reply, frame, context, outcome)
    elif isinstance(outcome, js.Threw):
        report_exception(step, frame, context, outcome, script_run.url)
    if script_run.stage is not None:
        step.enqueue(script_run.stage)


def _reply(
    step: Step, reply: ReplyTo, frame: FrameNode, context: ExecutionContext, outcome: js.Returned | js.Threw
) -> None:
    try:
        _reply_value(step, reply, frame, context, outcome)
    except NotByValue as error:
        step.refuse(reply, Refusal(-32000, str(error)))


def _reply_value(
    step: Step, reply: ReplyTo, frame: FrameNode, context: ExecutionContext, outcome: js.Returned | js.Threw
) -> None:
    value = outcome.value
    if isinstance(outcome, js.Threw):
        details = exception_details(step, frame, context, outcome)
        shown = to_remote_object(step, frame, context, value, reply=reply)
        if not isinstance(value, Failure) or value.class_name == "DOMException":
            shown = with_preview(shown, value)
            details = {**details, "exception": with_preview(details["exception"], value)}
        step.reply(reply, {"result": shown, "exceptionDetails": details}, method="Runtime.evaluate")
    elif isinstance(value, NeverSettledPromise) and reply.await_promise:
        step.state = replace(step.state, awaiting_calls=(*step.state.awaiting_calls, AwaitingCall(frame.id, reply)))
    elif isinstance(value, PromiseValue) and reply.await_promise:
        await_promise(step, frame, context, value.number, reply)
    else:
        wanted = encoded(value) if reply.playwright else value
        shown = to_remote_object(step, frame, context, wanted, by_value=reply.by_value, reply=reply)
        step.reply(reply, {"result": shown}, method="Runtime.evaluate")


def settle_promises(step: Step) -> None:
    """Reply to the calls whose promises are settled, and report unhandled rejections."""
    for waiting in step.state.awaiting_calls:
        settled = _settled(step, waiting.promise)
        if settled is not None:
            kept = tuple(other for other in step.state.awaiting_calls if other is not waiting)
            step.state = replace(step.state, awaiting_calls=kept)
            mark_handled(step, waiting.promise)
            _reply_settled(step, waiting.reply, *settled)
    for key in list(step.state.promises):
        settled = _settled(step, key)
        if settled is not None and settled[0].state == "rejected" and not settled[0].handled:
            promise, frame, context = settled
            mark_handled(step, key)
            report_rejection(step, frame, context, promise.value)


def _settled(step: Step, key: str) -> tuple[PromiseState, FrameNode, ExecutionContext] | None:
    """Return the settled promise of that key with its frame and context; None if pending or if its document is gone."""
    promise = step.state.promises.get(key)
    frame = None if promise is None else step.state.frames.get(promise.frame)
    context = None if promise is None else _context(frame, promise.context)
    if promise is None or frame is None or context is None or promise.state == "pending":
        return None
    return promise, frame, context


def _reply_settled(
    step: Step, reply: ReplyTo, promise: PromiseState, frame: FrameNode, context: ExecutionContext
) -> None:
    value = promise.value
    if promise.state == "fulfilled":
        _reply(step, reply, frame, context, js.Returned(value))
        return
    details = exception_details(step, frame, context, js.Threw(value, 0))
    if isinstance(value, Failure) and value.class_name != "DOMException":
        # Chrome counts lines and columns from 1 here, and from 0 elsewhere.
        position = {"lineNumber": 1, "columnNumber": value.column + 1}
        details = {**details, **position, "text": f"Uncaught (in promise) {text(value)}"}
    else:
        # A value that is no error does not say where it was thrown.
        known = {name: item for name, item in details.items() if name not in ("scriptId", "stackTrace")}
        shown = with_preview(details["exception"], value)
        details = {**known, "text": "Uncaught (in promise)", "exception": shown}
    try:
        shown = to_remote_object(step, frame, context, value, by_value=reply.by_value, reply=reply)
    except NotByValue as error:
        step.refuse(reply, Refusal(-32000, str(error)))
        return
    step.reply(reply, {"result": shown, "exceptionDetails": details}, method="Runtime.evaluate")


def _apply(step: Step, frame_id: str, context: ExecutionContext, effect: js.Effect, script_run: ScriptRun) -> None:
    frame = step.state.frames[frame_id]
    match effect:
        case js.ConsoleCall():
            log_console_call(step, frame, context, effect, script_run.url)
        case js.SetTimeout():
            due = step.now + max(effect.delay_ms, 0) / 1000
            given = (Constant(milliseconds_since_start(frame, due)),) if effect.gets_time else ()
            program = Program((CallExpression(Constant(effect.function), given),))
            timer = Timer(due, ScriptRun(frame.id, context.unique_id, program, url=script_run.url))
            step.state = replace(step.state, timers=(*step.state.timers, timer))
        case js.RemoveIframe():
            remove_frame(step, effect.frame)
        case js.NavigateIframe():
            page = None if effect.srcdoc is None else page_of(HttpResponse(200, body=effect.srcdoc))
            srcdoc = None if page is None else replace(page, body="")
            navigate_child(step, effect.frame, effect.url, base=base_url_of(frame), srcdoc=srcdoc)
        case js.SetTitle():
            _set_title(step, frame, effect.title)
        case js.CallBinding():
            call_binding(step, frame, context, effect.name, effect.payload)
        case js.ClickElement():
            element = next(item for item in frame.document.elements if item.name == effect.name)
            click(step, frame, element, gesture=script_run.gesture)
        case js.StartFetch() | js.AddReaction() | js.SettlePromise():
            _promise(step, frame, context, effect)
        case js.AssignLocation() | js.ReloadLocation() | js.PushState() | js.TraverseHistory():
            navigate_from_script(step, frame, effect)
        case js.NavigateWindow():
            navigate_window(step, effect.page, effect.url, initiator_of(frame, "script"))
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
        add_reaction(step, frame.id, unique, key, PromiseReaction(effect.fulfilled, effect.rejected, following))
    else:
        settle_promise(step, frame.id, unique, key, effect.value, failed=effect.failed)


def _set_title(step: Step, frame: FrameNode, title: str) -> None:
    step.put_frame(replace(frame, title=title))
    if frame.id == frame.page:
        # No event now: the next event about the target has the title.
        step.put_target(replace(step.state.targets[frame.page], title=title))


def document_location(step: Step, frame: FrameNode) -> DocumentLocation:
    """Return the URL, title and history position that a script of the frame sees at its start."""
    history = step.state.histories.get(frame.page)
    return DocumentLocation(
        ERROR_URL if frame.unreachable else frame.url,
        frame.title,
        (0, 1) if history is None else (history.index, len(history.entries)),
    )


def navigate_from_script(
    step: Step, frame: FrameNode, effect: AssignLocation | ReloadLocation | PushState | TraverseHistory
) -> None:
    """Navigate for a script: within the document at once, to another document when the script has ended."""
    match effect:
        case AssignLocation(url, replaces) if is_fragment_navigation(frame, url):
            go_to_fragment(step, frame, url, replaces=replaces)
        case AssignLocation(url, replaces):
            _schedule(
                step,
                frame,
                ScriptNavigation(frame.id, url, initiator_of(frame, "script"), replaces=replaces),
                "scriptInitiated",
            )
        case ReloadLocation():
            _schedule(
                step, frame, ScriptNavigation(frame.id, frame.url, initiator_of(frame, "script"), reload=True), "reload"
            )
        case PushState(url, replaces):
            push_state(step, frame, url, replaces=replaces)
        case _:
            entry = entry_at(step, frame.page, effect.delta)
            if entry is not None:
                traverse_history(step, frame.page, entry)


def _schedule(step: Step, frame: FrameNode, navigation: ScriptNavigation, reason: str) -> None:
    params = {"frameId": frame.id, "reason": reason, "url": navigation.url}
    step.emit_if_enabled(frame.target, "Page.frameScheduledNavigation", {**params, "delay": 0})
    step.emit_if_enabled(frame.target, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
    step.emit_if_enabled(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    step.enqueue(navigation)
