"""Routing without I/O: calls in flight, replies to them, events, and the ends of sessions. Bytes in, values out.

    send(command) -> (call, bytes)      the caller writes the bytes
    receive(bytes) -> values            replies, failures, events, ends of sessions, in order
    cancel(id), lose(error)             calls that end without a reply

Ids are never used twice. Every call ends exactly once: with a `Reply`, with a `CallFailed`, or by `cancel`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Raw, Struct

from cdp_typed._base import Command
from cdp_typed.errors import (
    CDPError,
    CommandError,
    CommandTimeout,
    ConnectionLost,
    InvalidParams,
    MessageTooBig,
    MethodNotFound,
    SchemaMismatch,
    SessionDetached,
    SessionNotFound,
    TargetCrashed,
)
from cdp_typed.wire.counters import CounterSet
from cdp_typed.wire.decoding import REFUSED
from cdp_typed.wire.envelopes import (
    Envelope,
    MalformedMessage,
    ReadAhead,
    WholeEvent,
    decode_error,
    decode_message,
    decode_params,
    decode_reply,
    encode_call,
    leading_id,
)
from cdp_typed.wire.open_dialogs import DIALOG_EVENTS, OpenDialogs
from cdp_typed.wire.session_tree import SessionTree, announced, crashed_target, detached

MAX_OUTGOING = 64 * 2**20
"""Bytes of the largest command that is sent. Chromium 156 drops the whole connection at a message over 100 MB."""

LARGE_REPLY = 16 * 2**10
"""Bytes beyond which a reply is decoded together with its envelope, in four fifths of the time of two passes."""

MAX_MALFORMED_RUN = 100
"""The number of unreadable messages in a row that ends the connection: the other side does not speak CDP."""

# Chrome 64 replies to Target.attachToTarget, and then executes each command of the session on the browser itself.
_NOT_FLAT = (
    "; the browser answered in place of the session, so it has no flat sessions: connect to the page's websocket"
)

_TO_A_PAGE = "send the commands of {} to the session of a page: `browser.new_page()`, `browser.attach(target_id)`"
_OF_THE_BROWSER = frozenset({"Browser", "Extensions", "SystemInfo", "Target", "Tethering"})
"""Domains of the browser alone: what it lacks of these, a page has not either."""

_ERRORS: dict[int, type[CommandError]] = {-32601: MethodNotFound, -32602: InvalidParams, -32001: SessionNotFound}

_PAGE_EVENTS = ("Page.enable", "Page.disable")
_PIECE = ReadAhead.PIECE


class AnyResult(Struct, frozen=True):
    """The result of a method that the bindings need not know: any JSON object."""


class PendingCommand(Struct, frozen=True):
    """A command in flight."""

    id: int
    method: str
    session_id: str | None
    result: type[Struct] | None
    """The class of the result, `None` for a command without a result, `AnyResult` for plain JSON."""


class Reply(Struct, frozen=True):
    """A call succeeded."""

    call: PendingCommand
    raw: Raw
    """The result as JSON; empty if it is in `value`."""
    value: Struct | None = None
    """The result itself, where it was decoded together with the message."""


class CallFailed(Struct, frozen=True):
    """A call failed."""

    call: PendingCommand
    error: CDPError


class EventMessage(Struct, frozen=True, gc=False):
    """An event came."""

    method: str
    session_id: str | None
    raw: Raw | bytes
    """Its parameters as JSON, or, if `value` has them, the whole message."""
    value: Any = None
    """The parameters themselves, where they were decoded together with the message."""

    @property
    def params(self) -> Raw:
        """The parameters as JSON."""
        return self.raw if isinstance(self.raw, Raw) else decode_params(self.raw)


class SessionCrashed(Struct, frozen=True):
    """The target of a session crashed; the session stays, and a reload revives it."""

    session_id: str


class SessionEnded(Struct, frozen=True):
    """A session is gone for good."""

    session_id: str


class ProtocolWarning(Struct, frozen=True):
    """A protocol error of the browser, or an error that it reported, which belongs to no call."""

    text: str


class Broken(Struct, frozen=True):
    """The other side does not speak the protocol; the connection should be closed."""

    reason: str


Message: TypeAlias = Reply | CallFailed | EventMessage | SessionCrashed | SessionEnded | ProtocolWarning | Broken


class Router:
    """The calls in flight and the sessions of one connection."""

    def __init__(self, tally: CounterSet | None = None, *, at_browser: bool | None = None) -> None:
        self.at_browser: bool | None = at_browser
        """Whether the other end is a whole browser, where that is known: errors then name a remedy that fits it."""
        self.tally: CounterSet = tally or CounterSet()
        self._counts = self.tally.counts
        self.sessions: SessionTree = SessionTree()
        self.dialogs: OpenDialogs = OpenDialogs(self.sessions)
        self._last_id = 0
        self._pending: dict[int, PendingCommand] = {}
        self._malformed_run = 0
        self._lost: str | None = None
        self._routes: dict[str, Callable[[EventMessage], Iterator[Message]]] = {
            "Target.attachedToTarget": self._attached,
            "Target.detachedFromTarget": self._detached,
            "Target.targetCrashed": self._target_crashed,
            "Inspector.targetCrashed": self._session_crashed,
            "Inspector.targetReloadedAfterCrash": self._revived,
        }
        self.ahead: ReadAhead = ReadAhead(never=self._routes)
        """The events that are decoded together with their envelope."""
        self._readers = self.ahead.readers

    @property
    def pending(self) -> int:
        """The number of calls in flight."""
        return len(self._pending)

    def send(self, command: Command[Any], session_id: str | None) -> tuple[PendingCommand, bytes]:
        """Open a call; return it, with the bytes that must be written now.

        Raises `ConnectionLost`, `SessionDetached` or `MessageTooBig`; then no call was opened.
        """
        return self.open(command.METHOD, command, session_id, command.RESULT)

    def open(
        self, method: str, params: Any, session_id: str | None, result: type[Struct] | None
    ) -> tuple[PendingCommand, bytes]:
        """Open a call of any method; raises as `send`, and `TypeError` for parameters that JSON cannot represent."""
        if self._lost is not None:
            raise ConnectionLost(self._lost, method=method)
        if session_id is not None and self.sessions.is_over(session_id):
            raise SessionDetached(session_id, method=method)
        data = encode_call(self._last_id + 1, method, params, session_id)
        if len(data) > MAX_OUTGOING:
            raise MessageTooBig(method, size=len(data), limit=MAX_OUTGOING)
        self._last_id += 1
        call = PendingCommand(self._last_id, method, session_id, result)
        self._pending[call.id] = call
        return call, data

    def timeout(self, call: PendingCommand, seconds: float) -> CommandTimeout:
        """Return the error for a call without a reply; it names the dialog that may be the cause."""
        hint = self.dialogs.hint(call.session_id, call.method, at_page=self.at_browser is False)
        return CommandTimeout(call.method, session=call.session_id, timeout=seconds, hint=hint)

    def cancel(self, call_id: int) -> bool:
        """Forget a call that timed out or was cancelled; return True if it was still in flight."""
        return self._pending.pop(call_id, None) is not None

    def lose(self, reason: str) -> list[CallFailed]:
        """End the router with its connection: return the failures of all calls in flight, and refuse new calls."""
        if self._lost is None:
            self._lost = reason
        return [CallFailed(call, ConnectionLost(reason, method=call.method)) for call in self._take(self._pending)]

    def read_ahead(self, data: bytes) -> WholeEvent[str, Any] | None:
        """Read one message as an event of `ahead`, with its parameters; `receive` reads what this returns None for.

        One function without calls, because nearly every message takes this path.
        """
        read = self._readers.get(data[_PIECE])
        if read is None:
            return None
        try:
            whole = read(data)
        except REFUSED:
            return None
        self._malformed_run = 0
        counts = self._counts
        counts["messages"] += 1
        counts["events"] += 1
        if whole.method in DIALOG_EVENTS:
            self.dialogs.events.append((whole.session_id, whole.method, whole.params))
        return whole

    def receive(self, data: bytes) -> list[Message]:
        """Read one message of the browser and return what happened, in order. Never raises."""
        whole = self.read_ahead(data)
        if whole is not None:
            return [EventMessage(whole.method, whole.session_id, data, whole.params)]
        self._counts["messages"] += 1
        if len(data) > LARGE_REPLY:
            large = self._large_reply(data)
            if large is not None:
                return [large]
        envelope = decode_message(data)
        # `isinstance` of the class that is expected is quick; of any other struct it goes through `ABCMeta`.
        if not isinstance(envelope, Envelope):
            return self._malformed(envelope)
        call_id, method = envelope.id, envelope.method
        if call_id is None and method is None and not envelope.error:
            return self._malformed(MalformedMessage("neither a reply nor an event", None))
        self._malformed_run = 0
        if call_id is not None:
            return self._reply(call_id, envelope)
        if method is None:
            return self._warning(envelope)
        self._counts["events"] += 1
        if method in DIALOG_EVENTS:
            self.dialogs.events.append((envelope.session_id, method, envelope.params))
        event = EventMessage(method, envelope.session_id, envelope.params)
        route = self._routes.get(method)
        return [event] if route is None else list(route(event))

    def _large_reply(self, data: bytes) -> Reply | None:
        call = self._pending.get(leading_id(data) or 0)
        if call is None or call.result is None or call.result is AnyResult:
            return None
        value = decode_reply(data, call.id, call.result)
        if value is None:
            return None
        del self._pending[call.id]
        self._malformed_run = 0
        self._counts["replies"] += 1
        return Reply(call, Raw(), value)

    def _reply(self, call_id: int, envelope: Envelope) -> list[Message]:
        call = self._pending.pop(call_id, None)
        if call is None:
            # Ids go up by one, so a call with an id up to the last one that is not pending has ended before.
            self.tally.add("late_replies" if 0 < call_id <= self._last_id else "unknown_ids")
            return []
        self._counts["replies"] += 1
        if not envelope.error or bytes(envelope.error) == b"null":
            if call.method in _PAGE_EVENTS:
                self.dialogs.enabled(call.session_id, on=call.method == "Page.enable")
            return [Reply(call, envelope.result)]
        body = decode_error(envelope.error)
        kind = _ERRORS.get(body.code, CommandError)
        hint = self._remedy(call, envelope) if kind is MethodNotFound else ""
        error = kind(body.code, body.message, body.data, method=call.method, session=call.session_id, hint=hint)
        failure = CallFailed(call, error)
        if kind is SessionNotFound and call.session_id is not None and self.sessions.get(call.session_id):
            # The `Target.detachedFromTarget` was lost, and no other call on the session will ever be answered.
            return [failure, *self._end_session(call.session_id)]
        return [failure]

    def _remedy(self, call: PendingCommand, envelope: Envelope) -> str:
        if call.session_id is not None:
            return "" if envelope.session_id else _NOT_FLAT
        from cdp_typed.protocol import registry  # as in `Subscriptions`

        domain = call.method.partition(".")[0]
        if call.method not in registry.COMMANDS or domain in _OF_THE_BROWSER or self.at_browser is False:
            return ""
        where = "this went to the browser itself" if self.at_browser else "if this went to a browser"
        return f"; {where}, {_TO_A_PAGE.format(domain)}"

    def _warning(self, envelope: Envelope) -> list[Message]:
        self.tally.add("warnings")
        body = decode_error(envelope.error)
        return [ProtocolWarning(f"the browser reported an error without an id: {body.message} [{body.code}]")]

    def _malformed(self, broken: MalformedMessage) -> list[Message]:
        self.tally.add("malformed")
        self._malformed_run += 1
        messages: list[Message] = [ProtocolWarning(f"unreadable message: {broken.reason}")]
        call = self._pending.pop(broken.id, None) if broken.id is not None else None
        if call is not None:
            messages.append(CallFailed(call, SchemaMismatch(f"{call.method}: unreadable reply: {broken.reason}")))
        if self._malformed_run >= MAX_MALFORMED_RUN:
            messages.append(Broken(f"{self._malformed_run} unreadable messages in a row"))
        return messages

    def _attached(self, event: EventMessage) -> Iterator[Message]:
        news = announced(event.params)
        if news is not None:
            self.sessions.add(news, parent_id=event.session_id)
        yield event

    def _detached(self, event: EventMessage) -> Iterator[Message]:
        yield event
        session_id = detached(event.params)
        if session_id is not None:
            yield from self._end_session(session_id)

    def _end_session(self, session_id: str) -> Iterator[Message]:
        for gone in self.sessions.remove(session_id):
            self.dialogs.gone(gone)
            self.dialogs.enabled(gone, on=False)
            yield from self._fail(gone, SessionDetached)
            yield SessionEnded(gone)

    def _session_crashed(self, event: EventMessage) -> Iterator[Message]:
        yield event
        if event.session_id is not None:
            yield from self._crash([event.session_id])

    def _target_crashed(self, event: EventMessage) -> Iterator[Message]:
        yield event
        yield from self._crash(self.sessions.of_target(crashed_target(event.params)))

    def _crash(self, session_ids: Iterable[str]) -> Iterator[Message]:
        # A crash is announced twice (Inspector.targetCrashed, Target.targetCrashed); the second event must not fail
        # a call, such as Page.reload, that was made since the first.
        for session_id in self.sessions.mark_crashed(session_ids):
            self.dialogs.gone(session_id)
            yield from self._fail(session_id, TargetCrashed)
            yield SessionCrashed(session_id)

    def _revived(self, event: EventMessage) -> Iterator[Message]:
        if event.session_id is not None:
            self.sessions.mark_revived(event.session_id)
        yield event

    def _fail(self, session_id: str, error: type[SessionDetached] | type[TargetCrashed]) -> list[CallFailed]:
        calls = self._take(call_id for call_id, call in self._pending.items() if call.session_id == session_id)
        return [CallFailed(call, error(session_id, method=call.method)) for call in calls]

    def _take(self, call_ids: Iterable[int]) -> list[PendingCommand]:
        return [self._pending.pop(call_id) for call_id in list(call_ids)]
