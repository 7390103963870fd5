"""Taps: callbacks for every message of a connection, unchanged from the wire."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Literal, TypeAlias

from cdp_typed.wire.counters import CounterSet

_log = logging.getLogger("cdp_typed")

Direction: TypeAlias = Literal["sent", "received"]
"""The direction of a message, as this side sees it."""

TapCallback: TypeAlias = Callable[[Direction, bytes], object]


class Tap:
    """One callback, called with every message until it is closed."""

    def __init__(self, home: Taps, callback: TapCallback) -> None:
        self.callback = callback
        self.failed_before = False
        self._home = home

    def close(self) -> None:
        """Stop the calls. Closing twice is fine."""
        self._home.remove(self)


class Taps:
    """The taps of one connection."""

    def __init__(self, tally: CounterSet) -> None:
        self._tally = tally
        self.open: tuple[Tap, ...] = ()

    def add(self, callback: TapCallback) -> Tap:
        """Call `callback` with every message from now on."""
        tap = Tap(self, callback)
        self.open = (*self.open, tap)
        return tap

    def remove(self, tap: Tap) -> None:
        """Stop the calls of one tap."""
        self.open = tuple(other for other in self.open if other is not tap)

    def tell(self, direction: Direction, data: bytes) -> None:
        """Call all taps with one message; an exception of a callback is logged once, then counted."""
        for tap in self.open:
            try:
                tap.callback(direction, data)
            except Exception:
                self._tally.add("handler_errors")
                if not tap.failed_before:
                    tap.failed_before = True
                    _log.exception("a tap failed; its further failures are only counted")
