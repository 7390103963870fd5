"""`Effect`: the work that a step returns to the driver. A closed union of frozen values (imperative)."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command

from .command_tags import Tag
from .timers import Timer
from .values import DialogReceipt, Evaluation


class Send(Struct, frozen=True, kw_only=True):
    """Send a command, and feed its outcome with `tag`; without a tag, the outcome is ignored."""

    command: Command[Any]
    session_id: str | None
    tag: Tag | None = None
    timeout_s: float | None = None


class Forget(Struct, frozen=True):
    """Ignore the outcome of the command with this tag."""

    tag: Tag


class Arm(Struct, frozen=True):
    """Start a timer; one with the same key is replaced."""

    timer: Timer
    delay_s: float


class Disarm(Struct, frozen=True):
    """Stop a timer, if it runs."""

    timer: Timer


class Connect(Struct, frozen=True):
    """Open the connection again, after a random pause of at most `within_s` seconds."""

    within_s: float


class Disconnect(Struct, frozen=True):
    """End the connection, and any attempt to open one; neither may feed inputs afterwards."""


class CommandResult(Struct, frozen=True):
    """The result of a caller's command."""

    value: Any


class CompleteCall(Struct, frozen=True):
    """End a caller's call with its outcome, once for each call."""

    call_id: str
    outcome: Evaluation | CommandResult | DialogReceipt | Exception


Effect: TypeAlias = Send | Forget | Arm | Disarm | Connect | Disconnect | CompleteCall
Effects: TypeAlias = tuple[Effect, ...]
