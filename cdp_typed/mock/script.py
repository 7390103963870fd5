"""What a test tells the mock to do instead of, or on top of, what the model would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.mock.texts import Refusal

__all__ = [
    "Answer",
    "Binary",
    "Delay",
    "Drop",
    "Duplicate",
    "Fault",
    "Hang",
    "Malformed",
    "Refuse",
    "Rule",
    "Script",
    "WithoutId",
]


class Answer(Struct, frozen=True):
    """Reply with this result; a callable gets the call's parameters and makes it."""

    result: Mapping[str, Any] | Callable[[dict[str, Any]], Mapping[str, Any]]


class Refuse(Struct, frozen=True):
    """Reply with this error."""

    refusal: Refusal


class Hang(Struct, frozen=True):
    """Never reply, and do nothing."""


class Drop(Struct, frozen=True):
    """Do the call, and lose the reply."""


class Delay(Struct, frozen=True):
    """Send the reply late; later messages overtake it."""

    seconds: float


class Duplicate(Struct, frozen=True):
    """Send the reply twice."""


class Malformed(Struct, frozen=True):
    """Cut the reply in its middle: it is no JSON any more."""


class Binary(Struct, frozen=True):
    """Send the reply in a binary frame."""


class WithoutId(Struct, frozen=True):
    """Send an error object without id in place of the reply, as Chrome does for what it cannot read."""


Fault = Drop | Delay | Duplicate | Malformed | Binary | WithoutId
Action = Answer | Refuse | Hang | Fault


class Rule(Struct, frozen=True):
    """`action` for calls of `method`: for the `nth` from now on (counted from 1), or for all."""

    method: str
    action: Action
    nth: int | None = None
    seen: int = 0


class Script(Struct, frozen=True):
    """The rules of a test. A newer rule goes before an older one."""

    rules: tuple[Rule, ...] = ()

    def add(self, rule: Rule) -> Script:
        return replace(self, rules=(rule, *self.rules))

    def without(self, method: str) -> Script:
        return replace(self, rules=tuple(rule for rule in self.rules if rule.method != method))

    def next(self, method: str) -> tuple[Script, Action | None]:
        """Count a call of `method`, and say what is to be done with it."""
        counted = tuple(replace(rule, seen=rule.seen + 1) if rule.method == method else rule for rule in self.rules)
        for rule in counted:
            if rule.method == method and rule.nth in (None, rule.seen):
                return replace(self, rules=counted), rule.action
        return replace(self, rules=counted), None
