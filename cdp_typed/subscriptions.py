"""Who listens to which events, and the delivery of each event to them in wire order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, ClassVar, Final, Literal, TypeAlias

from cdp_typed._base import Event
from cdp_typed.connection import EventMessage
from cdp_typed.counters import Tally
from cdp_typed.decode import SchemaDrift, decode
from cdp_typed.errors import CDPError, ConnectionLost, SchemaMismatch, SessionDetached, TargetCrashed
from cdp_typed.jsontext import load, repair
from cdp_typed.protocol import registry

__all__ = ["ALL", "SessionFilter", "Subscription", "Subscriptions", "UnknownEvent"]

_log = logging.getLogger("cdp_typed")


class _Everywhere(Enum):
    ALL = "every session"


ALL: Final = _Everywhere.ALL
"""Stands for the browser's own session and every other one."""

SessionFilter: TypeAlias = str | Literal[_Everywhere.ALL] | None
"""One session's id, `None` for the browser's own session, or `ALL`."""

Deliver: TypeAlias = Callable[[str | None, Any], object]
Fail: TypeAlias = Callable[[CDPError, bool], object]


class UnknownEvent(Event, frozen=True, kw_only=True):
    """An event that the bindings do not know, or whose parameters are not even an object.

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
    """One listener; it hears of every event of its types and sessions until it is closed."""

    def __init__(
        self,
        home: Subscriptions,
        types: dict[str, type[Event]],
        session_id: SessionFilter,
        deliver: Deliver,
        fail: Fail | None,
    ) -> None:
        self.types = types
        self.session_id = session_id
        self.deliver = deliver
        self.fail = fail
        self.failed_before = False
        self._home = home

    def close(self) -> None:
        """Hear no more, from now on, even of what was received already. Closing twice is fine."""
        self._home.remove(self)

    @property
    def closed(self) -> bool:
        """Whether it was closed, or ended with its session or with the connection."""
        return self not in self._home

    def hears(self, session_id: str | None) -> bool:
        """Whether it listens on this session."""
        return self.session_id is ALL or self.session_id == session_id


class Subscriptions:
    """All listeners of one connection."""

    def __init__(self, tally: Tally, drift: Callable[[SchemaDrift], None], *, strict: bool) -> None:
        self._tally = tally
        self._drift = drift
        self._strict = strict
        # Tuples, replaced at each change: a listener may close itself or others while an event is delivered.
        self._by_method: dict[str, tuple[Subscription, ...]] = {}
        self._to_all: tuple[Subscription, ...] = ()
        self._living: dict[Subscription, None] = {}

    def __contains__(self, subscription: Subscription) -> bool:
        return subscription in self._living

    def __len__(self) -> int:
        return len(self._living)

    def add(
        self, types: Iterable[type[Event]], session_id: SessionFilter, deliver: Deliver, fail: Fail | None = None
    ) -> Subscription:
        """Listen to `types`, or to every event if there are none.

        `deliver(session_id, event)` is called from the reader and must not block. `fail(error, last)` hears of the
        crash of the session and, in strict mode, of events that do not match (`last` false), and of its end or the
        connection's (`last` true; the subscription is closed then).
        """
        subscription = Subscription(self, {each.METHOD: each for each in types}, session_id, deliver, fail)
        self._living[subscription] = None
        for method in subscription.types:
            self._by_method[method] = (*self._by_method.get(method, ()), subscription)
        if not subscription.types:
            self._to_all = (*self._to_all, subscription)
        return subscription

    def remove(self, subscription: Subscription) -> None:
        """Stop listening."""
        if subscription not in self._living:
            return
        del self._living[subscription]
        self._to_all = tuple(each for each in self._to_all if each is not subscription)
        for method in subscription.types:
            rest = tuple(each for each in self._by_method[method] if each is not subscription)
            if rest:
                self._by_method[method] = rest
            else:
                del self._by_method[method]

    def publish(self, message: EventMessage) -> None:
        """Deliver one event. It is decoded only if somebody listens; a listener's exception stays with it."""
        typed = self._by_method.get(message.method, ()) if message.method else ()
        if not typed and message.method not in registry.EVENTS:
            self._publish_unknown(message)
            return
        hearing = [each for each in (*typed, *self._to_all) if each.hears(message.session_id)]
        if not hearing:
            return
        common = typed[0].types[message.method] if typed else registry.event_class(message.method)
        decoded: dict[type[Event], tuple[Event, SchemaMismatch | None]] = {}
        for subscription in hearing:
            cls = subscription.types.get(message.method, common)
            try:
                event, mismatch = decoded[cls] = decoded.get(cls) or self._decode(cls, message)
            except SchemaMismatch:
                self._publish_unknown(message)
                return
            if mismatch is not None and subscription.fail is not None:
                self._tell(subscription, mismatch, last=False)
            else:
                self._deliver(subscription, message.session_id, event)

    def crash(self, session_id: str) -> None:
        """Tell those who listen on this session alone that its target crashed."""
        for subscription in self._bound_to(session_id):
            self._tell(subscription, TargetCrashed(session_id), last=False)

    def end(self, session_id: str) -> None:
        """Close those who listen on this session alone, because it is over."""
        for subscription in self._bound_to(session_id):
            self._end(subscription, SessionDetached(session_id))

    def lose(self, reason: str, cause: BaseException | None) -> None:
        """Close all, because the connection is over."""
        for subscription in list(self._living):
            error = ConnectionLost(reason)
            error.__cause__ = cause
            self._end(subscription, error)

    def _bound_to(self, session_id: str) -> list[Subscription]:
        return [each for each in self._living if each.session_id == session_id]

    def _end(self, subscription: Subscription, error: CDPError) -> None:
        self.remove(subscription)
        self._tell(subscription, error, last=True)

    def _decode(self, cls: type[Event], message: EventMessage) -> tuple[Event, SchemaMismatch | None]:
        if not self._strict:
            return decode(cls, message.raw, method=message.method, drift=self._drift), None
        try:
            return decode(cls, message.raw, method=message.method, drift=self._drift, strict=True), None
        except SchemaMismatch as mismatch:
            # Whoever awaits gets the error; a callback, which cannot be told, gets the event all the same.
            return decode(cls, message.raw, method=message.method, drift=self._drift), mismatch

    def _publish_unknown(self, message: EventMessage) -> None:
        self._tally.add("unknown_events")
        hearing = [
            each
            for each in (*self._by_method.get(UnknownEvent.METHOD, ()), *self._to_all)
            if each.hears(message.session_id)
        ]
        if hearing:
            event = UnknownEvent(method=message.method, session_id=message.session_id, raw=bytes(message.raw))
            for subscription in hearing:
                self._deliver(subscription, message.session_id, event)

    def _tell(self, subscription: Subscription, error: CDPError, *, last: bool) -> None:
        if subscription.fail is not None:
            self._guard(subscription, subscription.fail, error, last)

    def _deliver(self, subscription: Subscription, session_id: str | None, event: Event) -> None:
        if subscription in self._living:  # another listener may have closed it a moment ago
            self._guard(subscription, subscription.deliver, session_id, event)

    def _guard(self, subscription: Subscription, function: Callable[..., object], *arguments: object) -> None:
        try:
            function(*arguments)
        # A callback that asks a cancelled future for its result raises CancelledError; that cancels nothing here.
        except (Exception, asyncio.CancelledError):
            self._tally.add("handler_errors")
            if not subscription.failed_before:
                subscription.failed_before = True
                _log.exception(
                    "a listener to %s failed; its further failures are only counted", list(subscription.types)
                )
