"""Event streams and expected events, to be awaited."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, Generic, Literal, Self, TypeAlias, TypeVar, get_args

from msgspec import Struct

from cdp_typed._base import Event
from cdp_typed.client.subscriptions import Deliver, Fail, Subscription
from cdp_typed.errors import CDPError, EventTimeout, SubscriptionOverflow
from cdp_typed.wire.counters import CounterSet

E_co = TypeVar("E_co", bound=Event, covariant=True)

MAX_EVENTS = 10_000
"""The default number of events that a stream holds for a slow consumer."""

Overflow: TypeAlias = Literal["drop_oldest", "drop_new", "fail"]
"""The policy of a full stream for further events; see `EventStream`."""


class _Interruption(Struct, frozen=True):
    error: CDPError | None
    last: bool


class EventStream(Generic[E_co]):
    """The events of several types in the order in which they came; enter it, then iterate over it.

    It begins with `async with` and ends with the block. It holds `maxsize` events for a slow consumer; then `overflow`
    decides:

    - `"drop_oldest"`: the oldest event that it holds is dropped, and counted in `dropped`;
    - `"drop_new"`: the new event is dropped, and counted;
    - `"fail"`: the stream ends; after the events that it holds, iterating raises `SubscriptionOverflow`.

    Iterating raises `TargetCrashed` (once; the stream goes on), `SessionDetached` or `ConnectionLost` after the events
    that came before, and with `strict` also `SchemaMismatch`.
    """

    def __init__(
        self,
        subscribe: Callable[[Deliver, Fail], Subscription],
        *,
        name: str,
        maxsize: int,
        overflow: Overflow,
        tally: CounterSet,
        dialog: Callable[[], str],
    ) -> None:
        if maxsize < 1:
            raise ValueError(f"maxsize must be at least 1, not {maxsize}")
        if overflow not in get_args(Overflow):
            raise ValueError(f"overflow must be one of {', '.join(get_args(Overflow))}, not {overflow!r}")
        self._subscribe = subscribe
        self._subscription: Subscription | None = None
        self._name = name
        self._maxsize = maxsize
        self._overflow: Overflow = overflow
        self._tally = tally
        self._dialog = dialog
        self._held: deque[Any] = deque()
        self._news = asyncio.Event()
        self._dropped = 0

    @property
    def name(self) -> str:
        """The wire names of its types, for messages."""
        return self._name

    @property
    def dropped(self) -> int:
        """The number of events that this stream dropped because its consumer was too slow."""
        return self._dropped

    @property
    def held(self) -> int:
        """The number of events that wait for the consumer."""
        return sum(not isinstance(item, _Interruption) for item in self._held)

    async def __aenter__(self) -> Self:
        if self._subscription is not None:
            raise RuntimeError("an event stream can be entered only once")
        self._subscription = self._subscribe(self._deliver, self._fail)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the stream: iterating returns the events that it holds, then stops. Closing twice is fine."""
        if self._subscription is not None and not self._subscription.closed:
            self._subscription.close()
            self._fail(None, last=True)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E_co:
        if self._subscription is None:
            raise RuntimeError("enter the event stream first: async with session.events(...) as stream")
        while not self._held:
            self._news.clear()
            await self._news.wait()
        item = self._held.popleft()
        if not isinstance(item, _Interruption):
            event: E_co = item
            return event
        if item.last:
            self._held.append(item)  # for the next call
        if item.error is None:
            raise StopAsyncIteration
        raise item.error

    async def take(self, timeout: float | None) -> E_co:
        """Return the next event. Raises `EventTimeout` after `timeout` seconds, and otherwise as iterating does.

        Raises `RuntimeError` if the stream was closed and holds no event.
        """
        try:
            async with asyncio.timeout(timeout):
                return await anext(self)
        except StopAsyncIteration:
            raise RuntimeError(f"{self._name}: the stream is closed") from None
        except TimeoutError:
            assert timeout is not None
            raise EventTimeout(self._name, session=None, timeout=timeout, hint=self._dialog()) from None

    def _deliver(self, _session_id: str | None, event: Event) -> None:
        if len(self._held) >= self._maxsize and not self._makes_room():
            return
        self._held.append(event)
        self._news.set()

    def _makes_room(self) -> bool:
        self._dropped += 1
        self._tally.add("dropped_events")
        if self._overflow == "fail":
            assert self._subscription is not None
            self._subscription.close()
            self._fail(SubscriptionOverflow(self._name, self._maxsize), last=True)
        if self._overflow == "drop_oldest":
            # Only events are dropped: an `_Interruption` reports a crash and must not be lost.
            del self._held[next(at for at, item in enumerate(self._held) if not isinstance(item, _Interruption))]
        return self._overflow == "drop_oldest"

    def _fail(self, error: CDPError | None, last: bool) -> None:
        self._held.append(_Interruption(error, last))
        self._news.set()


