"""The client for programs that are not async: the same names, each waiting on the loop thread that does the work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

from cdp_typed._base import Command, Event
from cdp_typed.channel import Channel
from cdp_typed.client import Connection
from cdp_typed.counters import Counters
from cdp_typed.decode import SchemaDrift
from cdp_typed.errors import CalledFromLoopThread, ConnectionLost, EventTimeout, LoopThreadEnded
from cdp_typed.link import DEFAULT, Timeout
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.opening import Opening, connect
from cdp_typed.protocol import target
from cdp_typed.session import Session
from cdp_typed.streams import MAX_EVENTS, EventStream, Expectation, Overflow

__all__ = ["SyncChannel", "SyncConnection", "SyncEventStream", "SyncExpectation", "SyncSession", "connect_sync"]

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
R1 = TypeVar("R1")
R2 = TypeVar("R2")
R3 = TypeVar("R3")
R4 = TypeVar("R4")
E = TypeVar("E", bound=Event)
E1 = TypeVar("E1", bound=Event)
E2 = TypeVar("E2", bound=Event)
E3 = TypeVar("E3", bound=Event)
E4 = TypeVar("E4", bound=Event)
E_co = TypeVar("E_co", bound=Event, covariant=True)


def _wait(work: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        work.close()
        raise CalledFromLoopThread
    try:
        return LOOP_THREAD.run(work)
    except LoopThreadEnded:
        raise ConnectionLost("closed by this side") from None


class SyncEventStream(Generic[E_co]):
    """`EventStream` for `with` and `for`. Iterating waits without end; `take` has a deadline."""

    def __init__(self, stream: EventStream[E_co]) -> None:
        self._stream = stream

    @property
    def dropped(self) -> int:
        """See `EventStream.dropped`."""
        return self._stream.dropped

    def __enter__(self) -> Self:
        _wait(self._stream.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _wait(self._stream.__aexit__(kind, error, trace))

    def close(self) -> None:
        """See `EventStream.close`; another thread may call it to end the loop over the events."""
        _wait(self._stream.__aexit__(None, None, None))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> E_co:
        for event in _wait(self._next(None)):
            return event
        raise StopIteration

    def take(self, timeout: float) -> E_co:
        """The next event. Raises `EventTimeout` after `timeout` seconds, and otherwise what iterating raises.

        A stream that was closed and holds nothing more is a `RuntimeError`.
        """
        for event in _wait(self._next(timeout)):
            return event
        raise RuntimeError(f"{self._stream.name}: the stream is closed")

    async def _next(self, timeout: float | None) -> tuple[E_co, ...]:
        # In a tuple, empty at the end: a future cannot carry StopIteration.
        try:
            async with asyncio.timeout(timeout):
                return (await anext(self._stream),)
        except StopAsyncIteration:
            return ()
        except TimeoutError:
            assert timeout is not None
            raise EventTimeout(self._stream.name, session=None, timeout=timeout) from None


class SyncExpectation(Generic[E_co]):
    """`Expectation` for `with`: listened for from the start of the block, there at the end of it."""

    def __init__(self, expectation: Expectation[E_co]) -> None:
        self._expectation = expectation

    def __enter__(self) -> Self:
        _ = _wait(self._expectation.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _wait(self._expectation.__aexit__(kind, error, trace))

    @property
    def value(self) -> E_co:
        """See `Expectation.value`."""
        return self._expectation.value


class SyncChannel:
    """`Channel`, blocking. Deadlines, order and errors are those of the async method of the same name.

    Safe to use from several threads. Every method raises `CalledFromLoopThread` on a thread that runs an event loop,
    which would stand still meanwhile: use the async client there.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def send(self, command: Command[R], *, timeout: Timeout = DEFAULT) -> R:
        """See `Channel.send`."""
        return _wait(self._channel.send(command, timeout=timeout))

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
    def send_many(self, commands: Iterable[Command[R]], *, timeout: Timeout = ...) -> tuple[R, ...]: ...
    def send_many(self, commands: Iterable[Command[Any]], *, timeout: Timeout = DEFAULT) -> tuple[Any, ...]:
        """See `Channel.send_many`."""
        return _wait(self._channel.send_many(commands, timeout=timeout))

    def send_raw(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: Timeout = DEFAULT
    ) -> dict[str, Any]:
        """See `Channel.send_raw`."""
        return _wait(self._channel.send_raw(method, params, timeout=timeout))

    def execute(self, generator: Generator[dict[str, Any], Any, T], *, timeout: Timeout = DEFAULT) -> T:
        """See `Channel.execute`."""
        return _wait(self._channel.execute(generator, timeout=timeout))

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


