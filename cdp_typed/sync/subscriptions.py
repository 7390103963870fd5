"""Callbacks of the blocking client: listeners on their own threads, taps on the loop's."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from cdp_typed._base import Event
from cdp_typed.client.argument_checks import check_callback
from cdp_typed.client.channel import Channel
from cdp_typed.client.streams import MAX_EVENTS
from cdp_typed.client.subscriptions import Subscription
from cdp_typed.recording.taps import Tap
from cdp_typed.sync.loop_calls import end, wait_call
from cdp_typed.wire.counters import CounterSet


@dataclass(frozen=True)
class _PendingEvent:
    session_id: str | None
    event: Event
    outcome: Future[None] = field(default_factory=Future[None])


class _Backlog:
    """The events that wait for one callback, and the thread that calls it while there are any.

    No thread waits for future events, so there is none to end with the session or the connection.
    """

    def __init__(self, callback: Callable[[str | None, Any], object], tally: CounterSet) -> None:
        self._callback = callback
        self._tally = tally
        self._lock = threading.Lock()
        self._calls: deque[_PendingEvent] = deque()
        self._runs = False
        self.dropped: int = 0

    def add(self, session_id: str | None, event: Event) -> Coroutine[Any, Any, None]:
        """Queue an event, from the reader; the returned coroutine ends with the callback, with its exception."""
        call = _PendingEvent(session_id, event)
        with self._lock:
            self._calls.append(call)
            oldest = self._calls.popleft() if len(self._calls) > MAX_EVENTS else None
            starts, self._runs = not self._runs, True
        if oldest is not None:
            oldest.outcome.cancel()
            self.dropped += 1
            self._tally.add("dropped_events")
        if starts:
            threading.Thread(target=self._run, name="cdp-typed listener", daemon=True).start()
        return _ended(asyncio.wrap_future(call.outcome))

    def clear(self) -> None:
        """Drop the events that wait."""
        while (call := self._next(more=True)) is not None:
            call.outcome.cancel()

    def _run(self) -> None:
        while (call := self._next(more=False)) is not None:
            if not call.outcome.set_running_or_notify_cancel():
                continue  # the connection ended
            try:
                self._callback(call.session_id, call.event)
            except Exception as error:
                call.outcome.set_exception(error)
            except BaseException as error:
                # Raised on the loop itself, SystemExit would end the loop that all connections share.
                call.outcome.set_exception(RuntimeError(f"the callback raised {error!r}"))
            else:
                call.outcome.set_result(None)

    def _next(self, *, more: bool) -> _PendingEvent | None:
        with self._lock:
            if self._calls:
                return self._calls.popleft()
            self._runs = self._runs and more
            return None


async def _close(listener: Subscription | Tap) -> None:
    listener.close()


async def _ended(outcome: asyncio.Future[None]) -> None:
    await outcome


class SyncSubscription:
    """One listener, until it is closed or ends with its session or with the connection."""

    def __init__(self, subscription: Subscription, backlog: _Backlog) -> None:
        self._subscription = subscription
        self._backlog = backlog

    @property
    def closed(self) -> bool:
        """See `Subscription.closed`."""
        return self._subscription.closed

    @property
    def dropped(self) -> int:
        """The number of events that were dropped because the callback was too slow."""
        return self._backlog.dropped

    def close(self) -> None:
        """Stop the calls; a callback that runs at this moment is not waited for. Closing twice is fine."""
        end(_close(self._subscription))
        self._backlog.clear()


def listen_on_a_thread(
    channel: Channel, callback: Callable[[str | None, Any], object], types: tuple[type[Event], ...]
) -> SyncSubscription:
    """See `SyncChannel.listen`."""
    check_callback(callback)
    if inspect.iscoroutinefunction(callback):
        raise TypeError("the blocking client calls plain functions, which may call it in turn; not async ones")
    backlog = _Backlog(callback, channel.tally)
    return SyncSubscription(wait_call(lambda: channel.listen(backlog.add, *types)), backlog)


class SyncTap:
    """`Tap`, closed from any thread but the loop's."""

    def __init__(self, tap: Tap) -> None:
        self._tap = tap

    def close(self) -> None:
        """See `Tap.close`."""
        end(_close(self._tap))
