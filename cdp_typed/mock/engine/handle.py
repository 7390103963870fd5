"""The mock's browser as functions of values: `handle(state, call, now) -> (state, messages)`.

No socket, no clock, no randomness. The folder `server` carries the messages; a test's stubs are in `control`.
"""

from __future__ import annotations

from typing import Final, assert_never

from msgspec.structs import replace

from cdp_typed.mock.domains import dom, fetch, log, page, runtime, storage, switches, target
from cdp_typed.mock.engine.command_support import needs_renderer, support_error
from cdp_typed.mock.engine.harmless import HARMLESS, MEASURED, harmless_error, has_effect
from cdp_typed.mock.flows.browser_contexts import dispose_owned
from cdp_typed.mock.flows.loading import perform_load_stage
from cdp_typed.mock.flows.navigation import begin_script_navigation, commit, hold_navigation
from cdp_typed.mock.flows.network_requests import (
    document_request_of,
    needs_request,
    request_document,
    wait_for_document,
)
from cdp_typed.mock.flows.scripts import perform_script_run, settle_promises
from cdp_typed.mock.js.navigation_api import USER_AGENT
from cdp_typed.mock.network import network_events
from cdp_typed.mock.page import downloads, links_and_inputs, security_state
from cdp_typed.mock.page.frames import leave_process
from cdp_typed.mock.runtime import bindings, debugger
from cdp_typed.mock.runtime.endless_scripts import end_overdue_loops, leaves_loop_behind, next_deadline, terminates_loop
from cdp_typed.mock.schema.json_samples import sample_result
from cdp_typed.mock.schema.not_modelled import not_modelled
from cdp_typed.mock.state.browser_state import (
    BrowserState,
    CDPSession,
    CommandCall,
    LoadStage,
    Navigation,
    ScriptNavigation,
    ScriptRun,
    Work,
)
from cdp_typed.mock.state.error_texts import Refusal, Text, not_found
from cdp_typed.mock.state.messages import Message
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.target.attachment import detach, drop_sessions
from cdp_typed.mock.validate import check_params
from cdp_typed.schema import load_schema


