"""Recursive auto-attach: a session for every target below a channel, set up as it appears."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.client.dispatcher import Dispatcher, Timeout
from cdp_typed.client.subscriptions import Subscription
from cdp_typed.errors import CDPError, CommandError, CommandTimeout, MethodNotFound
from cdp_typed.protocol import runtime, target

if TYPE_CHECKING:
    from cdp_typed.client.session import Session

__all__ = ["EVERYTHING", "MAX_REFUSALS", "AutoAttach", "Refusal", "Setup"]

EVERYTHING: Sequence[target.FilterEntry] = (
    target.FilterEntry(type="browser", exclude=True),
    target.FilterEntry(type="tab", exclude=True),
    target.FilterEntry(type="browser_ui", exclude=True),
    target.FilterEntry(),
)
"""Every target that a page can make. Chromium's own filter lets the popups of its address bar in too."""

MAX_REFUSALS = 100
"""How many of the latest `Refusal` records are kept."""

Setup: TypeAlias = "Sequence[Command[Any]] | Callable[[Session], Iterable[Command[Any]]]"
"""Commands for every new session, or what makes them for one session."""

_STOP_TIMEOUT = 5.0


class Refusal(Struct, frozen=True):
    """A set-up command that failed on a session that lives on; `None` where the caller's own function raised."""

    session: Session
    command: Command[Any] | None
    error: Exception


class AutoAttach:
    """Attaches to all targets below a channel and below those, recursively, until it is stopped.

    Enter it (`async with`), or await it and call `stop`. Every session that appears, also one for a target that was
    attached before, gets in one burst: the commands of `enable`, the order to attach what is below it, and leave to
    run, where it waits for that. Nothing of it is awaited, as a page that a dialog freezes answers nothing.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        session_id: str | None,
        *,
        handle: Callable[[str], Session],
        enable: Setup,
        filter: Sequence[target.FilterEntry],
        wait_for_debugger: bool,
        recursive: bool,
        timeout: Timeout,
    ) -> None:
        self._dispatcher = dispatcher
        self._session_id = session_id
        self._handle = handle
        self._enable = enable
        self._order = target.SetAutoAttach(
            auto_attach=True, wait_for_debugger_on_start=wait_for_debugger, flatten=True, filter=list(filter)
        )
        self._recursive = recursive
        self._timeout: Timeout = timeout
        self._sessions: dict[str, Subscription] = {}
        self._refusals: deque[Refusal] = deque(maxlen=MAX_REFUSALS)
        self._root: Subscription | None = None

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The living sessions that were attached this way, oldest first."""
        return tuple(self._handle(each) for each in self._sessions)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The latest set-up commands that failed: a worker has no `Page.enable`, a frozen page answers nothing."""
        return tuple(self._refusals)

    async def start(self) -> Self:
        """Begin (`Target.setAutoAttach`); the sessions of targets that exist are there when this returns.

        Raises as `send` does.
        """
        if self._root is not None:
            raise RuntimeError("an auto-attach can be started only once")
        self._root = self._listen(self._session_id)
        try:
            await self._dispatcher.call(self._order, self._session_id, self._timeout)
        except BaseException:
            self._fall_silent()
            raise
        return self

    async def stop(self) -> None:
        """Attach no more; the browser detaches what was attached this way. Stopping twice is fine."""
        if self._root is None or self._root.closed:
            return
        self._fall_silent()
        off = target.SetAutoAttach(auto_attach=False, wait_for_debugger_on_start=False, flatten=True)
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
        # One listener per session: it ends with the session, and a session's news come on the one above it.
        return self._dispatcher.subscribe(
            (target.AttachedToTarget,), session_id, self._attached, partial(self._ended, session_id)
        )

    def _attached(self, _above: str | None, event: target.AttachedToTarget) -> None:
        if event.session_id in self._sessions:
            return
        session = self._handle(event.session_id)
        self._sessions[event.session_id] = self._listen(event.session_id)
        own: list[Command[Any]] = [self._order] if self._recursive else []
        if event.waiting_for_debugger:
            own.append(runtime.RunIfWaitingForDebugger())
        try:
            asked = tuple(self._enable(session) if callable(self._enable) else self._enable)
            futures = self._dispatcher.call_many((*asked, *own), event.session_id, self._timeout)
        except Exception as error:  # the caller's own; whatever it is, the target must not stay paused for it
            self._refusals.append(Refusal(session, None, error))
            asked = ()
            futures = self._dispatcher.call_many(own, event.session_id, self._timeout)
        for command, future in zip((*asked, *own), futures, strict=True):
            future.add_done_callback(partial(self._answered, session, command))

    def _answered(self, session: Session, command: Command[Any], future: asyncio.Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, MethodNotFound) and isinstance(
            command, target.SetAutoAttach | runtime.RunIfWaitingForDebugger
        ):
            return  # not every kind of target can have others below it, or wait
        if isinstance(error, CommandError | CommandTimeout):
            self._refusals.append(Refusal(session, command, error))

    def _ended(self, session_id: str | None, _error: CDPError, last: bool) -> None:
        if last and session_id is not None:
            self._sessions.pop(session_id, None)

    def _fall_silent(self) -> None:
        assert self._root is not None
        for each in (self._root, *self._sessions.values()):
            each.close()
        self._sessions.clear()
