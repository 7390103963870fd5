"""A connection to the browser that can be opened again. Late events and replies of an earlier one are dropped."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from cdp_typed import CDPError, Connection, ConnectionLost, EndpointError, NotAllowed
from cdp_typed._base import Command, Event
from cdp_typed.addresses import kind_of_address
from cdp_typed.client.connect import Opening
from supervisor.config import Config
from supervisor.core.vocabulary import inputs
from supervisor.core.vocabulary.errors import NotRunning

from . import controls
from .connecting import OpenedConnection, open_connection, opening_of
from .recorder import Recorder

T = TypeVar("T")

DIAL_TIMEOUT_S = 10.0
STARTING_S = 3.0
"""Seconds for which a browser that is being started may refuse the first connection."""
REFUSED_PAUSE_S = 0.1

_FINAL = (401, 403, 404, 410)
"""HTTP statuses that waiting does not change."""

_ASKS_AGAIN = "the connection ended, and the browser asks a person at each new one: start again to ask"

_BROWSER = re.compile(r"/devtools/browser/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$")
"""Chromium makes a new id at each start. Another service may put anything here."""


@dataclass(frozen=True)
class ConnectionListener:
    """The callbacks of a `ReconnectingConnection`."""

    asked: Callable[[str], None]
    """A person is asked to allow the first connection; a sentence for that person."""
    up: Callable[[str | None], None]
    failed: Callable[[inputs.ConnectFailed], None]
    lost: Callable[[str], None]
    event_received: Callable[[str | None, Any], None]


class ReconnectingConnection:
    """Opened and used on one event loop. `events` are the classes of the events that its listener gets."""

    def __init__(
        self,
        config: Config,
        listener: ConnectionListener,
        events: tuple[type[Event], ...],
        recorder: Recorder | None = None,
    ) -> None:
        self.connection: Connection | None = None
        self.opened: OpenedConnection | None = None
        """The connection that was opened last, with the browser that it shares, if any."""
        self.opened_at: float | None = None
        """The time at which the last connection was opened, on the clock of the loop."""
        self._config = config
        self._listener = listener
        self._recorder = recorder
        self._events = events
        self.asks_person: bool = False
        """A person had to allow the last connection."""
        self._connecting: asyncio.Task[Any] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self, timeout_s: float) -> str | None:
        """Connect, and return the id of the browser in its address (see `browser_id`).

        Raises what `cdp_typed.connect` raises, and `NotRunning` when it is disconnected meanwhile.
        """
        self._connecting = connecting = self._spawn(self._connect_first(timeout_s))
        try:
            return await connecting
        except asyncio.CancelledError:
            if self._connecting is connecting:  # it is the caller who was cancelled
                raise
            raise NotRunning("stopped") from None

    def reconnect(self, within_s: float) -> None:
        """Connect again after a pause of half to all of `within_s`: many clients of one browser must not all come back
        at the same moment."""
        self._stop_connecting()
        self._connecting = self._spawn(self._connect_again(within_s * random.uniform(0.5, 1)))

    def send(
        self, command: Command[Any], session_id: str | None, timeout_s: float | None, done: Callable[[Any], None]
    ) -> asyncio.Future[Any] | None:
        """Send now; `done` gets the future when it is over, unless the connection has ended or was replaced by then.

        Without a connection nothing is sent. Raises for a command that cannot be written as JSON.
        """
        connection = self.connection
        if connection is None:
            return None
        future = connection.send_nowait(command, session_id=session_id, timeout=timeout_s)
        future.add_done_callback(lambda future: done(future) if self.connection is connection else None)
        return future

    async def require_browser(self, timeout_s: float) -> None:
        """Connect once more and raise `NotABrowser` when the endpoint is something else."""
        async with self._opening(timeout_s) as connection:
            await connection.require_browser()

    def disconnect(self) -> None:
        """End the connection and any attempt to connect. The listener is not called."""
        self._stop_connecting()
        self.connection = None
        opened, self.opened = self.opened, None
        if opened is not None:
            _ = self._spawn(opened.aclose())

    async def close(self) -> None:
        """Disconnect, and return when all tasks have ended."""
        self.disconnect()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _connect_first(self, timeout_s: float) -> str | None:
        """Connect to a browser that may just be starting, whose port still refuses."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            try:
                return await self._connect(timeout_s)
            except EndpointError as error:
                is_refused = error.retryable and error.status is None
                if not is_refused or loop.time() + REFUSED_PAUSE_S > begun + min(STARTING_S, timeout_s):
                    raise
            await asyncio.sleep(REFUSED_PAUSE_S)

    def _opening(self, timeout_s: float) -> Opening:
        return opening_of(self._config, open_timeout_s=timeout_s, on_consent=self._listener.asked)

    async def _connect(self, timeout_s: float) -> str | None:
        opening = self._opening(timeout_s)
        self.opened = opened = await open_connection(opening)
        self.asks_person = opening.asked_person
        connection = self.connection = opened.connection
        if kind_of_address(opening.dialled or "") == "page":
            await connection.require_browser()
        self.opened_at = asyncio.get_running_loop().time()
        controls.note_browser(connection, opening.dialled or "")
        if self._recorder is not None:
            connection.tap(self._recorder.connection())
        connection.listen(lambda session_id, event: self._on_event(connection, session_id, event), *self._events)
        connection.lost.add_done_callback(lambda lost: self._lose(connection, lost))
        return browser_id(opening.dialled or "")

    async def _connect_again(self, pause_s: float) -> None:
        if self.asks_person:
            self._listener.failed(inputs.ConnectFailed(_ASKS_AGAIN, is_final=True))
            return
        await asyncio.sleep(pause_s)
        try:
            name = await self._connect(DIAL_TIMEOUT_S)
        except NotAllowed as error:
            failed = inputs.ConnectFailed(str(error), is_final=True)
        except EndpointError as error:
            failed = inputs.ConnectFailed(str(error), error.status in _FINAL, error.retry_after)
        except CDPError as error:
            failed = inputs.ConnectFailed(str(error))
        except Exception as error:  # of the caller's own callable; its text may hold an address with its secrets
            failed = inputs.ConnectFailed(f"the callable for the endpoint raised {type(error).__name__}")
        else:
            self._listener.up(name)
            return
        self._listener.failed(failed)

    def _stop_connecting(self) -> None:
        if self._connecting is not None:
            self._connecting.cancel()
        self._connecting = None

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _on_event(self, connection: Connection, session_id: str | None, event: Event) -> None:
        # Through the loop, like the replies (whose futures report through it): both stay in the order of the wire.
        asyncio.get_running_loop().call_soon(self._pass_on, connection, session_id, event)

    def _pass_on(self, connection: Connection, session_id: str | None, event: Event) -> None:
        if self.connection is connection:
            self._listener.event_received(session_id, event)

    def _lose(self, connection: Connection, lost: asyncio.Future[ConnectionLost]) -> None:
        if self.connection is connection:
            self.connection = None
            self._listener.lost(lost.result().reason)


def browser_id(url: str) -> str | None:
    """Return the id of this very browser in the address of its websocket, or None."""
    match = _BROWSER.search(urlsplit(url).path)
    return match[1] if match else None
