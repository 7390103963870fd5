"""What a connection and a session have in common: commands to send, events to hear."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar, overload

from cdp_typed._base import Command, Event
from cdp_typed.link import DEFAULT, Link, Timeout
from cdp_typed.streams import MAX_EVENTS, EventStream, Expectation
from cdp_typed.subscriptions import ALL, Deliver, Fail, SessionFilter, Subscription

__all__ = ["Channel"]

R = TypeVar("R")
E = TypeVar("E", bound=Event)
E1 = TypeVar("E1", bound=Event)
E2 = TypeVar("E2", bound=Event)
E3 = TypeVar("E3", bound=Event)
E4 = TypeVar("E4", bound=Event)


class Channel:
    """A place to send commands to and hear events from."""

    def __init__(self, link: Link, *, session_id: str | None, hears: SessionFilter) -> None:
        self._link = link
        self._session_id = session_id
        self._hears: SessionFilter = hears

    async def send(self, command: Command[R], *, timeout: Timeout = DEFAULT) -> R:
        """Send a command and wait for its result; `timeout` in seconds, `None` for no deadline.

        Raises `CommandError` (or its kinds `MethodNotFound`, `InvalidParams`, `SessionNotFound`) when the browser
        says no; `CommandTimeout` at the deadline; `SessionDetached`, `TargetCrashed` or `ConnectionLost` at once when
        no answer can come any more; `MessageTooBig` before anything is sent; `SchemaMismatch` for a result that cannot
        be delivered (with `strict`: that differs from the bindings). Nothing stays pending after any of them.
        """
        return await self._link.call(command, self._session_id, timeout)

    def send_nowait(self, command: Command[R], *, timeout: Timeout = DEFAULT) -> asyncio.Future[R]:
        """Send a command now and return the future of its result; nothing has to be awaited.

        Commands reach the browser in the order of these calls, and futures end in the order of the replies. The future
        fails as `send` does, also where nothing could be sent; a failure that nobody asks for is not reported.
        """
        return self._link.call(command, self._session_id, timeout)

    @overload
    def listen(self, callback: Callable[[str | None, Event], object], /) -> Subscription: ...
    # Pyright solves the next overload for any number of types. Mypy joins the types to `Event` there, and takes the
    # ones below, where each type has a variable of its own.
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
    def listen(self, callback: Callable[[str | None, Any], object], /, *types: type[Event]) -> Subscription:
        """Call `callback(session_id, event)` for each event of `types` (of any type if there are none), in wire order.

        It is called from the reader, so it must be quick and cannot await; it may start tasks that do. What it raises
        is logged once and then counted. Raises `SessionDetached` or `ConnectionLost` where nothing can come any more.
        """
        return self._link.subscribe(types, self._hears, callback)

    @overload
    def events(self, t1: type[E1], /, *, max_events: int = ...) -> EventStream[E1]: ...
    @overload
    def events(self, t1: type[E1], t2: type[E2], /, *, max_events: int = ...) -> EventStream[E1 | E2]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], t3: type[E3], /, *, max_events: int = ...
    ) -> EventStream[E1 | E2 | E3]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], t3: type[E3], t4: type[E4], /, *, max_events: int = ...
    ) -> EventStream[E1 | E2 | E3 | E4]: ...
    @overload
    def events(self, *types: type[Event], max_events: int = ...) -> EventStream[Event]: ...
    def events(self, *types: type[Event], max_events: int = MAX_EVENTS) -> EventStream[Any]:
        """One ordered stream over several event types, or over all if none is given.

        Enter it, then enable the domain, then iterate. It holds `max_events` events for a slow consumer, drops the
        oldest beyond that, and counts them (`EventStream.dropped`).
        """
        return EventStream(self._subscriber(types), max_events=max_events, tally=self._link.router.tally)

    def expect(
        self, kind: type[E], predicate: Callable[[E], bool] | None = None, *, timeout: Timeout = DEFAULT
    ) -> Expectation[E]:
        """Expect one event of `kind` (for which `predicate` holds) during an `async with` block.

        The deadline in seconds runs from entering the block. See `Expectation` for what it raises.
        """
        return Expectation(
            self._subscriber((kind,)),
            predicate,
            method=kind.METHOD,
            session_id=None if self._hears is ALL else self._hears,
            timeout=self._link.seconds(timeout),
        )

    def _subscriber(self, types: tuple[type[Event], ...]) -> Callable[[Deliver, Fail], Subscription]:
        return lambda deliver, fail: self._link.subscribe(types, self._hears, deliver, fail)