class SyncSession(SyncChannel):
    """`Session`, blocking."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session

    @property
    def session_id(self) -> target.SessionID:
        """See `Session.session_id`."""
        return self._session.session_id

    @property
    def target_id(self) -> target.TargetID:
        """See `Session.target_id`."""
        return self._session.target_id

    @property
    def target_info(self) -> target.TargetInfo:
        """See `Session.target_info`."""
        return self._session.target_info

    @property
    def is_over(self) -> bool:
        """See `Session.is_over`."""
        return self._session.is_over

    def detach(self) -> None:
        """See `Session.detach`."""
        _wait(self._session.detach())


class SyncConnection(SyncChannel):
    """`Connection`, blocking; made by `connect_sync`."""

    def __init__(self, connection: Connection) -> None:
        """Takes over one hold on the loop thread, on which `connection` lives."""
        super().__init__(connection)
        self._connection = connection
        self._holds = iter([LOOP_THREAD.release])

    @property
    def counters(self) -> Counters:
        """See `Connection.counters`."""
        return self._connection.counters

    @property
    def drift(self) -> tuple[SchemaDrift, ...]:
        """See `Connection.drift`."""
        return self._connection.drift

    @property
    def closed(self) -> bool:
        """See `Connection.closed`."""
        return self._connection.closed

    def attach(self, target_id: str, *, enable: Iterable[Command[Any]] = (), timeout: Timeout = DEFAULT) -> SyncSession:
        """See `Connection.attach`."""
        return SyncSession(_wait(self._connection.attach(target_id, enable=enable, timeout=timeout)))

    def session(self, session_id: str) -> SyncSession:
        """See `Connection.session`."""
        return SyncSession(self._connection.session(session_id))

    @contextmanager
    def new_page(self, url: str = "about:blank") -> Generator[SyncSession]:
        """See `Connection.new_page`."""
        opening = self._connection.new_page(url)
        session = _wait(opening.__aenter__())
        try:
            yield SyncSession(session)
        except BaseException as error:
            _wait(opening.__aexit__(type(error), error, error.__traceback__))
            raise
        _wait(opening.__aexit__(None, None, None))

    def close(self) -> None:
        """See `Connection.close`. The last connection to close ends the loop thread."""
        for release in self._holds:  # once, whoever comes first
            try:
                _wait(self._connection.close())
            finally:
                release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _blocking(opens: Callable[P, Opening]) -> Callable[P, SyncConnection]:
    # Not a signature of its own: whatever `connect` takes, `connect_sync` takes.
    async def connection(opening: Opening) -> Connection:
        return await opening

    def connect_sync(*args: P.args, **options: P.kwargs) -> SyncConnection:
        """Connect to a browser: `with connect_sync("http://127.0.0.1:9222") as browser:`, or close it yourself.

        Takes what `connect` takes, and raises as it does; `CalledFromLoopThread` on a thread that runs an event loop.
        """
        LOOP_THREAD.acquire()
        try:
            return SyncConnection(_wait(connection(opens(*args, **options))))
        except BaseException:
            LOOP_THREAD.release()
            raise

    return connect_sync


connect_sync = _blocking(connect)
