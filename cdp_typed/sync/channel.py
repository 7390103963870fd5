"""`SyncChannel`: sending commands and listening to events, the common base of blocking connections and sessions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar, overload

from cdp_typed._base import Command, Event
from cdp_typed.client.channel import E1, E2, E3, E4, E5, E6, E7, E8, R1, R2, R3, R4, R5, R6, R7, R8, Channel
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.streams import MAX_EVENTS, Overflow
from cdp_typed.sync.loop_calls import start, wait
from cdp_typed.sync.streams import SyncEventStream, SyncExpectation
from cdp_typed.sync.subscriptions import SyncSubscription, listen_on_a_thread

R = TypeVar("R")
T = TypeVar("T")
E = TypeVar("E", bound=Event)


class SyncChannel:
    """`Channel`, blocking. Deadlines, order and errors are those of the async method of the same name.

    Safe to use from several threads. Every method raises `CalledFromLoopThread` on a thread that runs an event loop,
    which it would block: use the async client there.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def send(self, command: Command[R], *, timeout: Timeout = DEFAULT) -> R:
        """See `Channel.send`."""
        return wait(self._channel.send(command, timeout=timeout))

    def send_nowait(self, command: Command[R], *, timeout: Timeout = DEFAULT) -> Future[R]:
        """See `Channel.send_nowait`; `future.result()` waits. Cancelling it leaves nothing pending."""
        return start(self._channel.send(command, timeout=timeout))

    @overload
    def send_many(self, commands: tuple[Command[R1], Command[R2]], *, timeout: Timeout = ...) -> tuple[R1, R2]: ...
    @overload
    def send_many(
        self, commands: tuple[Command[R1], Command[R2], Command[R3]], *, timeout: Timeout = ...
    ) -> tuple[R1, R2, R3]: ...
    @overload
    def send_many(
        self, commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4]], *, timeout: Timeout = ...
    ) -> tuple[R1, R2, R3, R4]: ...
    @overload
    def send_many(
        self,
        commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4], Command[R5]],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5]: ...
    @overload
    def send_many(
        self,
        commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4], Command[R5], Command[R6]],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5, R6]: ...
    @overload
    def send_many(
        self,
        commands: tuple[Command[R1], Command[R2], Command[R3], Command[R4], Command[R5], Command[R6], Command[R7]],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5, R6, R7]: ...
    @overload
    def send_many(
        self,
        commands: tuple[
            Command[R1], Command[R2], Command[R3], Command[R4], Command[R5], Command[R6], Command[R7], Command[R8]
        ],
        *,
        timeout: Timeout = ...,
    ) -> tuple[R1, R2, R3, R4, R5, R6, R7, R8]: ...
    @overload
    def send_many(
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
    def send_many(self, commands: Iterable[Command[R]], *, timeout: Timeout = ...) -> tuple[R, ...]: ...
    def send_many(self, commands: Iterable[Command[Any]], *, timeout: Timeout = DEFAULT) -> tuple[Any, ...]:
        """See `Channel.send_many`."""
        return wait(self._channel.send_many(commands, timeout=timeout))

    def send_raw(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: Timeout = DEFAULT
    ) -> dict[str, Any]:
        """See `Channel.send_raw`."""
        return wait(self._channel.send_raw(method, params, timeout=timeout))

    def execute(self, generator: Generator[dict[str, Any], Any, T], *, timeout: Timeout = DEFAULT) -> T:
        """See `Channel.execute`."""
        return wait(self._channel.execute(generator, timeout=timeout))

    @overload
    def listen(self, callback: Callable[[str | None, Event], object], /) -> SyncSubscription: ...
    # As in `Channel.listen`, pyright uses the next overload, mypy those below it.
    @overload
    def listen(
        self, callback: Callable[[str | None, E], object], t1: type[E], /, *types: type[E]
    ) -> SyncSubscription: ...
    @overload
    def listen(
        self, callback: Callable[[str | None, E1 | E2], object], t1: type[E1], t2: type[E2], /
    ) -> SyncSubscription: ...
    @overload
    def listen(
        self, callback: Callable[[str | None, E1 | E2 | E3], object], t1: type[E1], t2: type[E2], t3: type[E3], /
    ) -> SyncSubscription: ...
    @overload
    def listen(
        self,
        callback: Callable[[str | None, E1 | E2 | E3 | E4], object],
        t1: type[E1],
        t2: type[E2],
        t3: type[E3],
        t4: type[E4],
        /,
    ) -> SyncSubscription: ...
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
    ) -> SyncSubscription: ...
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
    ) -> SyncSubscription: ...
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
    ) -> SyncSubscription: ...
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
    ) -> SyncSubscription: ...
    def listen(self, callback: Callable[[str | None, Any], object], /, *types: type[Event]) -> SyncSubscription:
        """Call `callback(session_id, event)` for each event of `types` (of any type if there are none), in wire order.

        Each listener has its own thread, so the callback may call this client and take its time. At most 10,000
        events wait for it; then the oldest is dropped and counted, in `SyncSubscription.dropped` too. Exceptions of a
        callback are logged once and then counted. The end of the connection drops the events that wait. Raises as
        `Channel.listen`.
        """
        return listen_on_a_thread(self._channel, callback, types)

    @overload
    def events(self, t1: type[E1], /, *, maxsize: int = ..., overflow: Overflow = ...) -> SyncEventStream[E1]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], /, *, maxsize: int = ..., overflow: Overflow = ...
    ) -> SyncEventStream[E1 | E2]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], t3: type[E3], /, *, maxsize: int = ..., overflow: Overflow = ...
    ) -> SyncEventStream[E1 | E2 | E3]: ...
    @overload
    def events(
        self, t1: type[E1], t2: type[E2], t3: type[E3], t4: type[E4], /, *, maxsize: int = ..., overflow: Overflow = ...
    ) -> SyncEventStream[E1 | E2 | E3 | E4]: ...
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
    ) -> SyncEventStream[E1 | E2 | E3 | E4 | E5]: ...
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
    ) -> SyncEventStream[E1 | E2 | E3 | E4 | E5 | E6]: ...
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
    ) -> SyncEventStream[E1 | E2 | E3 | E4 | E5 | E6 | E7]: ...
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
    ) -> SyncEventStream[E1 | E2 | E3 | E4 | E5 | E6 | E7 | E8]: ...
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
    ) -> SyncEventStream[E1 | E2 | E3 | E4 | E5 | E6 | E7 | E8 | E]: ...
    @overload
    def events(self, *types: type[Event], maxsize: int = ..., overflow: Overflow = ...) -> SyncEventStream[Event]: ...
    def events(
        self, *types: type[Event], maxsize: int = MAX_EVENTS, overflow: Overflow = "drop_oldest"
    ) -> SyncEventStream[Any]:
        """See `Channel.events`; enter it with `with`, iterate with `for`."""
        return SyncEventStream(self._channel.events(*types, maxsize=maxsize, overflow=overflow))

    def expect(
        self, kind: type[E], predicate: Callable[[E], bool] | None = None, *, timeout: Timeout = DEFAULT
    ) -> SyncExpectation[E]:
        """See `Channel.expect`; `predicate` is called on the loop thread, so it must not call this client."""
        return SyncExpectation(self._channel.expect(kind, predicate, timeout=timeout))
