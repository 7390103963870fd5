"""`Channel`: sending commands and listening to events, the common base of `Connection` and `Session`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

from cdp_typed._base import Command, Event
from cdp_typed.client.argument_checks import check_callback, check_events
from cdp_typed.client.dispatcher import DEFAULT, Dispatcher, Timeout
from cdp_typed.client.streams import MAX_EVENTS, EventStream, Expectation, Overflow
from cdp_typed.client.subscriptions import ALL, Deliver, Fail, SessionFilter, Subscription
from cdp_typed.wire.counters import CounterSet

R = TypeVar("R")
R1 = TypeVar("R1")
R2 = TypeVar("R2")
R3 = TypeVar("R3")
R4 = TypeVar("R4")
R5 = TypeVar("R5")
R6 = TypeVar("R6")
R7 = TypeVar("R7")
R8 = TypeVar("R8")
E = TypeVar("E", bound=Event)
E1 = TypeVar("E1", bound=Event)
E2 = TypeVar("E2", bound=Event)
E3 = TypeVar("E3", bound=Event)
E4 = TypeVar("E4", bound=Event)
E5 = TypeVar("E5", bound=Event)
E6 = TypeVar("E6", bound=Event)
E7 = TypeVar("E7", bound=Event)
E8 = TypeVar("E8", bound=Event)


class Channel:
    """Sends commands to one session, and receives the events of one session or of all."""

    def __init__(self, dispatcher: Dispatcher, *, session_id: str | None, events_of: SessionFilter) -> None:
        self._dispatcher = dispatcher
        self._session_id = session_id
        self._events_of: SessionFilter = events_of

    @property
    def tally(self) -> CounterSet:
        """The connection's counters, for code that is built on a channel."""
        return self._dispatcher.router.tally

    async def send(self, command: Command[R], *, timeout: Timeout = DEFAULT) -> R:
        """Send a command and wait for its result; `timeout` in seconds, `None` for no deadline.

        Raises `CommandError` (or its kinds `MethodNotFound`, `InvalidParams`, `SessionNotFound`) for an error reply;
        `CommandTimeout` at the deadline; `SessionDetached`, `TargetCrashed` or `ConnectionLost` at once when no reply
        can come any more; `MessageTooBig` before anything is sent; `SchemaMismatch` for a result that cannot be
        delivered (with `strict`: that differs from the bindings). No call stays pending after any of them.
        """
        return await self._dispatcher.call(command, self._session_id, timeout)

    def send_nowait(self, command: Command[R], *, timeout: Timeout = DEFAULT) -> asyncio.Future[R]:
        """Send a command now and return the future of its result; the future need not be awaited.

        Commands reach the browser in the order of these calls, and futures end in the order of the replies. The future
        fails as `send` does, also where nothing could be sent; a failure that is never retrieved is not reported.
        """
        return self._dispatcher.call(command, self._session_id, timeout)

    @overload
    async def send_many(
        self, commands: tuple[Command[R1], Command[R2]], *, timeout: Timeout = ...
    ) -> tuple[R1, R2]: ...
    @overload
    async def send_many(
        self, commands: tuple[Command[R1], Command[R2], Command[R3]], *, timeout: Timeout = ...
    ) -> tuple[R1, R2, R3]: ...
    @overload
    async def send_many(
        self, commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4]], *, timeout: Timeout = ...
    ) -> tuple[R1, R2, R3, R4]: ...
    @overload
    async def send_many(
        self,
        commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4], Command[R5]],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5]: ...
    @overload
    async def send_many(
        self,
        commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4], Command[R5], Command[R6]],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5, R6]: ...
    @overload
    async def send_many(
        self,
        commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4], Command[R5], Command[R6], Command[R7]],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5, R6, R7]: ...
    @overload
    async def send_many(
        self,
        commands: tuple[
            Command[R1], Command[R2], Command[R3], Command[R4], Command[R5], Command[R6], Command[R7], Command[R8]
        ],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5, R6, R7, R8]: ...
    @overload
    async def send_many(
        self,
        commands: tuple[
            Command[R1],
            Command[R2],
            Command[R3],
            Command[R4],
            Command[R5],
            Command[R6],
            Command[R7],
            Command[R8],
            *tuple[Command[R], ...],
        ],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5, R6, R7, R8, *tuple[R, ...]]: ...
    @overload
    async def send_many(self, commands: Iterable[Command[R]], *, timeout: Timeout = ...) -> tuple[R, ...]: ...
    async def send_many(self, commands: Iterable[Command[Any]], *, timeout: Timeout = DEFAULT) -> tuple[Any, ...]:
        """Send several commands with one write, and return all results in the order of the commands.

        `timeout` is the deadline of each. Raises, as `send` does, for the first command that fails; the others were
        sent all the same, but their replies are ignored. A tuple of commands is typed result by result: each of the
        first eight has its own type, and the further ones the type that they have in common.
        """
        futures = self._dispatcher.call_many(commands, self._session_id, timeout)
        try:
            return tuple(await asyncio.gather(*futures))
        finally:
            for future in futures:
                future.cancel()

    async def send_raw(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: Timeout = DEFAULT
    ) -> dict[str, Any]:
        """Send any method, for example one that the bindings do not know, and return its result as plain JSON.

        Raises as `send` does, and `TypeError` for parameters that JSON cannot represent.
        """
        return await self._dispatcher.call_any(method, params or {}, self._session_id, timeout)

    @overload
    def listen(self, callback: Callable[[str | None, Event], object], /) -> Subscription: ...
    # Pyright solves the next overload for any number of types. Mypy joins the types to `Event` there, and uses the
    # overloads below, where each type has its own variable.
    @overload
    def listen(self, callback: Callable[[str | None, E], object], t1: type[E], /, *types: type[E]) -> Subscription: ...
    @overload
    def listen(
        self, callback: Callable[[str | None, E1 | E2], object], t1: type[E1], t2: type[E2], /
    ) -> Subscription: ...
    @overload
    def listen(
        self, callback: Callable[[str | None, E1 | E2 | E3], object], t1: type[E1], t2: type[E2], t3: type[E3], /
    ) -> Subscription: ...
    @overload
    def listen(
        self,
        callback: Callable[[str | None, E1 | E2 | E3 | E4], object],
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        /,
    ) -> Subscription: ...
    @overload
    def listen(
        self,
        callback: Callable[[str | None, E1 | E2 | E3 | E4 | E5], object],
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        /,
    ) -> Subscription: ...
    @overload
    def listen(
        self,
        callback: Callable[[str | None, E1 | E2 | E3 | E4 | E5 | E6], object],
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        t6: type[E6],
        /,
    ) -> Subscription: ...
    @overload
    def listen(
        self,
        callback: Callable[[str | None, E1 | E2 | E3 | E4 | E5 | E6 | E7], object],
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        t6: type[E6],
        t7: type[E7],
        /,
    ) -> Subscription: ...
    @overload
    def listen(
        self,
        callback: Callable[[str | None, E1 | E2 | E3 | E4 | E5 | E6 | E7 | E8], object],
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        t6: type[E6],
        t7: type[E7],
        t8: type[E8],
        /,
    ) -> Subscription: ...
    def listen(self, callback: Callable[[str | None, Any], object], /, *types: type[Event]) -> Subscription:
        """Call `callback(session_id, event)` for each event of `types` (of any type if there are none), in wire order.

        It is called from the reader, so it must be quick. An async callback may await commands: each event gets a
        separate task, which is cancelled when the connection ends. Exceptions of a callback are logged once and then
        counted. Raises `SessionDetached` or `ConnectionLost` after the end of the session or connection.
        """
        check_callback(callback)
        check_events("listen", types)
        return self._dispatcher.subscribe(types, self._events_of, callback)

    @overload
    def events(self, t1: type[E1], /, *, maxsize: int = ..., overflow: Overflow = ...) -> EventStream[E1]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], /, *, maxsize: int = ..., overflow: Overflow = ...
    ) -> EventStream[E1 | E2]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], t3: type[E3], /, *, maxsize: int = ..., overflow: Overflow = ...
    ) -> EventStream[E1 | E2 | E3]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], t3: type[E3], t4: type[E4], /, *, maxsize: int = ..., overflow: Overflow = ...
    ) -> EventStream[E1 | E2 | E3 | E4]: ...
    @overload
    def events(
        self,
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        /,
        *,
        maxsize: int = ...,
        overflow: Overflow = ...,
    ) -> EventStream[E1 | E2 | E3 | E4 | E5]: ...
    @overload
    def events(
        self,
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        t6: type[E6],
        /,
        *,
        maxsize: int = ...,
        overflow: Overflow = ...,
    ) -> EventStream[E1 | E2 | E3 | E4 | E5 | E6]: ...
    @overload
    def events(
        self,
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        t6: type[E6],
        t7: type[E7],
        /,
        *,
        maxsize: int = ...,
        overflow: Overflow = ...,
    ) -> EventStream[E1 | E2 | E3 | E4 | E5 | E6 | E7]: ...
    @overload
    def events(
        self,
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        t6: type[E6],
        t7: type[E7],
        t8: type[E8],
        /,
        *,
        maxsize: int = ...,
        overflow: Overflow = ...,
    ) -> EventStream[E1 | E2 | E3 | E4 | E5 | E6 | E7 | E8]: ...
    # For any number of types; of those beyond eight, mypy knows that they are an `Event`.
    @overload
    def events(
        self,
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        t5: type[E5],
        t6: type[E6],
        t7: type[E7],
        t8: type[E8],
        /,
        *types: type[E],
        maxsize: int = ...,
        overflow: Overflow = ...,
    ) -> EventStream[E1 | E2 | E3 | E4 | E5 | E6 | E7 | E8 | E]: ...
    @overload
    def events(self, *types: type[Event], maxsize: int = ..., overflow: Overflow = ...) -> EventStream[Event]: ...
    def events(
        self, *types: type[Event], maxsize: int = MAX_EVENTS, overflow: Overflow = "drop_oldest"
    ) -> EventStream[Any]:
        """Return one ordered stream over several event types, or over all if none is given.

        Enter it, then enable the domain, then iterate. It holds `maxsize` events for a slow consumer; `overflow` says
        what happens to further events (see `EventStream`).
        """
        check_events("events", types)
        return EventStream(
            self._subscriber(types),
            name=", ".join(event_type.METHOD for event_type in types) or "any event",
            maxsize=maxsize,
            overflow=overflow,
            tally=self.tally,
            dialog=self._dialog,
        )

    def expect(
        self, kind: type[E], predicate: Callable[[E], bool] | None = None, *, timeout: Timeout = DEFAULT
    ) -> Expectation[E]:
        """Expect one event of `kind` (for which `predicate` holds) during an `async with` block.

        The deadline in seconds runs from entering the block. Errors are those of `Expectation`.
        """
        check_events("expect", (kind,))
        return Expectation(
            self._subscriber((kind,)),
            predicate,
            method=kind.METHOD,
            session_id=None if self._events_of is ALL else self._events_of,
            timeout=self._dispatcher.seconds(timeout),
            dialog=self._dialog,
        )

    def _dialog(self) -> str:
        return self._dispatcher.router.dialogs.shown(self._session_id)

    def _subscriber(self, types: tuple[type[Event], ...]) -> Callable[[Deliver, Fail], Subscription]:
        return lambda deliver, fail: self._dispatcher.subscribe(types, self._events_of, deliver, fail)
