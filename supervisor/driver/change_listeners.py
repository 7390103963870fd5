"""Calls listeners with every change, in order, on the loop thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeAlias

from supervisor.core.state.observed import ChangeLog
from supervisor.core.vocabulary.values import Change

_log = logging.getLogger("supervisor.listeners")

OnChange: TypeAlias = Callable[[Change], object]


class Listener:
    """One callback, called with each change until it is closed."""

    def __init__(self, callback: OnChange, home: Listeners) -> None:
        self.callback = callback
        self.failures = 0
        """The number of times that the callback raised; the first was logged."""
        self._home = home

    def close(self) -> None:
        """Stop the calls. Works from any thread; closing twice is fine."""
        self._home.remove(self)


class Listeners:
    """The callbacks of one supervisor; they outlive a stop and a start."""

    def __init__(self) -> None:
        self._open: tuple[Listener, ...] = ()
        self._reported = 0

    def add(self, callback: OnChange) -> Listener:
        """Call `callback` with every change from now on."""
        listener = Listener(callback, self)
        self._open = (*self._open, listener)
        return listener

    def remove(self, listener: Listener) -> None:
        """Stop the calls."""
        self._open = tuple(other for other in self._open if other is not listener)

    def tell(self, feed: ChangeLog) -> None:
        """Call all listeners with the new changes. An exception of one does not affect the others."""
        if feed.count == self._reported:
            return
        news = (
            feed.since(self._reported).changes if feed.count > self._reported else feed.changes
        )  # a new start counts anew
        self._reported = feed.count
        for change in news:
            for listener in self._open:
                try:
                    listener.callback(change)
                except Exception:
                    listener.failures += 1
                    if listener.failures == 1:
                        _log.exception("a callback for changes failed; its further failures are only counted")
