"""Taps: tools that see every message of a connection as it is on the wire."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Literal, TypeAlias

from cdp_typed.wire.counters import CounterSet

__all__ = ["Direction", "Tap", "TapCallback", "Taps"]

_log = logging.getLogger("cdp_typed")

Direction: TypeAlias = Literal["sent", "received"]
"""Which way a message went, as this side sees it."""

TapCallback: TypeAlias = Callable[[Direction, bytes], object]


class Tap:
    """One callback that is told of every message until it is closed."""

    def __init__(self, home: Taps, callback: TapCallback) -> None:
        self.callback = callback
        self.failed_before = False
        self._home = home

    def close(self) -> None:
        """Be told no more. Closing twice is fine."""
        self._home.remove(self)


class Taps:
    """The taps of one connection."""

    def __init__(self, tally: CounterSet) -> None:
        self._tally = tally
        self.open: tuple[Tap, ...] = ()

    def add(self, callback: TapCallback) -> Tap:
        """Tell `callback` of every message from now on."""
        tap = Tap(self, callback)
        self.open = (*self.open, tap)
        return tap

    def remove(self, tap: Tap) -> None:
        """Tell it no more."""
        self.open = tuple(each for each in self.open if each is not tap)

    def tell(self, direction: Direction, data: bytes) -> None:
        """Tell all of one message; what a callback raises stays with it."""
        for tap in self.open:
            try:
                tap.callback(direction, data)
            except Exception:
                self._tally.add("handler_errors")
                if not tap.failed_before:
                    tap.failed_before = True
                    _log.exception("a tap failed; its further failures are only counted")
