"""Flat sessions, each attached to one target and multiplexed over the connection by its id; auto-attach to more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.client.auto_attach import Setup, TargetAttacher
from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Dispatcher, Timeout
from cdp_typed.errors import CDPError, SessionDetached
from cdp_typed.protocol import target
from cdp_typed.wire.decoding import decode
from cdp_typed.wire.session_tree import Announced


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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Session) and (self._dispatcher, self.session_id) == (
            other._dispatcher,
            other.session_id,
        )

    def __hash__(self) -> int:
        return hash((id(self._dispatcher), self._announced.session_id))

    def __repr__(self) -> str:
        return f"<Session {self._announced.session_id} of {self.target_info.type} {self._announced.target_id}>"


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
