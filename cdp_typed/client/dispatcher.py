"""One open transport with its reader task: futures of calls, delivery of events, and the end of the connection."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from threading import get_ident
from typing import Any, Final, Literal, TypeAlias, TypeVar, assert_never

from msgspec import Struct

from cdp_typed._base import Command, Event
from cdp_typed.addresses import EndpointKind
from cdp_typed.client.argument_checks import check_commands, not_a_command, require_event_loop
from cdp_typed.client.subscriptions import Deliver, Fail, SessionFilter, Subscription, Subscriptions
from cdp_typed.errors import CalledFromOtherThread, CDPError, ConnectionLost, SessionDetached
from cdp_typed.printable import visible
from cdp_typed.recording.taps import Taps
from cdp_typed.transport import ReceivesMany, SendsMany, Transport, TransportClosed
from cdp_typed.wire.counters import Counters
from cdp_typed.wire.decoding import SchemaDrift, decode, decode_any
from cdp_typed.wire.router import (
    AnyResult,
    Broken,
    CallFailed,
    EventMessage,
    PendingCommand,
    ProtocolWarning,
    Reply,
    Router,
    SessionCrashed,
    SessionEnded,
)

R = TypeVar("R")

_log = logging.getLogger("cdp_typed")

MAX_DRIFT = 1_000
"""The number of `SchemaDrift` records that are kept, the latest ones."""
MAX_WARNINGS = 100
"""The number of protocol warnings that are kept, the latest ones."""


class _Default(Enum):
    DEFAULT = "the connection's own"


DEFAULT: Final = _Default.DEFAULT
"""Means the deadline given to `connect`."""

Timeout: TypeAlias = float | Literal[_Default.DEFAULT] | None
"""Seconds, `None` for no deadline, or `DEFAULT`."""


class Dispatcher:
    """Sends calls and dispatches incoming messages for `Connection` and `Session`; made inside a running event loop."""

    def __init__(
        self,
        transport: Transport,
        *,
        command_timeout: float | None,
        strict: bool,
        kind: EndpointKind | None = None,
    ) -> None:
        require_event_loop()
        self.router: Router = Router(at_browser=None if kind is None else kind == "browser")
        self.drift: deque[SchemaDrift] = deque(maxlen=MAX_DRIFT)
        self.warnings: deque[str] = deque(maxlen=MAX_WARNINGS)
        self.subscriptions: Subscriptions = Subscriptions(
            self.router.tally, self.record_drift, self.router.ahead, strict=strict
        )
        self.taps: Taps = Taps(self.router.tally)
        self.auto_attaching: set[str] = set()
        """The sessions whose `Target.setAutoAttach` is on."""
        self._transport = transport
        self._batches = transport if isinstance(transport, ReceivesMany) else None
        self._command_timeout = command_timeout
        self._strict = strict
        self._loop = asyncio.get_running_loop()
        self._thread = get_ident()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self.lost: asyncio.Future[ConnectionLost] = self._loop.create_future()
        self._reader = self._loop.create_task(self._read(), name="cdp_typed reader")

    @property
    def counters(self) -> Counters:
        return self.router.tally.snapshot()

    def seconds(self, timeout: Timeout) -> float | None:
        """Return the deadline that `timeout` means."""
        return self._command_timeout if timeout is DEFAULT else timeout

    def call(self, command: Command[R], session_id: str | None, timeout: Timeout) -> asyncio.Future[R]:
        """Write a command now; the future ends with its result, or with a `CDPError`."""
        future, data = self._open_command(command, session_id, timeout)
        self._write(data)
        return future

    def call_any(
        self, method: str, params: Mapping[str, Any], session_id: str | None, timeout: Timeout
    ) -> asyncio.Future[dict[str, Any]]:
        """Write a call of any method now; the result of the future is plain JSON."""
        future, data = self._open(method, params, session_id, AnyResult, timeout)
        self._write(data)
        return future

    def call_many(
        self, commands: Iterable[Command[Any]], session_id: str | None, timeout: Timeout
    ) -> list[asyncio.Future[Any]]:
        """Write several commands at once. A command that cannot be written as JSON raises, and none is written."""
        check_commands(commands)
        futures: list[asyncio.Future[Any]] = []
        messages: list[bytes] = []
        try:
            for command in commands:
                future, data = self._open_command(command, session_id, timeout)
                futures.append(future)
                messages.extend(data)
        except BaseException:
            for future in futures:
                future.cancel()
            raise
        self._write(messages)
        return futures

    def _open_command(
        self, command: Command[Any], session_id: str | None, timeout: Timeout
    ) -> tuple[asyncio.Future[Any], list[bytes]]:
        try:
            return self._open(command.METHOD, command, session_id, command.RESULT, timeout)
        except (AttributeError, TypeError) as error:
            raise not_a_command(command) or error from None

    def _open(
        self, method: str, params: Any, session_id: str | None, result: type[Struct] | None, timeout: Timeout
    ) -> tuple[asyncio.Future[Any], list[bytes]]:
        # Returns the future of the call with the messages to be written: none where the call failed at once.
        self._require_own_thread()
        future: asyncio.Future[Any] = self._loop.create_future()
        try:
            call, data = self.router.open(method, params, session_id, result)
        except CDPError as error:
            _fail(future, error)
            return future, []
        seconds = self.seconds(timeout)
        timer = None if seconds is None else self._loop.call_later(seconds, self._expire, call, seconds)
        self._waiting[call.id] = future
        future.add_done_callback(partial(self._forget, call.id, timer))
        return future, [data]

    def _write(self, messages: list[bytes]) -> None:
        if len(messages) > 1 and isinstance(self._transport, SendsMany):
            self._transport.send_many(messages)
        else:
            for data in messages:
                self._transport.send(data)
        if self.taps.open:
            for data in messages:
                self.taps.tell("sent", data)

    def subscribe(
        self, types: Iterable[type[Event]], session_id: SessionFilter, deliver: Deliver, fail: Fail | None = None
    ) -> Subscription:
        """Listen (see `Subscriptions.add`). Raises `ConnectionLost` or `SessionDetached` after the end of either."""
        self._require_own_thread()
        if self.lost.done():
            raise ConnectionLost(self.lost.result().reason)
        if isinstance(session_id, str) and self.router.sessions.is_over(session_id):
            raise SessionDetached(session_id)
        return self.subscriptions.add(types, session_id, deliver, fail)

    def _require_own_thread(self) -> None:
        if get_ident() != self._thread:
            raise CalledFromOtherThread

    async def close(self) -> None:
        """Close the transport; every call and wait has failed when this returns."""
        self._require_own_thread()
        self.subscriptions.closing()
        await self._transport.close()
        await self.wait_closed()

    async def wait_closed(self) -> None:
        """Wait until the transport has ended, for any reason."""
        await asyncio.wait([self._reader])

    async def _read(self) -> None:
        # Decodes and delivers; it awaits nothing but the transport.
        closed = TransportClosed("the event loop gave the connection up")
        try:
            while True:
                for data in await self._arrived():
                    self._receive(data)
        except TransportClosed as end:
            closed = end
        finally:
            self._lose(closed)
            await self._transport.close()

    async def _arrived(self) -> Sequence[bytes]:
        if self._batches is not None:
            return await self._batches.receive_many()
        return [await self._transport.receive()]

    def _receive(self, data: bytes) -> None:
        if self.taps.open:
            self.taps.tell("received", data)
        whole = self.router.read_ahead(data)
        if whole is not None:
            try:
                self.subscriptions.publish_whole(whole, data)
            except Exception:  # a bug in this library ends no connection
                _log.exception("internal error while handling a message of the browser")
            return
        for message in self.router.receive(data):
            try:
                if isinstance(message, EventMessage):
                    self.subscriptions.publish(message)
                else:
                    self._handle(message)
            except TransportClosed:
                raise
            except Exception:
                # Only a bug of this library gets here; not even that may end the connection.
                _log.exception("internal error while handling a message of the browser")

    def _handle(self, message: Reply | CallFailed | SessionCrashed | SessionEnded | ProtocolWarning | Broken) -> None:
        match message:
            case Reply():
                self._resolve(message)
            case CallFailed():
                self._end(message.call, message.error)
            case SessionCrashed():
                self.subscriptions.crash(message.session_id)
            case SessionEnded():
                self.subscriptions.end(message.session_id)
            case ProtocolWarning():
                self.warnings.append(message.text)
                _log.debug("%s", visible(message.text))
            case Broken():
                raise TransportClosed(message.reason)
            case _:
                assert_never(message)

    def _resolve(self, reply: Reply) -> None:
        future = self._waiting.pop(reply.call.id)
        if future.done():  # cancelled a moment ago
            return
        result: Any = reply.value
        kind, method = reply.call.result, reply.call.method
        if kind is not None and result is None:
            try:
                if kind is AnyResult:
                    result = decode_any(reply.raw, method=method)
                else:
                    result = decode(kind, reply.raw, method=method, drift=self.record_drift, strict=self._strict)
            except Exception as error:  # raised at the caller, because it must not end the reader
                _fail(future, error)
                return
        future.set_result(result)

    def _end(self, call: PendingCommand, error: CDPError) -> None:
        _fail(self._waiting.pop(call.id), error)

    def _expire(self, call: PendingCommand, seconds: float) -> None:
        # The reply may have come in this very turn of the loop, before the timer could be stopped.
        if self.router.cancel(call.id):
            self._end(call, self.router.timeout(call, seconds))

    def _forget(self, call_id: int, timer: asyncio.TimerHandle | None, future: asyncio.Future[Any]) -> None:
        if timer is not None:
            timer.cancel()
        if future.cancelled():
            self.router.cancel(call_id)
            self._waiting.pop(call_id, None)

    def _lose(self, closed: TransportClosed) -> None:
        for failure in self.router.lose(closed.reason):
            failure.error.__cause__ = closed.__cause__
            self._end(failure.call, failure.error)
        self.subscriptions.lose(closed.reason, closed.__cause__)
        if not self.lost.done():
            lost = ConnectionLost(closed.reason)
            lost.__cause__ = closed.__cause__
            self.lost.set_result(lost)

    def record_drift(self, drift: SchemaDrift) -> None:
        """Keep and count one difference from the bindings."""
        self.drift.append(drift)
        self.router.tally.add("drift")


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        # Retrieved, so that asyncio logs nothing for a caller that does not wait for the reply.
        future.exception()
