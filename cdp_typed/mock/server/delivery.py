"""Carries messages between a mock browser and its connections, and runs the browser's timers.

Everything happens on one event loop. The browser's messages, from any thread, go through one queue, so that each
connection carries them in their order.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from cdp_typed.mock.control.faults import Outgoing, WireFrame
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.personality import Personality
from cdp_typed.mock.server.pacing import MessagePacing
from cdp_typed.mock.state.messages import Hangup

_POLICY_VIOLATION = 1008


class ClientConnection(Protocol):
    """A client's connection."""

    def put(self, item: Outgoing) -> None:
        """Take a message, or the end of the connection."""
        ...

    def flush(self) -> None:
        """Send what was taken."""
        ...


class Delivery:
    """Delivers the messages of one browser between `open` and `close`; connections `join` and `leave` it.

    `errors` are the test author's mistakes that showed only when a call arrived; `died` is called when the browser is
    found dead.
    """

    def __init__(self, browser: MockBrowser, personality: Personality, *, died: Callable[[], None]) -> None:
        self._browser = browser
        self._died = died
        self._ends_dialogs_after = personality.dialogs_end_after_s
        self._pacing = MessagePacing(personality)
        self._outgoing: deque[Outgoing] = deque()
        self._waiting: deque[tuple[float, Outgoing]] = deque()
        self._connections: dict[int, ClientConnection] = {}
        self._overtaken: dict[int, list[WireFrame]] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._clock: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        self._called = False
        self._closed = False
        self.errors: list[Exception] = []

    def open(self) -> None:
        """Start, on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._browser.deliver = self._deliver

    def close(self) -> None:
        """Stop; later messages of the browser are collected in its `sent`."""
        self._closed = True
        self._browser.deliver = self._browser.sent.append
        for timer in self._timers:
            timer.cancel()
        if self._clock is not None:
            self._clock.cancel()

    # -- connections -----------------------------------------------------------------------------------------------

    def join(self, connection: ClientConnection, target: str | None = None) -> int:
        """Add a client of the browser or of one target; return the number of its connection."""
        number = self._browser.connect(target)
        self._connections[number] = connection
        return number

    def leave(self, number: int) -> None:
        """Remove a client."""
        del self._connections[number]
        self._overtaken.pop(number, None)
        self._attempt(lambda: self._browser.disconnect(number), "a client left")
        self._flush()

    def receive(self, number: int, text: str) -> None:
        """Handle a message of a client."""

        def work() -> None:
            self._browser.receive(number, text)
            self._end_dialogs()

        if not self._attempt(work, f"it handled {text[:200]}"):
            self._deliver(Hangup(number, _POLICY_VIOLATION))
        self._flush()

    def _attempt(self, work: Callable[[], None], when: str) -> bool:
        """Run `work` and return whether it succeeded. An error is a mistake in the test and is raised at its end."""
        try:
            work()
        except Exception as error:
            error.add_note(f"cdp_typed.mock: while {when}")
            self.errors.append(error)
            return False
        return True

    # -- messages --------------------------------------------------------------------------------------------------

    def _deliver(self, item: Outgoing) -> None:
        assert self._loop is not None
        self._outgoing.append(item)
        if self._called:
            return
        self._called = True
        if threading.get_ident() == self._thread:
            self._loop.call_soon(self._flush)
        else:
            self._loop.call_soon_threadsafe(self._flush)

    def _flush(self) -> None:
        # Cleared before the queue is emptied: a later message schedules the next flush.
        self._called = False
        to_flush: dict[int, ClientConnection] = {}
        while self._outgoing:
            item = self._outgoing.popleft()
            due = self._pacing.due(time.monotonic())
            if due is not None:
                self._waiting.append((due, item))
                if len(self._waiting) == 1:
                    self._later(due - time.monotonic(), self._send_due)
            elif (connection := self._send(item)) is not None:
                to_flush[item.connection] = connection
        for connection in to_flush.values():
            connection.flush()
        if not self._closed:
            self._wake()
            if self._browser.state.dead:
                self._died()

    def _send_due(self) -> None:
        while self._waiting and self._waiting[0][0] <= time.monotonic():
            _, item = self._waiting.popleft()
            if (connection := self._send(item)) is not None:
                connection.flush()
        if self._waiting:
            self._later(self._waiting[0][0] - time.monotonic(), self._send_due)

    def _send(self, item: Outgoing) -> ClientConnection | None:
        """Pass a message to its connection; None if there is none, or the message has to wait."""
        connection = self._connections.get(item.connection)
        if connection is None:
            return None
        if isinstance(item, WireFrame):
            if item.delay_s > 0:
                late = WireFrame(item.connection, item.data, text=item.text, half=item.half)
                self._later(item.delay_s, lambda: self._send_late(late))
                return None
            if item.overtaken:
                self._overtaken.setdefault(item.connection, []).append(item)
                return None
        connection.put(item)
        for frame in self._overtaken.pop(item.connection, ()):
            connection.put(frame)
        return connection

    def _send_late(self, item: WireFrame) -> None:
        if (connection := self._send(item)) is not None:
            connection.flush()

    # -- time ------------------------------------------------------------------------------------------------------

    def _later(self, seconds: float, work: Callable[[], object]) -> None:
        assert self._loop is not None

        def run() -> None:
            self._timers.discard(timer)
            work()

        timer = self._loop.call_later(max(0.0, seconds), run)
        self._timers.add(timer)

    def _wake(self) -> None:
        """Arm the clock for the next timer of a page; everything that sets one sends a message, too."""
        assert self._loop is not None
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        due = self._browser.next_due
        if due is not None:
            self._clock = self._loop.call_later(max(0.0, due - time.time()), self._tick)

    def _tick(self) -> None:
        self._clock = None

        def work() -> None:
            self._browser.advance()
            self._end_dialogs()

        self._attempt(work, "a timer of a page fired")
        self._flush()

    def _end_dialogs(self) -> None:
        """Dismiss open dialogs as the personality says: at once, or later."""
        after = self._ends_dialogs_after
        if after is None or not self._browser.dialogs:
            return
        if after == 0:
            self._browser.dismiss_dialogs()
        else:
            self._later(after, lambda: self._attempt(self._browser.dismiss_dialogs, "it dismissed a dialog"))
