"""Stubs and faults that a test sets in place of, or on top of, the model's behaviour."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.mock.state.error_texts import Refusal

ConnectionEnd = Literal["fin", "reset", "silence", "goodbye"]
"""The ways in which a connection ends without a closing handshake.

`fin`: the socket is closed, with no closing frame. `reset`: so is it, with a TCP reset. `silence`: nothing is read and
nothing is said any more, and the socket stays. `goodbye`: a closing frame is sent, and the socket stays.
"""


class Answer(Struct, frozen=True):
    """Reply with this result; a callable gets the call's parameters and returns it."""

    result: Mapping[str, Any] | Callable[[dict[str, Any]], Mapping[str, Any]]


class Refuse(Struct, frozen=True):
    """Reply with this error."""

    refusal: Refusal


class _TaggedAction(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Base of the actions that a scenario file names, in lower case with underscores."""


class Hang(_TaggedAction, frozen=True, tag="hang"):
    """Neither perform the call nor reply."""


class Detach(_TaggedAction, frozen=True, tag="detach"):
    """Detach the session without performing the call; Chrome does not reply to such calls either."""


class Drop(_TaggedAction, frozen=True, tag="drop"):
    """Perform the call, and drop the reply."""


class Delay(_TaggedAction, frozen=True, tag="delay"):
    """Send the message late; later messages overtake it."""

    seconds: float


class Overtaken(_TaggedAction, frozen=True, tag="overtaken"):
    """Send the message after the next one of its connection; without a next one, never."""


class Duplicate(_TaggedAction, frozen=True, tag="duplicate"):
    """Send the message twice."""


class Malformed(_TaggedAction, frozen=True, tag="malformed"):
    """Truncate the message in its middle, so that it is no JSON."""


class Binary(_TaggedAction, frozen=True, tag="binary"):
    """Send the message in a binary frame."""


class InvalidUtf8(_TaggedAction, frozen=True, tag="invalid_utf8"):
    """Send the message as text that is not UTF-8."""


class WithoutId(_TaggedAction, frozen=True, tag="without_id"):
    """Send an error object without id in place of the message, as Chrome does for unreadable messages."""


class Padded(_TaggedAction, frozen=True, tag="padded"):
    """Send the message followed by spaces, so that it has `size` bytes."""

    size: int


class Preceded(_TaggedAction, frozen=True, tag="preceded"):
    """Send something else first: text unchanged, or a mapping as JSON in the message's own session."""

    by: str | dict[str, Any]


class Missing(_TaggedAction, frozen=True, tag="missing"):
    """Send the message without one of its fields: `result.product`, `params.args.0.type`."""

    path: str


class Changed(_TaggedAction, frozen=True, tag="changed"):
    """Send the message with another value in one of its fields."""

    path: str
    value: Any


class Cut(_TaggedAction, frozen=True, tag="cut"):
    """Send half of the message's frame, and end the connection."""

    how: ConnectionEnd = "fin"


class Ends(_TaggedAction, frozen=True, tag="ends"):
    """End the connection in place of the message; `code` is that of a `goodbye`."""

    how: ConnectionEnd = "reset"
    code: int = 1000


ReadableFault = Delay | Overtaken | Duplicate | Binary | Padded | Preceded | Missing | Changed
"""The faults after which the client can still read the reply."""

Fault = ReadableFault | Drop | Malformed | InvalidUtf8 | WithoutId | Cut | Ends
Action = Answer | Refuse | Hang | Detach | Fault


class Rule(Struct, frozen=True):
    """`action` for messages of `method`: for the `nth` from now on (counted from 1), or for all."""

    method: str
    action: Action
    nth: int | None = None
    seen: int = 0


class StubTable(Struct, frozen=True):
    """The rules of a test. Newer rules take precedence."""

    rules: tuple[Rule, ...] = ()

    def add(self, rule: Rule) -> StubTable:
        return replace(self, rules=(rule, *self.rules))

    def without(self, method: str) -> StubTable:
        return replace(self, rules=tuple(rule for rule in self.rules if rule.method != method))

    def next(self, method: str) -> tuple[StubTable, Action | None]:
        """Count a message of `method`, and return the action for it."""
        if not self.rules:
            return self, None
        counted = tuple(replace(rule, seen=rule.seen + 1) if rule.method == method else rule for rule in self.rules)
        for rule in counted:
            if rule.method == method and rule.nth in (None, rule.seen):
                return replace(self, rules=counted), rule.action
        return replace(self, rules=counted), None
