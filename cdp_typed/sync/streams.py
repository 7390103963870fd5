"""Streams and expectations of the blocking client."""

from __future__ import annotations

from types import TracebackType
from typing import Generic, Self, TypeVar

from cdp_typed._base import Event
from cdp_typed.client.streams import EventStream, Expectation
from cdp_typed.sync.loop_calls import end, wait

E_co = TypeVar("E_co", bound=Event, covariant=True)


class SyncEventStream(Generic[E_co]):
    """`EventStream` for `with` and `for`. Iterating waits without end; `take` has a deadline."""

    def __init__(self, stream: EventStream[E_co]) -> None:
        self._stream = stream

    @property
    def dropped(self) -> int:
        """See `EventStream.dropped`."""
        return self._stream.dropped

    @property
    def held(self) -> int:
        """See `EventStream.held`."""
        return self._stream.held

    def __enter__(self) -> Self:
        wait(self._stream.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end(self._stream.__aexit__(kind, error, trace))

    def close(self) -> None:
        """See `EventStream.close`; another thread may call it to end the loop over the events."""
        end(self._stream.__aexit__(None, None, None))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> E_co:
        for event in wait(self._next()):
            return event
        raise StopIteration

    def take(self, timeout: float | None) -> E_co:
        """See `EventStream.take`."""
        return wait(self._stream.take(timeout))

    async def _next(self) -> tuple[E_co, ...]:
        # A tuple, empty at the end, because a future cannot carry StopIteration.
        try:
            return (await anext(self._stream),)
        except StopAsyncIteration:
            return ()


class SyncExpectation(Generic[E_co]):
    """`Expectation` for `with`: listened for from the start of the block, awaited at the end of it."""

    def __init__(self, expectation: Expectation[E_co]) -> None:
        self._expectation = expectation

    def __enter__(self) -> Self:
        _ = wait(self._expectation.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait(self._expectation.__aexit__(kind, error, trace))

    @property
    def value(self) -> E_co:
        """See `Expectation.value`."""
        return self._expectation.value
