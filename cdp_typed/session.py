"""A flat session: one attachment to one target, multiplexed over the connection by its id."""

from __future__ import annotations

from functools import cached_property

from cdp_typed.channel import Channel
from cdp_typed.decode import decode
from cdp_typed.errors import CDPError
from cdp_typed.link import Link
from cdp_typed.protocol import target
from cdp_typed.sessions import Announced

__all__ = ["Session"]


class Session(Channel):
    """A handle on a session; handles of the same session are equal. It stays readable after the session's end."""

    def __init__(self, link: Link, announced: Announced) -> None:
        super().__init__(link, session_id=announced.session_id, hears=announced.session_id)
        self._announced = announced
        self._parent_id = link.router.sessions.parent(announced.session_id)

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
            drift=self._link.record_drift,
        )

    @property
    def target_id(self) -> target.TargetID:
        """The id of the target that the session is attached to."""
        return target.TargetID(self._announced.target_id)

    @property
    def is_over(self) -> bool:
        """Whether the session was detached or the connection lost."""
        return self._link.lost.done() or self._link.router.sessions.is_over(self._announced.session_id)

    @property
    def parent(self) -> Session | None:
        """The session on which this one was announced; `None` if that is the browser's own, or over."""
        announced = self._link.router.sessions.get(self._parent_id) if self._parent_id else None
        return Session(self._link, announced) if announced else None

    @property
    def children(self) -> tuple[Session, ...]:
        """The living sessions that were announced on this one, oldest first."""
        sessions = self._link.router.sessions
        found = (sessions.get(each) for each in sessions.children(self._announced.session_id))
        return tuple(Session(self._link, each) for each in found if each is not None)

    async def detach(self) -> None:
        """End the session (`Target.detachFromTarget`); the target lives on. Ending it twice is fine."""
        try:
            await self._link.call(target.DetachFromTarget(session_id=self.session_id), self._parent_id, 5.0)
        except CDPError:
            if not self.is_over:
                raise

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Session) and (self._link, self.session_id) == (other._link, other.session_id)

    def __hash__(self) -> int:
        return hash((id(self._link), self._announced.session_id))

    def __repr__(self) -> str:
        return f"<Session {self._announced.session_id} of {self.target_info.type} {self._announced.target_id}>"