class Expectation(Generic[E_co]):
    """One expected event: listened for from the start of its block, awaited at the end of it.

    `value` after the block (or `await expectation` inside it) is the event. Leaving the block waits for it and raises
    `EventTimeout`, `SessionDetached`, `TargetCrashed` or `ConnectionLost` if it cannot come any more, or the
    predicate's exception; an exception of the block itself takes precedence.
    """

    def __init__(
        self,
        subscribe: Callable[[Deliver, Fail], Subscription],
        accepts: Callable[[E_co], bool] | None,
        *,
        method: str,
        session_id: str | None,
        timeout: float | None,
        dialog: Callable[[], str],
    ) -> None:
        self._dialog = dialog
        self._subscribe = subscribe
        self._accepts = accepts
        self._method = method
        self._session_id = session_id
        self._timeout = timeout
        self._future: asyncio.Future[E_co] | None = None
        self._subscription: Subscription | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        if self._future is not None:
            raise RuntimeError("an expectation can be entered only once")
        self._subscription = self._subscribe(self._deliver, self._fail)
        loop = asyncio.get_running_loop()
        self._future = loop.create_future()
        if self._timeout is not None:
            self._timer = loop.call_later(self._timeout, self._expire, self._timeout)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._future is not None
        try:
            if kind is None:
                await self._future
        finally:
            self._stop()
            self._future.cancel()

    def __await__(self) -> Generator[Any, None, E_co]:
        # Shielded: a task that gives up waiting must not take the event from the block.
        return asyncio.shield(self._entered()).__await__()

    @property
    def value(self) -> E_co:
        """The event. Raises the error that ended the wait, or `RuntimeError` while the event is still awaited."""
        future = self._entered()
        if not future.done() or future.cancelled():
            raise RuntimeError(f"{self._method} has not come yet; read the value after the block")
        return future.result()

    def _entered(self) -> asyncio.Future[E_co]:
        if self._future is None:
            raise RuntimeError("enter the expectation first: async with session.expect(...) as expected")
        return self._future

    def _deliver(self, _session_id: str | None, event: Any) -> None:
        try:
            if self._accepts is not None and not self._accepts(event):
                return
        except Exception as error:  # raised by the caller's predicate, so raised at the caller
            self._settle(error)
            return
        if self._future is not None and not self._future.done():
            self._future.set_result(event)
            self._stop()

    def _fail(self, error: CDPError, _last: bool) -> None:
        self._settle(error)

    def _expire(self, timeout: float) -> None:
        self._settle(EventTimeout(self._method, session=self._session_id, timeout=timeout, hint=self._dialog()))

    def _settle(self, error: Exception) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_exception(error)
            self._future.exception()  # retrieved: the block may end with its own exception and never await it
            self._stop()

    def _stop(self) -> None:
        assert self._subscription is not None
        self._subscription.close()
        if self._timer is not None:
            self._timer.cancel()