def _get_version(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.reply(call, version())


def _close_browser(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.reply(call)
    step.crash()


def _crash_browser(step: Step, session: CDPSession, call: CommandCall) -> None:
    step.crash()


_HANDLERS: Final = {
    "Browser.close": _close_browser,
    "Browser.crash": _crash_browser,
    "Browser.getVersion": _get_version,
    **switches.HANDLERS,
    **target.HANDLERS,
    **page.HANDLERS,
    **runtime.HANDLERS,
    **bindings.HANDLERS,
    **links_and_inputs.HANDLERS,
    **storage.HANDLERS,
    **debugger.HANDLERS,
    **dom.HANDLERS,
    **log.HANDLERS,
    **downloads.HANDLERS,
    **security_state.HANDLERS,
    **fetch.HANDLERS,
    **network_events.HANDLERS,
}
MODELLED: Final = frozenset(_HANDLERS)
"""The commands that the mock performs."""


def root_key(connection: int) -> str:
    """Return the key of a connection's own session, which has no session id."""
    return f"connection {connection}"


def connect(state: BrowserState, connection: int, target: str | None = None) -> BrowserState:
    """Connect a client to the browser, or directly to a target."""
    key = root_key(connection)
    session = CDPSession(key, connection, None, target, None)
    return replace(state, sessions={**state.sessions, key: session})


def disconnect(state: BrowserState, connection: int, now: float) -> tuple[BrowserState, tuple[Message, ...]]:
    """Drop a client's sessions. Dialogs stay open; targets that only it held resume."""
    step = Step(state, now)
    sessions = [session for session in state.sessions.values() if session.connection == connection]
    drop_sessions(step, sessions)
    dispose_owned(step)
    _resume_released(step, state)
    return perform_all(step)


def _resume_released(step: Step, before: BrowserState) -> None:
    for known in step.state.targets.values():
        if known.type != "tab" and before.targets[known.id].waiting and not known.waiting:
            frame = step.state.frames[known.id]
            step.enqueue(LoadStage(frame.id, frame.loader, "committing"))


def end_session(step: Step, session: CDPSession) -> None:
    """Detach a session on the browser's own initiative."""
    before = step.state
    detach(step, session)
    _resume_released(step, before)


def handle(state: BrowserState, call: CommandCall, now: float) -> tuple[BrowserState, tuple[Message, ...]]:
    """Perform a call; return the state, and its reply (if there is one already) with the events that it causes."""
    step = Step(state, now)
    session = state.sessions[call.session]
    command = load_schema().commands.get(call.method)
    target = state.targets.get(session.target or "")
    if command is None:
        step.refuse(call, not_found(call.method))
        return step.state, tuple(step.out)
    no = support_error(session, target, call.method) or _params_error(call)
    if no is not None:
        step.refuse(call, no)
        return step.state, tuple(step.out)
    if call.method in ("Page.enable", "Page.disable"):
        # The browser process does so even while the renderer is blocked: measured by the sessions that get
        # `Page.javascriptDialogClosed` and may handle dialogs.
        switches.switch_domain(step, session, call.method)
    step.enqueue(call)
    return perform_all(step)


def _params_error(call: CommandCall) -> Refusal | Text | None:
    """Return the error for the call's parameters; a command without required ones needs none at all."""
    fields = load_schema().commands[call.method].parameters
    required = any(not field.optional for field in fields)
    if (call.params_kind == "array" and fields) or (call.params_kind == "absent" and required):
        return Text.PARAMS_NOT_MAP
    return check_params(call.method, call.params)


def advance(state: BrowserState, now: float) -> tuple[BrowserState, tuple[Message, ...]]:
    """Fire the timers that are due."""
    return perform_all(Step(state, now))


def next_due(state: BrowserState) -> float | None:
    """Return when the next timer is due that is not blocked, or a loop ends; None if there is none."""
    free = [timer.due for timer in state.timers if not _is_stopped(state, timer.script_run)]
    deadline = next_deadline(state)
    return min([*free, *([] if deadline is None else [deadline])], default=None)


def _is_stopped(state: BrowserState, script_run: ScriptRun) -> bool:
    frame = state.frames.get(script_run.frame)
    return frame is not None and bool(_blocked(Step(state, 0), script_run))


def perform_all(step: Step) -> tuple[BrowserState, tuple[Message, ...]]:
    """Perform the queued work, and then the timers that have become due."""
    while True:
        while not step.state.dead:
            fetch.continue_unintercepted(step)
            debugger.resume_undebugged(step)
            end_overdue_loops(step)
            settle_promises(step)
            if not step.todo:
                break
            _perform(step, step.todo.pop(0))
        due = [timer for timer in step.state.timers if timer.due <= step.now and not _blocked(step, timer.script_run)]
        if not due or step.state.dead:
            return step.state, tuple(step.out)
        first = min(due, key=lambda timer: timer.due)
        step.state = replace(step.state, timers=tuple(timer for timer in step.state.timers if timer is not first))
        step.enqueue(first.script_run)


def _renderer(step: Step, work: Work) -> str | None:
    match work:
        case CommandCall():
            session = step.state.sessions.get(work.session)
            return None if session is None else needs_renderer(step, session, work.method)
        case LoadStage(next="closing"):
            return None
        case ScriptRun() | LoadStage() | Navigation() | ScriptNavigation():
            frame = step.state.frames.get(work.frame)
            # The browser process releases a worker, whose thread may not have started.
            free = frame is None or (frame.thread and isinstance(work, LoadStage) and work.next == "committing")
            return None if frame is None or free else step.process_key(frame)
        case _:
            assert_never(work)


def _blocked(step: Step, work: Work) -> str | None:
    key = _renderer(step, work)
    if key is None:
        return None
    blocked = step.process(key).blocked
    if blocked == "paused" and not (
        isinstance(work, LoadStage) or (isinstance(work, ScriptRun) and work.reply is None)
    ):
        # A debugger pause stops the page's own scripts, and not those of clients.
        return None
    passes = isinstance(work, CommandCall) and (
        terminates_loop(step, key, work.method) or _releases_worker(step, key, work.method)
    )
    return key if blocked and not passes else None


def _releases_worker(step: Step, key: str, method: str) -> bool:
    return method == "Runtime.runIfWaitingForDebugger" and step.process(key).blocked == "starting"


def _perform(step: Step, work: Work) -> None:
    if isinstance(work, Navigation) and needs_request(step, work):
        request_document(step, work)
        return
    if isinstance(work, CommandCall) and _waits_for_document(step, work):
        return
    key = _blocked(step, work)
    if key is not None:
        if isinstance(work, Navigation):
            leave_process(step, work)
            work = hold_navigation(step, work)
            if leaves_loop_behind(step, work, key):
                commit(step, work)
                return
        process = step.process(key)
        step.put_process(key, replace(process, queue=(*process.queue, work)))
        return
    match work:
        case CommandCall():
            _answer(step, work)
        case ScriptRun():
            perform_script_run(step, work)
        case LoadStage():
            perform_load_stage(step, work)
        case Navigation():
            commit(step, work)
        case ScriptNavigation():
            begin_script_navigation(step, work)
        case _:
            assert_never(work)


def _waits_for_document(step: Step, call: CommandCall) -> bool:
    session = step.state.sessions.get(call.session)
    request = None if session is None else document_request_of(step, session.target)
    if request is None or _renderer(step, call) is None:
        return False
    wait_for_document(step, request, call)
    return True


def _answer(step: Step, call: CommandCall) -> None:
    session = step.state.sessions.get(call.session)
    if session is None:
        return
    handler = _HANDLERS.get(call.method)
    if handler is not None:
        handler(step, session, call)
        return
    _answer_without_model(step, session, call)


def _answer_without_model(step: Step, session: CDPSession, call: CommandCall) -> None:
    harmless = call.method in HARMLESS
    no = harmless_error(call.method, call.params, session.enabled) if harmless else None
    if no is not None:
        step.refuse(call, no)
    elif step.state.samples or (harmless and not has_effect(call.method, call.params)):
        switches.switch_domain(step, session, call.method)
        _resize(step, session, call)
        # Touch that was on once stays in the window of the page.
        is_off = call.params.get("enabled") is False and call.method not in session.emulated
        if call.method in MEASURED and not is_off:
            _note_emulation(step, session, call)
        step.reply(call, sample_result(call.method))
    else:
        step.refuse(call, not_modelled(call.method, with_others=harmless))


_SIZES: Final = frozenset(
    {
        "Emulation.clearDeviceMetricsOverride",
        "Emulation.setDeviceMetricsOverride",
        "Emulation.setVisibleSize",
        "Page.clearDeviceMetricsOverride",
        "Page.setDeviceMetricsOverride",
    }
)


def _resize(step: Step, session: CDPSession, call: CommandCall) -> None:
    """Tell that the size of the page has changed, if the call changes it."""
    page = step.state.targets.get(session.target or "")
    if page is None or call.method not in _SIZES:
        return
    size = {} if "clear" in call.method else {**page.size, **call.params}
    if size != page.size:
        step.put_target(replace(page, size=size))
        step.emit_if_enabled(page.id, "Page.frameResized")


def _note_emulation(step: Step, session: CDPSession, call: CommandCall) -> None:
    """Note what a page measures from now on; `clear...` and `reset...` undo the `set...` of the same name.

    Chromium 156 keeps forced colors after that, until the page navigates.
    """
    domain, _, name = call.method.partition(".")
    sets = f"{domain}.set{name.removeprefix('clear').removeprefix('reset').removeprefix('set')}"
    kept = {method: params for method, params in session.emulated.items() if method != sets}
    forced = {"name": "forced-colors", "value": "active"} in call.params.get("features", ())
    new = {f"{sets} of forced colors" if forced else sets: call.params} if sets == call.method else {}
    step.put_session(replace(session, emulated={**kept, **new}))


def version(chromium: int = 156, product: str = "MockChrome") -> dict[str, str]:
    """Return the result of `Browser.getVersion`: the product, and the Chromium that it is modelled on."""
    return {
        "protocolVersion": "1.3",
        # chromedriver takes no Chrome whose build is 0.
        "product": f"{product}/{chromium}.0.{8078 if product == 'Chrome' else 0}.0",
        "revision": "@0",
        "userAgent": USER_AGENT,
        "jsVersion": f"{chromium // 10}.{chromium % 10}.0",
    }
