"""The mock's browser as functions of values: `handle(state, request, now) -> (state, messages)`.

No socket, no clock, no randomness. The folder `server` carries the messages; what a test scripts is in `control`.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

from msgspec.structs import replace

from cdp_typed.mock.domains import fetch, page, runtime, storage, target
from cdp_typed.mock.engine.command_support import needs_renderer, refusal
from cdp_typed.mock.flows.browser_contexts import dispose_owned
from cdp_typed.mock.flows.navigation import commit, depart, hold, perform_stage
from cdp_typed.mock.flows.requests import load_of_navigation, needs_request, request_document, wait_for_document
from cdp_typed.mock.flows.scripts import perform_job, settle_promises
from cdp_typed.mock.network import events
from cdp_typed.mock.page import downloads, links_and_inputs
from cdp_typed.mock.page.frames import leave_process
from cdp_typed.mock.runtime import bindings, debugger
from cdp_typed.mock.runtime.endless_scripts import ends_loop, escapes
from cdp_typed.mock.schema.json_samples import sample_result
from cdp_typed.mock.state.browser import Departure, Job, Navigation, Request, Session, Stage, State, Work
from cdp_typed.mock.state.error_texts import not_found
from cdp_typed.mock.state.messages import Message
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.target.attachment import detach, drop_sessions
from cdp_typed.mock.validate import check_params
from cdp_typed.schema import load_schema

__all__ = [
    "advance",
    "connect",
    "disconnect",
    "end_session",
    "handle",
    "next_due",
    "perform_all",
    "root_key",
    "version",
]

_HANDLERS: Final = {
    **target.HANDLERS,
    **page.HANDLERS,
    **runtime.HANDLERS,
    **bindings.HANDLERS,
    **links_and_inputs.HANDLERS,
    **storage.HANDLERS,
    **debugger.HANDLERS,
    **downloads.HANDLERS,
    **fetch.HANDLERS,
    **events.HANDLERS,
}
_ENABLERS: Final = {"enable": True, "disable": False}


def root_key(connection: int) -> str:
    """The key of a connection's own session, which has no id on the wire."""
    return f"connection {connection}"


def connect(state: State, connection: int, target: str | None = None) -> State:
    """A client connects: to the browser, or straight to a target."""
    key = root_key(connection)
    session = Session(key, connection, None, target, None)
    return replace(state, sessions={**state.sessions, key: session})


def disconnect(state: State, connection: int, now: float) -> tuple[State, tuple[Message, ...]]:
    """A client is gone, with all its sessions. Dialogs stay open, and what only it held goes on."""
    turn = Turn(state, now)
    mine = [session for session in state.sessions.values() if session.connection == connection]
    drop_sessions(turn, mine)
    dispose_owned(turn, connection)
    _resume_unheld(turn, state)
    return perform_all(turn)


def _resume_unheld(turn: Turn, before: State) -> None:
    for known in turn.state.targets.values():
        if known.type != "tab" and before.targets[known.id].waiting and not known.waiting:
            frame = turn.state.frames[known.id]
            turn.then(Stage(frame.id, frame.loader, "committing"))


def end_session(turn: Turn, session: Session) -> None:
    """The browser ends a session of its own accord."""
    before = turn.state
    detach(turn, session)
    _resume_unheld(turn, before)


def handle(state: State, request: Request, now: float) -> tuple[State, tuple[Message, ...]]:
    """One call: its answer if there is one already, with every event that it causes."""
    turn = Turn(state, now)
    session = state.sessions[request.session]
    command = load_schema().commands.get(request.method)
    target = state.targets.get(session.target or "")
    if command is None:
        turn.refuse(request, not_found(request.method))
        return turn.state, tuple(turn.out)
    no = refusal(session, target, request.method) or check_params(request.method, request.params)
    if no is not None:
        turn.refuse(request, no)
        return turn.state, tuple(turn.out)
    if request.method == "Page.enable":
        # The browser's half takes effect even while the renderer's half waits: measured by who hears of the end.
        _enable(turn, session, "Page", on=True)
    turn.then(request)
    return perform_all(turn)


def advance(state: State, now: float) -> tuple[State, tuple[Message, ...]]:
    """Time has passed: timers of pages that are due fire."""
    return perform_all(Turn(state, now))


def next_due(state: State) -> float | None:
    """When `advance` has something to do next; None if never."""
    free = [timer.due for timer in state.timers if not _is_stopped(state, timer.job)]
    return min(free, default=None)


