"""Calls listeners with every change, in order, on the loop thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeAlias

from supervisor.core.vocabulary.values import Change

_log = logging.getLogger("supervisor.listeners")

OnChange: TypeAlias = Callable[[Change], object]


class Listener:
    """One callback, called with each change until it is closed."""

    def __init__(self, callback: OnChange, home: Listeners) -> None:
        self.callback = callback
        self.failures: int = 0
        """The number of times that the callback raised; the first was logged."""
        self._home = home

    def tell(self, change: Change) -> None:
        """Call the callback. Its first exception is logged, and none is raised."""
        try:
            self.callback(change)
        except Exception:
            self.failures += 1
            if self.failures == 1:
                _log.exception("a callback for changes failed; its further failures are only counted")

    def close(self) -> None:
        """Stop the calls. Works from any thread; closing twice is fine."""
        self._home.remove(self)


class Listeners:
    """The callbacks of one supervisor; they outlive a stop and a start."""

    def __init__(self) -> None:
        self.open: tuple[Listener, ...] = ()

    def add(self, callback: OnChange) -> Listener:
        """Call `callback` with every change from now on."""
        listener = Listener(callback, self)
        self.open = (*self.open, listener)
        return listener

    def remove(self, listener: Listener) -> None:
        """Stop the calls."""
        self.open = tuple(other for other in self.open if other is not listener)
