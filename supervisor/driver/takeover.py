"""A person's takeover of the browser: calls that would act on it wait until it is given back."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

from supervisor.core.vocabulary.errors import ControlledByPerson

_IS_ALLOWED: ContextVar[bool] = ContextVar("supervisor_call_is_allowed", default=False)


class WaitingCall(Struct, frozen=True):
    """A call that waits until the person gives the browser back."""

    what: str
    """A tool's name, a CDP method, or a method of the supervisor."""
    since: float
    """Seconds since the epoch."""


class Takeover:
    """Says whether a person controls the browser, and holds callers back meanwhile. May be used from any thread.

    What supervises (watchdogs, policies, dialog rules) goes on, and so does whatever was under way.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: float | None = None
        self._waiting: dict[Future[None], WaitingCall] = {}

    @property
    def since(self) -> float | None:
        """The time at which the person took over, in seconds since the epoch; None when nobody has."""
        return self._since

    @property
    def waiting(self) -> tuple[WaitingCall, ...]:
        """The calls that wait, the oldest first."""
        with self._lock:
            return tuple(self._waiting.values())

    def begin(self) -> None:
        """Hold back all calls from now on. Does nothing when a person has taken over already."""
        with self._lock:
            if self._since is None:
                self._since = time.time()

    def end(self) -> None:
        """Let the calls go on. Does nothing when nobody has taken over."""
        with self._lock:
            self._since = None
            waiting, self._waiting = tuple(self._waiting), {}
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_result(None)

    async def wait_until_allowed(self, what: str, timeout_s: float) -> float:
        """Wait until no person controls the browser; returns the seconds that are left of the deadline.

        Raises `ControlledByPerson` when it was not given back in time.
        """
        if self._since is None:
            return timeout_s
        ends = time.monotonic() + timeout_s
        while (turn := self._queue(what)) is not None:
            try:
                async with asyncio.timeout(ends - time.monotonic()):
                    await asyncio.wrap_future(turn)
            except TimeoutError:
                raise ControlledByPerson(what, timeout_s) from None
            finally:
                with self._lock:
                    self._waiting.pop(turn, None)
            timeout_s = max(ends - time.monotonic(), 0.001)
        return timeout_s

    def _queue(self, what: str) -> Future[None] | None:
        """Return a future for a call that has to wait, or None."""
        if self.since is None or _IS_ALLOWED.get():
            return None
        with self._lock:
            if self._since is None:
                return None
            turn: Future[None] = Future()
            self._waiting[turn] = WaitingCall(what, time.time())
            return turn


@contextmanager
def allowed() -> Generator[None]:
    """Let the calls of the block pass, because a person makes them or because the whole tool call was allowed
    before."""
    token = _IS_ALLOWED.set(True)
    try:
        yield
    finally:
        _IS_ALLOWED.reset(token)
