"""The log of received commands, those still unanswered, and the faults that wait for a reply."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.mock.control.stubs import Fault, ReadableFault
from cdp_typed.mock.state.messages import SendMessage

_LONGEST: Final = 300
"""Characters that a text has in a list of refusals."""

_CallKey = tuple[int, int, str | None]


class Received(Struct, frozen=True):
    """A call as it was received. `session` is None on the connection's own session."""

    connection: int
    session: str | None
    method: str
    params: dict[str, Any]


class RefusedCall(Struct, frozen=True):
    """A call or another thing that the mock refused because it does not model it, and the text that says so."""

    what: str
    text: str

    def __str__(self) -> str:
        return f"{_line(self.what)}: {_line(self.text)}"


class ReceivedCommands(tuple[Command[Any], ...]):
    """The calls of one command as a tuple, which also knows `calls`, all that the mock had received by then.

    A failed comparison with it can tell what was received in place of what a test expected.
    """

    method: str
    calls: tuple[Received, ...]

    def __new__(cls, method: str, commands: Iterable[Command[Any]], calls: tuple[Received, ...]) -> ReceivedCommands:
        received = super().__new__(cls, commands)
        received.method = method
        received.calls = calls
        return received


def _line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST // 2]} ... {words[-_LONGEST // 2 :]}"


class CallLog:
    """The calls of one mock. A call is identified by connection, id and session."""

    def __init__(self) -> None:
        self._calls: list[Received] = []
        self._refused: list[RefusedCall] = []
        self._awaiting_reply: dict[_CallKey, Received] = {}
        self._faults: dict[_CallKey, Fault] = {}

    @property
    def calls(self) -> tuple[Received, ...]:
        """Return every call so far, in order of arrival."""
        return tuple(self._calls)

    @property
    def pending(self) -> tuple[Received, ...]:
        """Return the calls to which no readable reply was sent, in order of arrival."""
        return tuple(self._awaiting_reply.values())

    @property
    def refusals(self) -> tuple[RefusedCall, ...]:
        """Return what was refused so far because the mock does not model it, oldest first."""
        return tuple(self._refused)

    def unanswered(self, call: _CallKey) -> Received | None:
        """Return the call that waits for its reply, or None."""
        return self._awaiting_reply.get(call)

    def record_refusal(self, what: str, text: str) -> None:
        """Record that something was refused, with the text that says why."""
        self._refused.append(RefusedCall(what, text))

    def record(self, received: Received) -> None:
        """Record a call."""
        self._calls.append(received)

    def expect_reply(self, number: int, received: Received) -> None:
        """Expect a reply to a call."""
        self._awaiting_reply[received.connection, number, received.session] = received

    def set_fault(self, connection: int, number: int, session: str | None, fault: Fault) -> None:
        """Set the fault for the reply to a call."""
        self._faults[connection, number, session] = fault

    def take_fault(self, reply: SendMessage) -> Fault | None:
        """Return the fault for a reply that is about to be sent; a readable reply ends the call.
        readable."""
        call = (reply.connection, reply.payload["id"], reply.payload.get("sessionId"))
        fault = self._faults.pop(call, None)
        if fault is None or isinstance(fault, ReadableFault):
            self._awaiting_reply.pop(call, None)
        return fault