def _is_stopped(state: State, job: Job) -> bool:
    frame = state.frames.get(job.frame)
    return frame is not None and bool(_blocked(Turn(state, 0), job))


def perform_all(turn: Turn) -> tuple[State, tuple[Message, ...]]:
    """Do everything that is to be done, and then what has become due by it."""
    while True:
        while not turn.state.dead:
            fetch.release_unheld(turn)
            debugger.release_unwatched(turn)
            settle_promises(turn)
            if not turn.todo:
                break
            _perform(turn, turn.todo.pop(0))
        due = [timer for timer in turn.state.timers if timer.due <= turn.now and not _blocked(turn, timer.job)]
        if not due or turn.state.dead:
            return turn.state, tuple(turn.out)
        first = min(due, key=lambda timer: timer.due)
        turn.state = replace(turn.state, timers=tuple(timer for timer in turn.state.timers if timer is not first))
        turn.then(first.job)


def _renderer(turn: Turn, work: Work) -> str | None:
    match work:
        case Request():
            session = turn.state.sessions.get(work.session)
            return None if session is None else needs_renderer(turn, session, work.method)
        case Stage(next="closing"):
            return None
        case Job() | Stage() | Navigation() | Departure():
            frame = turn.state.frames.get(work.frame)
            # A worker is let go by the browser: its thread may not have begun.
            free = frame is None or (frame.thread and isinstance(work, Stage) and work.next == "committing")
            return None if frame is None or free else turn.frame_process(frame)
        case _:
            assert_never(work)


def _blocked(turn: Turn, work: Work) -> str | None:
    key = _renderer(turn, work)
    if key is None:
        return None
    blocked = turn.process(key).blocked
    if blocked == "paused" and not (isinstance(work, Stage) or (isinstance(work, Job) and work.reply is None)):
        # The debugger stops the page's own scripts; clients go on.
        return None
    passes = isinstance(work, Request) and (ends_loop(turn, key, work.method) or _lets_go(turn, key, work.method))
    return key if blocked and not passes else None


def _lets_go(turn: Turn, key: str, method: str) -> bool:
    return method == "Runtime.runIfWaitingForDebugger" and turn.process(key).blocked == "starting"


def _perform(turn: Turn, work: Work) -> None:
    if isinstance(work, Navigation) and needs_request(turn, work):
        request_document(turn, work)
        return
    if isinstance(work, Request) and _waits_for_document(turn, work):
        return
    key = _blocked(turn, work)
    if key is not None:
        if isinstance(work, Navigation):
            leave_process(turn, work)
            work = hold(turn, work)
            if escapes(turn, work, key):
                commit(turn, work)
                return
        process = turn.process(key)
        turn.put_process(key, replace(process, queue=(*process.queue, work)))
        return
    match work:
        case Request():
            _answer(turn, work)
        case Job():
            perform_job(turn, work)
        case Stage():
            perform_stage(turn, work)
        case Navigation():
            commit(turn, work)
        case Departure():
            depart(turn, work)
        case _:
            assert_never(work)


def _waits_for_document(turn: Turn, request: Request) -> bool:
    session = turn.state.sessions.get(request.session)
    load = None if session is None else load_of_navigation(turn, session.target)
    if load is None or _renderer(turn, request) is None:
        return False
    wait_for_document(turn, load, request)
    return True


def _answer(turn: Turn, request: Request) -> None:
    session = turn.state.sessions.get(request.session)
    if session is None:
        return
    handler = _HANDLERS.get(request.method)
    if handler is not None:
        handler(turn, session, request)
        return
    domain, _, name = request.method.partition(".")
    if name in _ENABLERS:
        _enable(turn, session, domain, on=_ENABLERS[name])
    turn.reply(request, _versions(request.method) or sample_result(request.method))
    if request.method == "Browser.close":
        turn.crash()


def _enable(turn: Turn, session: Session, domain: str, *, on: bool) -> None:
    changed = session.enabled | {domain} if on else session.enabled - {domain}
    turn.put_session(replace(session, enabled=changed))
    if domain == "Page" and not on:
        turn.leave_dialogs(session.key)


def _versions(method: str) -> dict[str, Any] | None:
    return version() if method == "Browser.getVersion" else None


def version(chromium: int = 156) -> dict[str, str]:
    """What `Browser.getVersion` says: honest about not being Chrome, and about which one it is like."""
    return {
        "protocolVersion": "1.3",
        "product": f"MockChrome/{chromium}.0.0.0",
        "revision": "@0",
        "userAgent": "cdp_typed.mock",
        "jsVersion": f"{chromium // 10}.{chromium % 10}.0",
    }
