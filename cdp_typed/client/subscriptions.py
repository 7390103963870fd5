"""Subscriptions to events, and their delivery in wire order."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import Any, ClassVar, Final, Literal, TypeAlias

from msgspec import Raw

from cdp_typed._base import Event
from cdp_typed.errors import CDPError, ConnectionLost, SchemaMismatch, SessionDetached, TargetCrashed
from cdp_typed.wire.counters import CounterSet
from cdp_typed.wire.decoding import REFUSED, SchemaDrift, decode, decoder
from cdp_typed.wire.envelopes import ReadAhead, WholeEvent
from cdp_typed.wire.json_text import load, repair
from cdp_typed.wire.router import EventMessage

# Plans are cheap to compute again; this many cover every event of a browser with dozens of tabs.
_MAX_PLANS = 4096

_log = logging.getLogger("cdp_typed")


class _Everywhere(Enum):
    ALL = "every session"


ALL: Final = _Everywhere.ALL
"""Means the events of the browser and of every session."""

SessionFilter: TypeAlias = str | Literal[_Everywhere.ALL] | None
"""One session's id, `None` for the browser's own session, or `ALL`."""

Deliver: TypeAlias = Callable[[str | None, Any], object]
Fail: TypeAlias = Callable[[CDPError, bool], object]

# The subscriptions that an event goes to, grouped by its class with the class's decoder, in the order of subscribing.
_Plan: TypeAlias = "tuple[tuple[type[Event], Callable[[Raw], Event], tuple[Subscription, ...]], ...]"


class UnknownEvent(Event, frozen=True, kw_only=True):
    """An event that the bindings do not know, or whose parameters are no object.

    Subscribe to it like to any other event. `raw` is the JSON of its parameters.
    """

    METHOD: ClassVar[str] = ""

    method: str
    session_id: str | None
    raw: bytes

    @property
    def params(self) -> Any:
        """The parameters as plain values. Raises `ValueError` or `RecursionError` if they cannot be read."""
        return load(repair(self.raw) or b"{}", lambda _: None)


class Subscription:
    """One listener; it receives every event of its types and sessions until it is closed."""

    def __init__(
        self,
        home: Subscriptions,
        number: int,
        types: dict[str, type[Event]],
        session_id: SessionFilter,
        deliver: Deliver,
        fail: Fail | None,
    ) -> None:
        self.number = number
        self.types = types
        self.session_id = session_id
        self.deliver = deliver
        self.fail = fail
        self.failed_before = False
        self.closed = False
        """True once it was closed, or ended with its session or with the connection."""
        self._home = home

    def close(self) -> None:
        """Stop the delivery at once, also of messages that were received already. Closing twice is fine."""
        self._home.remove(self)


class Subscriptions:
    """All listeners of one connection."""

    def __init__(
        self, tally: CounterSet, drift: Callable[[SchemaDrift], None], ahead: ReadAhead, *, strict: bool
    ) -> None:
        self._tally = tally
        self._ahead = ahead
        self._drift = drift
        self._strict = strict
        self._numbers = itertools.count()
        self._by_session: dict[SessionFilter, dict[Subscription, None]] = {}
        # The plan of each event, made at the first event of its method on its session.
        self._plans: dict[str | None, dict[str, _Plan]] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._closing: set[asyncio.Task[Any] | None] = set()

    def __len__(self) -> int:
        return sum(map(len, self._by_session.values()))

    def add(
        self, types: Iterable[type[Event]], session_id: SessionFilter, deliver: Deliver, fail: Fail | None = None
    ) -> Subscription:
        """Listen to `types`, or to every event if there are none.

        `deliver(session_id, event)` is called from the reader and must not block. `fail(error, last)` is called after
        a crash of the session and, in strict mode, for events that do not match (`last` false), and at the end of the
        session or connection (`last` true; the subscription is closed then).
        """
        by_method = {event_type.METHOD: event_type for event_type in types}
        subscription = Subscription(self, next(self._numbers), by_method, session_id, deliver, fail)
        self._by_session.setdefault(session_id, {})[subscription] = None
        self._forget_plans()
        return subscription

    def remove(self, subscription: Subscription) -> None:
        """Stop listening."""
        if subscription.closed:
            return
        subscription.closed = True
        same_session = self._by_session[subscription.session_id]
        del same_session[subscription]
        if not same_session:
            del self._by_session[subscription.session_id]
        self._forget_plans()

    def publish_whole(self, whole: WholeEvent[str, Any], data: bytes) -> None:
        """Deliver one event that was read together with its message `data`."""
        session_id, event = whole.session_id, whole.params
        try:
            ((cls, _, subscriptions),) = self._plans[session_id][whole.method]
        except (KeyError, TypeError, ValueError):  # no plan yet, an unknown method, or several classes for the event
            cls, subscriptions = Event, ()
        if type(event) is not cls:
            self.publish(EventMessage(whole.method, session_id, data, event))
            return
        for subscription in subscriptions:
            if not subscription.closed:
                try:  # as in `publish`
                    outcome = subscription.deliver(session_id, event)
                except (Exception, asyncio.CancelledError) as error:
                    self._failed(subscription, error)
                else:
                    if outcome is not None:
                        self._follow(subscription, outcome)

    def publish(self, message: EventMessage) -> None:
        """Deliver one event. It is decoded only if it has a listener; a listener's exception is logged and counted."""
        plan: _Plan | None
        try:
            plan = self._plans[message.session_id][message.method]
        except KeyError:
            plan = self._plan(message.method, message.session_id)
        if plan is None:
            self._publish_unknown(message)
            return
        for cls, read, subscriptions in plan:
            event, mismatch = message.value, None
            if type(event) is not cls:
                try:
                    event = read(message.params)
                except REFUSED:
                    try:
                        event, mismatch = self._decode(cls, message)
                    except SchemaMismatch:
                        self._publish_unknown(message)
                        return
            for subscription in subscriptions:
                if mismatch is not None and subscription.fail is not None:
                    self._tell(subscription, mismatch, last=False)
                elif not subscription.closed:  # another listener may have closed it a moment ago
                    # `_guard` without a call, because this runs once per event.
                    try:
                        outcome = subscription.deliver(message.session_id, event)
                    except (Exception, asyncio.CancelledError) as error:
                        self._failed(subscription, error)
                    else:
                        if outcome is not None:
                            self._follow(subscription, outcome)

    def crash(self, session_id: str) -> None:
        """Report the crash of a session's target to the subscriptions of this session alone."""
        for subscription in list(self._by_session.get(session_id, ())):
            self._tell(subscription, TargetCrashed(session_id), last=False)

    def end(self, session_id: str) -> None:
        """Close the subscriptions of this session alone, because it is over."""
        for subscription in list(self._by_session.get(session_id, ())):
            self._end(subscription, SessionDetached(session_id))
        self._plans.pop(session_id, None)

    def closing(self) -> None:
        """Exempt the current task, which closes the connection, from the cancelling of listeners' tasks."""
        self._closing.add(asyncio.current_task())

    def lose(self, reason: str, cause: BaseException | None) -> None:
        """Close all subscriptions and cancel the tasks of listeners, because the connection is over."""
        for subscription in list(itertools.chain.from_iterable(self._by_session.values())):
            error = ConnectionLost(reason)
            error.__cause__ = cause
            self._end(subscription, error)
        for task in self._tasks:
            if task not in self._closing:
                task.cancel()

    def _plan(self, method: str, session_id: str | None) -> _Plan | None:
        # The subscriptions for this method on this session, in the order of subscribing; None for an unknown method.
        subscriptions = [sub for sub in self._of_session(session_id) if method in sub.types or not sub.types]
        # Imported here, because it takes a twentieth of the client's import.
        from cdp_typed.protocol import registry

        named = next((sub.types[method] for sub in subscriptions if method and method in sub.types), None)
        if named is None and method not in registry.EVENTS:
            return None
        common = named or (registry.event_class(method) if subscriptions else Event)
        runs = itertools.groupby(subscriptions, lambda subscription: subscription.types.get(method, common))
        plan = tuple((cls, decoder(cls), tuple(run)) for cls, run in runs)
        if len(self._plans) > _MAX_PLANS:
            self._forget_plans()
        if plan:
            self._ahead.add(method, plan[0][0])
        self._plans.setdefault(session_id, {})[method] = plan
        return plan

    def _of_session(self, session_id: str | None) -> list[Subscription]:
        subscriptions = [*self._by_session.get(session_id, ()), *self._by_session.get(ALL, ())]
        return sorted(subscriptions, key=lambda subscription: subscription.number)

    def _forget_plans(self) -> None:
        self._plans.clear()
        self._ahead.clear()

    def _end(self, subscription: Subscription, error: CDPError) -> None:
        self.remove(subscription)
        self._tell(subscription, error, last=True)

    def _decode(self, cls: type[Event], message: EventMessage) -> tuple[Event, SchemaMismatch | None]:
        if not self._strict:
            return decode(cls, message.params, method=message.method, drift=self._drift), None
        try:
            return decode(cls, message.params, method=message.method, drift=self._drift, strict=True), None
        except SchemaMismatch as mismatch:
            # A stream or expectation raises the error; a callback, which has no `fail`, gets the event all the same.
            return decode(cls, message.params, method=message.method, drift=self._drift), mismatch

    def _publish_unknown(self, message: EventMessage) -> None:
        self._tally.add("unknown_events")
        subscriptions = [
            subscription
            for subscription in self._of_session(message.session_id)
            if UnknownEvent.METHOD in subscription.types or not subscription.types
        ]
        if subscriptions:
            event = UnknownEvent(method=message.method, session_id=message.session_id, raw=bytes(message.params))
            for subscription in subscriptions:
                if not subscription.closed:
                    self._guard(subscription, subscription.deliver, message.session_id, event)

    def _tell(self, subscription: Subscription, error: CDPError, *, last: bool) -> None:
        if subscription.fail is not None:
            self._guard(subscription, subscription.fail, error, last)

    def _guard(self, subscription: Subscription, function: Callable[[Any, Any], object], *arguments: Any) -> None:
        try:
            outcome = function(*arguments)
        # A callback that asks a cancelled future for its result raises CancelledError; that cancels nothing here.
        except (Exception, asyncio.CancelledError) as error:
            self._failed(subscription, error)
        else:
            self._follow(subscription, outcome)

    def _follow(self, subscription: Subscription, outcome: object) -> None:
        if asyncio.iscoroutine(outcome):
            task = asyncio.get_running_loop().create_task(outcome, name="cdp_typed listener")
            self._tasks.add(task)
            task.add_done_callback(partial(self._finished, subscription))

    def _finished(self, subscription: Subscription, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._failed(subscription, error)

    def _failed(self, subscription: Subscription, error: BaseException) -> None:
        self._tally.add("handler_errors")
        if not subscription.failed_before:
            subscription.failed_before = True
            names = list(subscription.types)
            _log.error("a listener to %s failed; its further failures are only counted", names, exc_info=error)
