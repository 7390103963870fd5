"""The log of received commands, those still unanswered, and the faults that wait for a reply."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from cdp_typed.mock.control.stubs import Fault, ReadableFault
from cdp_typed.mock.state.messages import SendMessage

__all__ = ["CallLog", "Received"]

_CallKey = tuple[int, int, str | None]


class Received(Struct, frozen=True):
    """A call as it arrived. `session` is None on the connection's own session."""

    connection: int
    session: str | None
    method: str
    params: dict[str, Any]


class CallLog:
    """The calls of one mock; the n-th answer to a call is told from others by connection, id and session."""

    def __init__(self) -> None:
        self._calls: list[Received] = []
        self._owed: dict[_CallKey, Received] = {}
        self._faults: dict[_CallKey, Fault] = {}

    @property
    def calls(self) -> tuple[Received, ...]:
        """Every call so far, in order of arrival."""
        return tuple(self._calls)

    @property
    def pending(self) -> tuple[Received, ...]:
        """The calls that no readable answer was sent to, in order of arrival."""
        return tuple(self._owed.values())

    def note(self, received: Received) -> None:
        """A call arrived."""
        self._calls.append(received)

    def owe(self, number: int, received: Received) -> None:
        """That call, of this id, is to be answered."""
        self._owed[received.connection, number, received.session] = received

    def spoil(self, connection: int, number: int, session: str | None, fault: Fault) -> None:
        """Do this to the answer to a call."""
        self._faults[connection, number, session] = fault

    def settle(self, reply: SendMessage) -> Fault | None:
        """An answer is about to be sent: what is to be done to it."""
        call = (reply.connection, reply.payload["id"], reply.payload.get("sessionId"))
        fault = self._faults.pop(call, None)
        if fault is None or isinstance(fault, ReadableFault):
            self._owed.pop(call, None)
        return fault
