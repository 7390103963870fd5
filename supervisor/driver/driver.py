"""The asyncio shell around the core: performs effects, and feeds inputs to the core."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, assert_never, get_args

from cdp_typed import Connection, ConnectionLost, Counters, Subscription
from cdp_typed._base import Command
from cdp_typed.printable import visible
from cdp_typed.protocol import fetch
from cdp_typed.redaction import Redaction
from supervisor.config import Config
from supervisor.core.connection import lifecycle
from supervisor.core.state.observed import ChangeLog
from supervisor.core.state.pages import BLANK
from supervisor.core.state.world import State
from supervisor.core.step import step
from supervisor.core.vocabulary import command_tags, effects, inputs, requests
from supervisor.core.vocabulary.errors import NotRunning, UnsupportedByBrowser
from supervisor.core.vocabulary.timers import Timer
from supervisor.core.vocabulary.url_rules import UrlRules

from .change_listeners import Listeners
from .kept_bodies import KeptBodies
from .log import ConnectionLog, log
from .page_pictures import Screenshots
from .reconnecting_connection import ConnectionListener, ReconnectingConnection
from .recorder import DEFAULT_RECORDING, Recorder

R = TypeVar("R")

TOOL_BEGAN, TOOL_ENDED = "tool_began", "tool_ended"
"""The kinds of lines in a flight recording that are about calls of tools."""

FAREWELL_S = 0.5
"""Seconds that pages have to get their own functions back from the bridge when the supervisor stops."""

_log = logging.getLogger("supervisor.driver")

STOP_TIMEOUT_S = 0.5
"""Seconds that the browser has to close the pages that the supervisor opened."""


class Driver:
    """One supervisor on one event loop; every method but `state` is to be used on that loop."""

    def __init__(
        self,
        config: Config,
        *,
        listeners: Listeners | None = None,
        clock: Callable[[], float] = time.time,
        redaction: Redaction | None = None,
    ) -> None:
        self.state: State = config.beginning()
        """Replaced as a whole by each step: safe to read from any thread."""
        self.loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        self.round_trip_s: float | None = None
        """Seconds that the last command to the browser itself took."""
        self._config = config
        self._start_deadline: asyncio.Timeout | None = None
        self._listeners = listeners or Listeners()
        self._clock = clock
        secret = self.state.world.bridge.secret
        record_to = config.record_to or DEFAULT_RECORDING.next_file()
        self._recorder = Recorder(record_to, config, secret, redaction) if record_to else None
        self._connection = ReconnectingConnection(config, self._listener(), get_args(inputs.CdpEvent), self._recorder)
        self._screenshots: Screenshots | None = None
        if self._recorder is not None and config.record_screenshots:
            quality = config.record_screenshot_quality
            self._screenshots = Screenshots(self._connection, self._recorder, clock, quality=quality)
        self.bodies: KeptBodies = KeptBodies(self._connection, self._recorder)
        self._log = ConnectionLog()
        self._logged = 0
        self._mishaps: frozenset[str] = frozenset()
        self._inbox: deque[inputs.Input] = deque()
        self._stepping = False
        self._sent: dict[command_tags.Tag, asyncio.Future[Any]] = {}
        self._timers: dict[Timer, asyncio.TimerHandle] = {}
        self._callers: dict[str, asyncio.Future[Any]] = {}
        self._watchers: list[tuple[Callable[[State], bool], asyncio.Future[State]]] = []
        self._call_ids = itertools.count(1)

    def _listener(self) -> ConnectionListener:
        return ConnectionListener(
            asked=self._on_asked,
            up=lambda name: self._feed(inputs.Connected(name)),
            failed=self._feed,
            lost=lambda reason: self._feed(inputs.Disconnected(reason)),
            event_received=lambda session_id, event: self._feed(inputs.EventReceived(session_id, event)),
        )

    async def start(self, timeout_s: float) -> None:
        """Connect and wait until every page that exists has been seen. A person who has to allow the connection has
        `CONSENT_TIMEOUT` seconds besides, and as long for a program that asks before.

        Raises `EndpointError` when the browser cannot be reached (`NotABrowser` for an inspector of Node or the
        websocket of a single page), `UnsupportedByBrowser` when it lacks what a supervisor needs, `TimeoutError` when
        it does not answer in time, and `NotRunning` when `stop` comes first.
        """
        async with asyncio.timeout(timeout_s) as deadline:
            self._start_deadline = deadline
            try:
                name = await self._connection.open(timeout_s)
            finally:
                self._start_deadline = None
            if deadline.when() is None:
                deadline.reschedule(self.loop.time() + timeout_s)
            ready = self._expect_outcome(lifecycle.START)
            self._feed(inputs.Connected(name))
            try:
                await ready
            except UnsupportedByBrowser:
                if self._connection.asks_person:
                    raise
                await self._connection.require_browser(timeout_s)
                raise

    def _on_asked(self, sentence: str) -> None:
        _log.warning("%s", sentence)
        if self._start_deadline is not None and not self._start_deadline.expired():
            self._start_deadline.reschedule(None)  # to connect has its own deadline
        self._feed(inputs.PersonAsked(sentence))

    @property
    def config_of_others(self) -> Config:
        """The settings with which further connections to the browser ask no person."""
        opened = self._connection.opened
        return self._config if opened is None else opened.config_of_others(self._config)

    async def stop(self) -> None:
        """End every call, disarm every timer, close the pages that the supervisor opened, and the connection."""
        if self.state.world.bridge.is_armed:
            with contextlib.suppress(TimeoutError):  # of a page that does not answer, the browser takes it with us
                async with asyncio.timeout(FAREWELL_S):
                    await self.request(lambda call_id: requests.BridgeEnding(call_id))
        self._feed(inputs.StopRequested())
        closing = [future for tag, future in self._sent.items() if isinstance(tag, command_tags.PageClosed)]
        if closing:
            await asyncio.wait(closing, timeout=STOP_TIMEOUT_S)
        await self._connection.close()
        if self._recorder is not None:
            self._recorder.close()
        for handle in self._timers.values():
            handle.cancel()
        self._timers.clear()
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
        return 0.0 if self._connection.opened_at is None else self.loop.time() - self._connection.opened_at

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
        connection = self._connection.connection
        return Counters() if connection is None else connection.counters

    async def restrict(self, *url_rules: UrlRules) -> None:
        """Add URL rules for pages and frames."""
        for rules in url_rules:
            self._feed(inputs.UrlRulesAdded(rules))

    async def request(self, make: Callable[[str], requests.Request]) -> Any:
        """Send a caller's request to the core under a new id, and return its result or raise its error."""
        call_id = f"c-{next(self._call_ids)}"
        outcome = self._expect_outcome(call_id)
        self._feed(make(call_id))
        try:
            return await outcome
        except asyncio.CancelledError:
            self._callers.pop(call_id, None)
            self._feed(requests.CallAbandoned(call_id))
            raise

    async def open_page(
        self, url: str, *, background: bool, select: bool, context: str | None, timeout_s: float
    ) -> tuple[State, str]:
        """Open a page and show an address in it; returns the state in which it is there, and its target id.

        Raises what a navigation raises, and `TimeoutError`.
        """

        def is_there(state: State) -> bool:
            session = state.world.targets.page(target_id)
            return session is not None and session.is_settled

        async with asyncio.timeout(timeout_s):
            target_id: str = await self.request(
                lambda call_id: requests.OpenRequested(
                    call_id=call_id, background=background, select=select, context=context
                )
            )
            await self.wait_for(is_there)
            if url != BLANK:
                await self.request(
                    lambda call_id: requests.NavigationRequested(
                        call_id=call_id, page_id=target_id, work=requests.NavigatePage(url), timeout_s=timeout_s
                    )
                )
        return self.state, target_id

    async def send_unrecorded(self, command: Command[R], session_id: str | None, timeout_s: float) -> R:
        """Send a command beside the core; neither it nor its reply is in a flight recording.

        Raises what `Connection.send` raises.
        """
        with self._recorder.silence() if self._recorder is not None else contextlib.nullcontext():
            reply = self._alive().send_nowait(command, session_id=session_id, timeout=timeout_s)
        return await reply

    def answer_requests(self, session_id: str, answer: Callable[[fetch.RequestPaused], Command[Any]]) -> Subscription:
        """Send what `answer` gives for each request that is held on a session which the core does not use."""

        def on_request(paused_on: str | None, event: fetch.RequestPaused) -> None:
            if paused_on == session_id and not connection.closed:
                replying = connection.send_nowait(answer(event), session_id=session_id)
                replying.add_done_callback(lambda reply: reply.cancelled() or reply.exception())

        connection = self._alive()
        return connection.listen(on_request, fetch.RequestPaused)

    def _alive(self) -> Connection:
        connection = self._connection.connection
        if connection is None:
            raise ConnectionLost(self.state.world.connection.reason)
        return connection

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

    def _feed(self, received: inputs.Input) -> None:
        """Step through the inbox. Inputs that an effect causes are appended and wait for their turn."""
        self._inbox.append(received)
        if self._stepping:
            return
        self._stepping = True
        try:
            while self._inbox:
                before, next_input, now = self.state, self._inbox.popleft(), self._clock()
                if self._recorder is not None:
                    self._recorder.take(next_input, now)
                self.state, todo = step(self.state, next_input, now)
                if self.state.world.connection is not before.world.connection:
                    self._log.note(before.world.connection, self.state.world.connection, now)
                if self.state.rejected is not before.rejected:
                    self._log_mishaps()
                self._perform(todo)
                if self.state.world.network_requests is not before.world.network_requests:
                    self.bodies.see(next_input, self.state.world.network_requests)
        finally:
            self._stepping = False
        if self.state.world.change_log.count != self._logged:
            self._tell_changes(self.state.world.change_log)
        if self._screenshots is not None:
            self._screenshots.see(self.state.world)
        if self._watchers:
            self._wake_watchers()

    @property
    def is_recording(self) -> bool:
        """There is a flight recording."""
        return self._recorder is not None

    def record(self, kind: str, fields: Mapping[str, Any]) -> None:
        """A separate line in the flight recording, if there is one; after the end of a tool, a picture."""
        if self._recorder is not None:
            self._recorder.remark(kind, {"at": self._clock(), **fields})
        if self._screenshots is not None and kind == TOOL_ENDED:
            self._screenshots.take(None, "tool")

    def _log_mishaps(self) -> None:
        mishaps = self.state.rejected
        if len(mishaps) > len(self._mishaps):
            for name in mishaps.keys() - self._mishaps:
                _log.error("%s was left out, and is only counted from now on: %s", name, visible(mishaps[name].reason))
            self._mishaps = frozenset(mishaps)

    def _tell_changes(self, feed: ChangeLog) -> None:
        changes = feed.since(self._logged).changes
        self._logged = feed.count
        for change in changes:
            log(change)
            for listener in self._listeners.open:
                listener.tell(change)

    def _perform(self, todo: effects.Effects) -> None:
        for effect in todo:
            match effect:
                case effects.Send():
                    self._send(effect)
                case effects.Forget(tag):
                    if (future := self._sent.pop(tag, None)) is not None:
                        future.cancel()
                case effects.Arm(timer, delay_s):
                    if (handle := self._timers.pop(timer, None)) is not None:
                        handle.cancel()
                    self._timers[timer] = self.loop.call_later(delay_s, self._fire, timer)
                case effects.Disarm(timer):
                    if (handle := self._timers.pop(timer, None)) is not None:
                        handle.cancel()
                case effects.Connect(within_s):
                    self._connection.reconnect(within_s)
                case effects.Disconnect():
                    self._connection.disconnect()
                case effects.CompleteCall(call_id, outcome):
                    self._tell(call_id, outcome)
                case _:
                    assert_never(effect)

    def _send(self, send: effects.Send) -> None:
        tag, sent_at = send.tag, self.loop.time()

        def report(done: asyncio.Future[Any]) -> None:
            if send.session_id is None:
                self.round_trip_s = self.loop.time() - sent_at
            if tag is None:
                _ignore_outcome(done)
            else:
                self._report(tag, done)

        try:
            future = self._connection.send(send.command, send.session_id, send.timeout_s, report)
        except Exception as error:  # a caller's command that cannot be written as JSON: only its caller gets the error
            if tag is None:
                raise
            self._inbox.append(inputs.CommandFailed(tag, error))
            return
        if tag is not None and future is not None:
            self._sent[tag] = future
        elif tag is not None:
            self._inbox.append(inputs.CommandFailed(tag, ConnectionLost(self.state.world.connection.reason)))

    def _report(self, tag: command_tags.Tag, future: asyncio.Future[Any]) -> None:
        if self._sent.get(tag) is future:
            del self._sent[tag]
        if future.cancelled():
            return
        error = future.exception()
        if error is None:
            self._feed(inputs.CommandSucceeded(tag, future.result()))
        elif isinstance(error, Exception):
            if isinstance(tag, command_tags.ChildAutoAttach | command_tags.LogEnabled):
                _ignore_outcome(future)
            self._feed(inputs.CommandFailed(tag, error))

    def _fire(self, timer: Timer) -> None:
        del self._timers[timer]
        self._feed(inputs.TimerFired(timer))

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
            except Exception as error:  # the watcher's own mistake: only it gets the error
                watcher.set_exception(error)
            else:
                watcher.set_result(self.state)
            self._watchers.remove(entry)


def _ignore_outcome(future: asyncio.Future[Any]) -> None:
    """Send a set-up command of a session. Nothing waits for it; when it fails, its information stays unknown."""
    if not future.cancelled() and future.exception() is not None:
        _log.debug("set-up command refused: %s", future.exception())
