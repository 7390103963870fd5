"""Flat sessions, each attached to one target and multiplexed over the connection by its id; auto-attach to more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import suppress
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.client.auto_attach import Setup, TargetAttacher
from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Dispatcher, Timeout
from cdp_typed.errors import CDPError, CommandError, ConnectionLost, SessionDetached
from cdp_typed.protocol import target
from cdp_typed.wire.decoding import decode
from cdp_typed.wire.session_tree import Announced

_CLOSE_S = 5.0
_FIRST_LOOK, _LAST_LOOK = 0.005, 0.05
"""The shortest and the longest pause, in seconds, between checks that a page is gone; it doubles each time."""


class Session(Channel):
    """A handle on a session; handles of the same session are equal. It stays readable after the session's end."""

    def __init__(self, dispatcher: Dispatcher, announced: Announced) -> None:
        super().__init__(dispatcher, session_id=announced.session_id, events_of=announced.session_id)
        self._announced = announced
        self._parent_id = dispatcher.router.sessions.parent(announced.session_id)

    @property
    def session_id(self) -> target.SessionID:
        """The id that the browser gave to the session."""
        return target.SessionID(self._announced.session_id)

    @cached_property
    def target_info(self) -> target.TargetInfo:
        """The target as it was when the session began."""
        return decode(
            target.TargetInfo,
            self._announced.target_info,
            method="Target.attachedToTarget",
            drift=self._dispatcher.record_drift,
        )

    @property
    def target_id(self) -> target.TargetID:
        """The id of the target that the session is attached to."""
        return target.TargetID(self._announced.target_id)

    @property
    def is_over(self) -> bool:
        """True once the session was detached or the connection lost."""
        return self._dispatcher.lost.done() or self._dispatcher.router.sessions.is_over(self._announced.session_id)

    @property
    def parent(self) -> Session | None:
        """The session on which this one was announced; `None` if that is the browser's own, or over."""
        announced = self._dispatcher.router.sessions.get(self._parent_id) if self._parent_id else None
        return Session(self._dispatcher, announced) if announced else None

    @property
    def children(self) -> tuple[Session, ...]:
        """The living sessions that were announced on this one, oldest first."""
        sessions = self._dispatcher.router.sessions
        children = map(sessions.get, sessions.children(self._announced.session_id))
        return tuple(Session(self._dispatcher, announced) for announced in children if announced is not None)

    def auto_attach(
        self,
        *,
        enable: SessionSetup = (),
        filter: Sequence[target.FilterEntry] | None = None,
        wait_for_debugger: bool = True,
        recursive: bool = True,
        timeout: Timeout = DEFAULT,
    ) -> AutoAttach:
        """Attach to the workers and cross-process iframes of this target; see `Connection.auto_attach`."""
        return AutoAttach(
            self._dispatcher,
            self._announced.session_id,
            handle=lambda session_id: find_session(self._dispatcher, session_id),
            enable=enable,
            filter=filter,
            wait_for_debugger=wait_for_debugger,
            recursive=recursive,
            timeout=timeout,
        )

    async def detach(self) -> None:
        """End the session (`Target.detachFromTarget`); the target lives on. Ending it twice is fine."""
        try:
            await self._dispatcher.call(target.DetachFromTarget(session_id=self.session_id), self._parent_id, 5.0)
        except CDPError:
            if not self.is_over:
                raise

    async def close(self) -> None:
        """Close the tab (`Target.closeTarget`), and return when the browser has it no more, after 5 s at the latest.

        Closing twice is fine, also after the end of the connection.
        """
        # Detached right before: Chromium 156 crashes when a page with a dialog of a cross-process iframe is closed
        # while the page's session is attached.
        parent = self.parent
        detach = target.DetachFromTarget(session_id=self.session_id)
        _ = self._dispatcher.call(detach, parent.session_id if parent else None, _CLOSE_S)
        # The page or the browser may be gone already.
        with suppress(CommandError, ConnectionLost):
            await self._dispatcher.call(target.CloseTarget(target_id=self.target_id), None, _CLOSE_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(_CLOSE_S):
                    await self._gone()

    async def _gone(self) -> None:
        """Wait until the browser has no such target. Chromium replies before it closes; that takes it 0.1 s and more.

        It ends with the error of the browser, that there is no target of this id, and is no event of
        `Target.setDiscoverTargets`, because that setting is the caller's.
        """
        pause = _FIRST_LOOK
        while True:
            await self._dispatcher.call(target.GetTargetInfo(target_id=self.target_id), None, DEFAULT)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LAST_LOOK)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Session) and (self._dispatcher, self.session_id) == (
            other._dispatcher,
            other.session_id,
        )

    def __hash__(self) -> int:
        return hash((id(self._dispatcher), self._announced.session_id))

    def __repr__(self) -> str:
        return f"<Session {self._announced.session_id} of {self.target_info.type} {self._announced.target_id}>"


class PageOpening:
    """The return value of `open_page`: await it for a tab until its `close`, or enter it for one of a block."""

    def __init__(self, opens: Callable[[], Coroutine[Any, Any, Session]]) -> None:
        self._opens = opens
        self._tab: Session | None = None

    def __await__(self) -> Generator[Any, None, Session]:
        return self._opens().__await__()

    async def __aenter__(self) -> Session:
        self._tab = await self._opens()
        return self._tab

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._tab is not None
        with suppress(*(() if error is None else (CDPError,))):  # an exception of the block is not masked
            await self._tab.close()

    if not TYPE_CHECKING:  # pragma: no branch - for who forgets to await; type checkers see that themselves

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(f"not open yet, so it has no {name!r}: tab = await browser.open_page(url)")


class SetupFailure(Struct, frozen=True):
    """A set-up command that failed on a session that lives on; `None` where the caller's own function raised."""

    session: Session
    command: Command[Any] | None
    error: Exception


SessionSetup: TypeAlias = Setup[Session]


class AutoAttach(TargetAttacher[Session]):
    """Attaches to all targets below a connection or session and below those, recursively, until it is stopped.

    Made by `Connection.auto_attach` and `Session.auto_attach`: enter it (`async with`), or await it and call `stop`.
    """

    @property
    def failures(self) -> tuple[SetupFailure, ...]:
        """The latest set-up commands that failed: a worker has no `Page.enable`, a frozen page answers nothing."""
        return tuple(SetupFailure(*failure) for failure in self._failures)


def find_session(dispatcher: Dispatcher, session_id: str) -> Session:
    """Return the session with this id.

    Raises `SessionDetached` if it is over, and `LookupError` if it was never announced.
    """
    announced = dispatcher.router.sessions.get(session_id)
    if announced is not None:
        return Session(dispatcher, announced)
    if dispatcher.router.sessions.is_over(session_id):
        raise SessionDetached(session_id)
    raise LookupError(f"session {session_id} was never announced on this connection")
