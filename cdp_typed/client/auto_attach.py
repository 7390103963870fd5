"""Recursive auto-attach: a session for every target below a channel, set up as it appears.

It is generic over the handle of a session (`S`), because `Session` itself offers auto-attach and imports it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Generic, Self, TypeAlias, TypeVar

from cdp_typed._base import Command
from cdp_typed.client.dispatcher import Dispatcher, Timeout
from cdp_typed.client.subscriptions import Subscription
from cdp_typed.errors import CDPError, CommandError, CommandTimeout, MethodNotFound
from cdp_typed.protocol import runtime, target

S = TypeVar("S")

_LEFT_OUT = ("browser", "tab", "browser_ui")
"""The types of targets that no page can make. Chromium's own filter lets the popups of its address bar in."""

_SHARED = ("service_worker", "shared_worker")
"""The types of targets that belong to no single page."""

MAX_REFUSALS = 100
"""The number of set-up failures that are kept, the latest ones."""

Setup: TypeAlias = Sequence[Command[Any]] | Callable[[S], Iterable[Command[Any]]]
"""Commands for every new session, or a function that returns them for a session."""

_STOP_TIMEOUT = 5.0


class TargetAttacher(Generic[S]):
    """Attaches to all targets below a channel and below those, recursively, until it is stopped.

    Enter it (`async with`), or await it and call `stop`. Every session that appears, also one for a target that was
    attached before, is sent in one burst: the commands of `enable`, its own `Target.setAutoAttach`, and
    `Runtime.runIfWaitingForDebugger` where it waits for that. No reply is awaited, as a page that a dialog freezes
    answers nothing. A target that had a session on this connection before keeps it and gets no second one, which would
    deliver each event twice.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        session_id: str | None,
        *,
        handle: Callable[[str], S],
        enable: Setup[S],
        filter: Sequence[target.FilterEntry] | None,
        wait_for_debugger: bool,
        recursive: bool,
        timeout: Timeout,
    ) -> None:
        self._dispatcher = dispatcher
        self._session_id = session_id
        self._handle = handle
        self._enable = enable
        if filter is None:
            left_out = (target.FilterEntry(type=name, exclude=True) for name in _LEFT_OUT)
            filter = [*left_out, target.FilterEntry()]
        self._set_auto_attach = target.SetAutoAttach(
            auto_attach=True, wait_for_debugger_on_start=wait_for_debugger, flatten=True, filter=list(filter)
        )
        self._recursive = recursive
        self._timeout: Timeout = timeout
        self._sessions: dict[str, Subscription] = {}
        self._adopted: set[str] = set()
        self._switched_on: set[str] = set()
        self._starting: asyncio.Future[None] | None = None
        self._failures: deque[tuple[S, Command[Any] | None, Exception]] = deque(maxlen=MAX_REFUSALS)
        self._root: Subscription | None = None

    @property
    def sessions(self) -> tuple[S, ...]:
        """The living sessions of the targets that it attached to, oldest first."""
        return tuple(self._handle(session_id) for session_id in self._sessions)

    async def start(self) -> Self:
        """Start auto-attach (`Target.setAutoAttach`). When this returns, every existing target has its session.

        Raises as `send` does.
        """
        if self._root is not None:
            raise RuntimeError("an auto-attach can be started only once")
        self._root = self._listen(self._session_id)
        try:
            self._starting = self._dispatcher.call(self._set_auto_attach, self._session_id, self._timeout)
            if self._session_id is not None:
                self._note_switched_on(self._session_id)
                self._adopt_below(self._session_id)
            await self._starting
        except BaseException:
            self._close_subscriptions()
            raise
        return self

    async def stop(self) -> None:
        """Turn auto-attach off; the browser detaches the sessions that it attached. Stopping twice is fine.

        A session that is older than the auto-attach lives on, and the domains that `enable` enabled stay enabled.
        """
        if self._root is None or self._root.closed:
            return
        adopted = self._adopted & self._switched_on
        self._close_subscriptions()
        off = target.SetAutoAttach(auto_attach=False, wait_for_debugger_on_start=False, flatten=True)
        for session_id in adopted:
            _ = self._dispatcher.call(off, session_id, _STOP_TIMEOUT)
        try:
            await self._dispatcher.call(off, self._session_id, _STOP_TIMEOUT)
        except CDPError:
            if not self._is_over():
                raise

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __await__(self) -> Generator[Any, None, Self]:
        return self.start().__await__()

    def _is_over(self) -> bool:
        return self._dispatcher.lost.done() or (
            self._session_id is not None and self._dispatcher.router.sessions.is_over(self._session_id)
        )

    def _listen(self, session_id: str | None) -> Subscription:
        # One listener per session, because it ends with the session: a target is announced on its parent's session.
        return self._dispatcher.subscribe(
            (target.AttachedToTarget,), session_id, self._attached, partial(self._ended, session_id)
        )

    def _attached(self, above: str | None, event: target.AttachedToTarget) -> None:
        if event.session_id in self._sessions:
            return
        twin = self._twin(event)
        if twin is not None:
            # Announced by the browser and by a page. The browser's session outlives the page, so that one is kept.
            superfluous, its_parent = event.session_id, above
            if above is None:
                superfluous, its_parent = target.SessionID(twin), self._dispatcher.router.sessions.parent(twin)
            detach = target.DetachFromTarget(session_id=superfluous)
            _ = self._dispatcher.call(detach, its_parent, _STOP_TIMEOUT)
            if above is not None:
                return
        older = self._older_session(event)
        if older is None:
            self._set_up(event.session_id, waiting=event.waiting_for_debugger)
        else:
            _ = self._dispatcher.call(target.DetachFromTarget(session_id=event.session_id), above, _STOP_TIMEOUT)
            self._adopt(older)

    def _twin(self, event: target.AttachedToTarget) -> str | None:
        """Return our session of the same worker, which the browser announces for each auto-attach that finds it."""
        if event.target_info.type not in _SHARED:
            return None
        known = self._dispatcher.router.sessions.of_target(event.target_info.target_id)
        return next((each for each in known if each != event.session_id and each in self._sessions), None)

    def _older_session(self, event: target.AttachedToTarget) -> str | None:
        # Only what comes before the reply to the start is announced because of it. Later, the caller may have attached.
        if self._starting is None or self._starting.done():
            return None
        known = self._dispatcher.router.sessions.of_target(event.target_info.target_id)
        return next((session_id for session_id in known if session_id != event.session_id), None)

    def _adopt(self, session_id: str) -> None:
        if session_id in self._sessions:
            return
        self._adopted.add(session_id)
        self._set_up(session_id, waiting=False)
        if self._recursive:
            self._adopt_below(session_id)

    def _adopt_below(self, session_id: str) -> None:
        for child in self._dispatcher.router.sessions.children(session_id):
            self._adopt(child)

    def _set_up(self, session_id: str, *, waiting: bool) -> None:
        session = self._handle(session_id)
        self._sessions[session_id] = self._listen(session_id)
        own: list[Command[Any]] = []
        if self._recursive and session_id not in self._dispatcher.auto_attaching:
            # Chromium leaves an iframe paused that changes its process while this is sent again.
            self._note_switched_on(session_id)
            own.append(self._set_auto_attach)
        if waiting:
            own.append(runtime.RunIfWaitingForDebugger())
        try:
            enable = tuple(self._enable(session) if callable(self._enable) else self._enable)
            futures = self._dispatcher.call_many((*enable, *own), session_id, self._timeout)
        except Exception as error:  # raised by the caller's function; the target must not stay paused for it
            self._failures.append((session, None, error))
            enable = ()
            futures = self._dispatcher.call_many(own, session_id, self._timeout)
        for command, future in zip((*enable, *own), futures, strict=True):
            future.add_done_callback(partial(self._replied, session, command))

    def _note_switched_on(self, session_id: str) -> None:
        self._switched_on.add(session_id)
        self._dispatcher.auto_attaching.add(session_id)

    def _replied(self, session: S, command: Command[Any], future: asyncio.Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, MethodNotFound) and isinstance(
            command, target.SetAutoAttach | runtime.RunIfWaitingForDebugger
        ):
            return  # not every kind of target can have others below it, or wait
        if isinstance(error, CommandError | CommandTimeout):
            self._failures.append((session, command, error))

    def _ended(self, session_id: str | None, _error: CDPError, last: bool) -> None:
        if last and session_id is not None:
            self._sessions.pop(session_id, None)
            self._adopted.discard(session_id)
            self._switched_on.discard(session_id)
            self._dispatcher.auto_attaching.discard(session_id)

    def _close_subscriptions(self) -> None:
        assert self._root is not None
        for subscription in (self._root, *self._sessions.values()):
            subscription.close()
        self._dispatcher.auto_attaching -= self._switched_on
        self._switched_on.clear()
        self._adopted.clear()
        self._sessions.clear()
