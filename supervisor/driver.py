"""The asyncio shell around the core: performs its effects, feeds it what happens."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any, assert_never, get_args

from cdp_typed import Connection, ConnectionLost, Counters, connect

from .config import Config
from .core import effects, inputs, link
from .core.errors import NotRunning
from .core.step import State, step
from .listeners import Listeners

_log = logging.getLogger(__name__)

STOP_TIMEOUT_S = 2.0


class Driver:
    """One supervisor on one event loop; every method but `state` is to be used on that loop."""

    def __init__(
        self, config: Config, *, listeners: Listeners | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.state: State = config.beginning()
        """Replaced as a whole by each step: safe to read from any thread."""
        self.loop = asyncio.get_running_loop()
        self.round_trip_s: float | None = None
        """Seconds that the last command to the browser itself took."""
        self._config = config
        self._listeners = listeners or Listeners()
        self._clock = clock
        self._opened_at: float | None = None
        self._connection: Connection | None = None
        self._inbox: deque[inputs.Input] = deque()
        self._stepping = False
        self._sent: dict[inputs.Tag, asyncio.Future[Any]] = {}
        self._timers: dict[inputs.Timer, asyncio.TimerHandle] = {}
        self._callers: dict[str, asyncio.Future[Any]] = {}
        self._watchers: list[tuple[Callable[[State], bool], asyncio.Future[State]]] = []
        self._call_ids = itertools.count(1)

    async def start(self, timeout_s: float) -> None:
        """Connect and wait until every page that exists has been seen.

        Raises `EndpointError` when the browser cannot be reached, `TimeoutError` when it does not answer in time.
        """
        async with asyncio.timeout(timeout_s):
            config = self._config
            self._connection = await connect(
                config.cdp_url,
                open_timeout=timeout_s,
                headers=config.headers,
                proxy=config.proxy,
                ssl=config.ssl,
                transport=config.transport,
            )
            self._opened_at = self.loop.time()
            self._connection.listen(self._on_event, *get_args(inputs.CdpEvent))
            self._connection.lost.add_done_callback(self._on_lost)
            ready = self._expect_outcome(link.START)
            self._feed(inputs.LinkUp())
            await ready

    async def stop(self) -> None:
        """End every call, disarm every timer, close the connection. Nothing in the browser is answered or closed."""
        self._feed(inputs.StopRequested())
        if self._connection is not None:
            await self._connection.close()
        for timer in list(self._timers):
            self._disarm(timer)
        for caller in self._callers.values():
            if not caller.done():
                caller.set_exception(NotRunning("stopped"))
        self._callers.clear()
        for _, watcher in self._watchers:
            if not watcher.done():
                watcher.set_exception(NotRunning("stopped"))
        self._watchers.clear()

    @property
    def uptime_s(self) -> float:
        """Seconds since the connection was opened; 0 without one."""
        return 0.0 if self._opened_at is None else self.loop.time() - self._opened_at

    @property
    def waiting_inputs(self) -> int:
        """Inputs that have not been stepped through."""
        return len(self._inbox)

    @property
    def timers(self) -> int:
        """Timers that run."""
        return len(self._timers)

    @property
    def counters(self) -> Counters:
        """Of the connection."""
        return Counters() if self._connection is None else self._connection.counters

    async def request(self, make: Callable[[str], inputs.Request]) -> Any:
        """Put a caller's request to the core under an id of its own, and return or raise what it is told."""
        call_id = f"c-{next(self._call_ids)}"
        outcome = self._expect_outcome(call_id)
        self._feed(make(call_id))
        return await outcome

    async def wait_for(self, holds: Callable[[State], bool]) -> State:
        """The first state from now on, the present one included, for which `holds` is true."""
        if holds(self.state):
            return self.state
        watcher: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        self._watchers.append((holds, watcher))
        return await watcher

    def _expect_outcome(self, call_id: str) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._callers[call_id] = future
        return future

    def _on_event(self, session_id: str | None, event: inputs.CdpEvent) -> None:
        # Through the loop, like the replies (whose futures report through it): both stay in the order of the wire.
        asyncio.get_running_loop().call_soon(self._feed, inputs.EventReceived(session_id, event))

    def _on_lost(self, lost: asyncio.Future[ConnectionLost]) -> None:
        self._feed(inputs.LinkLost(lost.result().reason))

    def _feed(self, received: inputs.Input) -> None:
        """Step through the inbox; what a step's effects cause at once waits for its turn."""
        self._inbox.append(received)
        if self._stepping:
            return
        self._stepping = True
        try:
            while self._inbox:
                self.state, todo = step(self.state, self._inbox.popleft(), self._clock())
                for effect in todo:
                    self._perform(effect)
        finally:
            self._stepping = False
        self._listeners.tell(self.state.feed)
        self._wake_watchers()

    def _perform(self, effect: effects.Effect) -> None:
        match effect:
            case effects.Send():
                self._send(effect)
            case effects.Forget(tag):
                self._forget(tag)
            case effects.Arm(timer, delay_s):
                self._arm(timer, delay_s)
            case effects.Disarm(timer):
                self._disarm(timer)
            case effects.Tell(call_id, outcome):
                self._tell(call_id, outcome)
            case _:
                assert_never(effect)

    def _send(self, send: effects.Send) -> None:
        assert self._connection is not None, "the core sends nothing before it is told that the link is up"
        try:
            future = self._connection.send_nowait(send.command, session_id=send.session_id, timeout=send.timeout_s)
        except Exception as error:  # a caller's command that cannot be written as JSON: it alone is told
            if send.tag is None:
                raise
            self._inbox.append(inputs.Refused(send.tag, error))
            return
        if send.tag is None:
            future.add_done_callback(_ignore_outcome)
        else:
            tag = send.tag
            self._sent[tag] = future
            future.add_done_callback(lambda done: self._report(tag, done))
            if send.session_id is None:
                sent_at = self.loop.time()
                future.add_done_callback(lambda _: self._measure(sent_at))

    def _measure(self, sent_at: float) -> None:
        self.round_trip_s = self.loop.time() - sent_at

    def _report(self, tag: inputs.Tag, future: asyncio.Future[Any]) -> None:
        if self._sent.get(tag) is future:
            del self._sent[tag]
        if future.cancelled():
            return
        error = future.exception()
        if error is None:
            self._feed(inputs.Answered(tag, future.result()))
        elif isinstance(error, Exception):
            self._feed(inputs.Refused(tag, error))

    def _forget(self, tag: inputs.Tag) -> None:
        future = self._sent.pop(tag, None)
        if future is not None:
            future.cancel()

    def _arm(self, timer: inputs.Timer, delay_s: float) -> None:
        self._disarm(timer)
        self._timers[timer] = asyncio.get_running_loop().call_later(delay_s, self._fire, timer)

    def _fire(self, timer: inputs.Timer) -> None:
        del self._timers[timer]
        self._feed(inputs.TimerFired(timer))

    def _disarm(self, timer: inputs.Timer) -> None:
        handle = self._timers.pop(timer, None)
        if handle is not None:
            handle.cancel()

    def _tell(self, call_id: str, outcome: object) -> None:
        caller = self._callers.pop(call_id, None)
        if caller is None or caller.done():  # the caller gave up
            return
        if isinstance(outcome, Exception):
            caller.set_exception(outcome)
        elif isinstance(outcome, effects.CommandResult):
            caller.set_result(outcome.value)
        else:
            caller.set_result(outcome)

    def _wake_watchers(self) -> None:
        for entry in list(self._watchers):
            holds, watcher = entry
            if watcher.done():
                self._watchers.remove(entry)
                continue
            try:
                if not holds(self.state):
                    continue
            except Exception as error:  # the watcher's own mistake: it alone is told
                watcher.set_exception(error)
            else:
                watcher.set_result(self.state)
            self._watchers.remove(entry)


def _ignore_outcome(future: asyncio.Future[Any]) -> None:
    """Part of setting a session up. Where it fails, what it would have told us stays unknown; nothing waits for it."""
    if not future.cancelled() and future.exception() is not None:
        _log.debug("set-up command refused: %s", future.exception())
