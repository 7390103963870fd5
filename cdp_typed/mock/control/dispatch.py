"""The fake browser as its clients see it: receives calls, delivers messages and advances timers, under one lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from cdp_typed.mock.control.call_log import CallLog, Received, RefusedCall
from cdp_typed.mock.control.faults import Outgoing, WireFrame, check_outgoing, outgoing_frames, to_json
from cdp_typed.mock.control.stubs import Action, Answer, Detach, Fault, Hang, Refuse, StubTable
from cdp_typed.mock.domains.switches import switch_domain
from cdp_typed.mock.engine import handle
from cdp_typed.mock.errors import NoSuchThing
from cdp_typed.mock.schema.command_messages import InvalidRequest, read_command
from cdp_typed.mock.site import Site
from cdp_typed.mock.state.browser_state import BrowserState, CDPSession, CommandCall, Target
from cdp_typed.mock.state.error_texts import Refusal, Text, is_of_the_mock
from cdp_typed.mock.state.messages import Hangup, Message
from cdp_typed.mock.state.step import Step


class DispatchingBrowser:
    """A browser without a tab. `deliver` receives its messages; its methods are thread-safe."""

    def __init__(self, site: Site, clock: Callable[[], float], *, samples: bool = False) -> None:
        self._lock = threading.RLock()
        self._clock = clock
        self._state = BrowserState(site, samples=samples)
        self._stubs = StubTable()
        self._call_log = CallLog()
        self._connections = 0
        self.sent: list[Outgoing] = []
        self.deliver: Callable[[Outgoing], None] = self.sent.append

    @property
    def state(self) -> BrowserState:
        """Return the browser as a frozen value."""
        return self._state

    @property
    def calls(self) -> tuple[Received, ...]:
        """Return every call so far, in order of arrival."""
        with self._lock:
            return self._call_log.calls

    @property
    def pending(self) -> tuple[Received, ...]:
        """Return the calls to which no readable reply was sent; they stay when their client disconnects."""
        with self._lock:
            return self._call_log.pending

    @property
    def refusals(self) -> tuple[RefusedCall, ...]:
        """Return the calls and scripts so far that the mock refused because it does not model them."""
        with self._lock:
            return self._call_log.refusals

    # -- connections ---------------------------------------------------------------------------------------------

    def connect(self, target: str | None = None) -> int:
        """Connect a client to the browser, or directly to a target. Raises `NoSuchThing`."""
        with self._lock:
            if target is not None:
                self._target(target)
            self._connections += 1
            self._state = handle.connect(self._state, self._connections, target)
            return self._connections

    def disconnect(self, connection: int) -> None:
        """Disconnect a client."""
        with self._lock:
            self._keep(handle.disconnect(self._state, connection, self._clock()))

    def receive(self, connection: int, text: str | bytes) -> None:
        """Handle a text frame of a client."""
        with self._lock:
            call = read_command(text)
            if isinstance(call, InvalidRequest):
                self._refuse(connection, call.id, call.refusal)
                if is_of_the_mock(call.refusal):
                    self._call_log.record_refusal("a message", call.refusal.message)
                return
            received = Received(connection, call.session, call.method, call.params)
            self._call_log.record(received)
            key = handle.root_key(connection) if call.session is None else call.session
            session = self._state.sessions.get(key)
            if session is None or session.connection != connection:
                self._refuse(connection, call.id, Text.NO_SESSION.value)
                return
            self._call_log.expect_reply(call.id, received)
            self._perform(CommandCall(key, call.id, call.method, call.params, call.params_kind), session)

    def _refuse(self, connection: int, number: int | None, words: Refusal) -> None:
        error = {"code": words.code, "message": words.message}
        identified = {} if number is None else {"id": number}
        self.deliver(WireFrame(connection, to_json({**identified, "error": error})))

    def _perform(self, call: CommandCall, session: CDPSession) -> None:
        self._stubs, action = self._stubs.next(call.method)
        match action:
            case None:
                pass
            case Hang():
                return
            case Detach():
                self.detach(session.key)
                return
            case Answer():
                result = action.result(call.params) if callable(action.result) else action.result
                step = Step(self._state, self._clock())
                if call.method not in handle.MODELLED:
                    switch_domain(step, session, call.method)
                step.reply(call, result)
                self._keep((step.state, tuple(step.out)))
                return
            case Refuse():
                step = Step(self._state, self._clock())
                step.refuse(call, action.refusal)
                self._keep((step.state, tuple(step.out)))
                return
            case _:
                self._call_log.set_fault(session.connection, call.id, session.session_id, action)
        self._keep(handle.handle(self._state, call, self._clock()))

    def _keep(self, result: tuple[BrowserState, Iterable[Message]]) -> None:
        state, messages = result
        outgoing = list(messages)
        for message in outgoing:
            check_outgoing(message)
        self._note_refusals(state)
        self._state = state
        for message in outgoing:
            for item in outgoing_frames(message, self._fault_of(message)):
                self.deliver(item)

    def _note_refusals(self, state: BrowserState) -> None:
        for refusal in state.refusals[len(self._state.refusals) :]:
            session = state.sessions.get(refusal.session)
            key = None if session is None else (session.connection, refusal.id, session.session_id)
            call = None if key is None else self._call_log.unanswered(key)
            what = "a script of the page" if call is None else f"{call.method} {call.params}"
            self._call_log.record_refusal(what, refusal.text)

    def _fault_of(self, message: Message) -> Fault | None:
        if isinstance(message, Hangup):
            return None
        if "id" in message.payload:
            return self._call_log.take_fault(message)
        self._stubs, action = self._stubs.next(message.payload["method"])
        return None if action is None else fault_of(action)

    # -- time ----------------------------------------------------------------------------------------------------

    @property
    def next_due(self) -> float | None:
        """Return when the next timer of a page is due, on the browser's clock."""
        with self._lock:
            return handle.next_due(self._state)

    def advance(self) -> None:
        """Fire the timers that are due."""
        with self._lock:
            self._keep(handle.advance(self._state, self._clock()))

    def detach(self, session: str) -> None:
        """Detach a session on the browser's own initiative."""
        with self._lock:
            attached = self._session(session)
            if attached.session_id is None:
                raise NoSuchThing("a connection's own session ends with the connection")
            step = Step(self._state, self._clock())
            handle.end_session(step, attached)
            self._keep(handle.perform_all(step))

    def _target(self, target: str) -> Target:
        if target not in self._state.targets:
            raise NoSuchThing(f"no target {target}; targets: {list(self._state.targets)}")
        return self._state.targets[target]

    def _session(self, session: str) -> CDPSession:
        if session not in self._state.sessions:
            raise NoSuchThing(f"no session {session}; sessions: {list(self._state.sessions)}")
        return self._state.sessions[session]


def fault_of(action: Action) -> Fault:
    """Return the action as a fault of a message. Raises `NoSuchThing` for actions that apply to commands only."""
    if isinstance(action, Answer | Refuse | Hang | Detach):
        raise NoSuchThing(f"{type(action).__name__} is for commands, and an event is none")
    return action
