"""`SyncSession` and `SyncAutoAttach`, the blocking session and auto-attach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeAlias

from cdp_typed._base import Command
from cdp_typed.client.auto_attach import Setup
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.client.session import AutoAttach, Session, SessionSetup
from cdp_typed.protocol import target
from cdp_typed.sync.channel import SyncChannel
from cdp_typed.sync.loop_calls import end, wait, wait_call


class SyncSession(SyncChannel):
    """`Session`, blocking."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session

    @property
    def session_id(self) -> target.SessionID:
        """See `Session.session_id`."""
        return self._session.session_id

    @property
    def target_id(self) -> target.TargetID:
        """See `Session.target_id`."""
        return self._session.target_id

    @property
    def target_info(self) -> target.TargetInfo:
        """See `Session.target_info`."""
        return self._session.target_info

    @property
    def is_over(self) -> bool:
        """See `Session.is_over`."""
        return self._session.is_over

    @property
    def parent(self) -> SyncSession | None:
        """See `Session.parent`."""
        session = wait_call(lambda: self._session.parent)
        return None if session is None else SyncSession(session)

    @property
    def children(self) -> tuple[SyncSession, ...]:
        """See `Session.children`."""
        return tuple(map(SyncSession, wait_call(lambda: self._session.children)))

    def auto_attach(
        self,
        *,
        enable: SyncSetup = (),
        filter: Sequence[target.FilterEntry] | None = None,
        wait_for_debugger: bool = True,
        recursive: bool = True,
        timeout: Timeout = DEFAULT,
    ) -> SyncAutoAttach:
        """See `Session.auto_attach`, and `SyncAutoAttach`."""
        return SyncAutoAttach(
            self._session.auto_attach(
                enable=as_setup(enable),
                filter=filter,
                wait_for_debugger=wait_for_debugger,
                recursive=recursive,
                timeout=timeout,
            )
        )

    def detach(self) -> None:
        """See `Session.detach`."""
        end(self._session.detach())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SyncSession) and self._session == other._session

    def __hash__(self) -> int:
        return hash(self._session)

    def __repr__(self) -> str:
        return repr(self._session)


SyncSetup: TypeAlias = Setup[SyncSession]


@dataclass(frozen=True)
class SyncSetupFailure:
    """`SetupFailure`, with the blocking session."""

    session: SyncSession
    command: Command[Any] | None
    error: Exception


class SyncAutoAttach:
    """`AutoAttach` for `with`, or `start` it and `stop` it later.

    A function `enable(session)` is called on the loop thread: it returns commands, and must not call the client.
    """

    def __init__(self, attaching: AutoAttach) -> None:
        self._attaching = attaching

    @property
    def sessions(self) -> tuple[SyncSession, ...]:
        """See `AutoAttach.sessions`."""
        return tuple(map(SyncSession, wait_call(lambda: self._attaching.sessions)))

    @property
    def failures(self) -> tuple[SyncSetupFailure, ...]:
        """See `AutoAttach.failures`."""
        return tuple(
            SyncSetupFailure(SyncSession(failure.session), failure.command, failure.error)
            for failure in self._attaching.failures
        )

    def start(self) -> Self:
        """See `AutoAttach.start`."""
        _ = wait(self._attaching.start())
        return self

    def stop(self) -> None:
        """See `AutoAttach.stop`."""
        end(self._attaching.stop())

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def as_setup(enable: SyncSetup) -> SessionSetup:
    """Return the set-up that the async client calls with its own sessions."""
    return (lambda session: enable(SyncSession(session))) if callable(enable) else enable
