"""What a step wants done, as a closed union of frozen values (imperative)."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command

from .command_tags import Tag
from .timers import Timer
from .values import DialogReceipt, Evaluation


class Send(Struct, frozen=True, kw_only=True):
    """Send a command; report the outcome under `tag`, or to nobody when there is none."""

    command: Command[Any]
    session_id: str | None
    tag: Tag | None = None
    timeout_s: float | None = None


class Forget(Struct, frozen=True):
    """The outcome of the command with this tag is not wanted any more."""

    tag: Tag


class Arm(Struct, frozen=True):
    """Start a timer; one with the same key is replaced."""

    timer: Timer
    delay_s: float


class Disarm(Struct, frozen=True):
    """Stop a timer, if it runs."""

    timer: Timer


class Dial(Struct, frozen=True):
    """Open the connection again, after a pause of at most so many seconds; how much of it is left to chance."""

    within_s: float


class HangUp(Struct, frozen=True):
    """End the connection, if there is one, and any dial under way; nothing more is to be heard of them."""


class CommandResult(Struct, frozen=True):
    """The result of a caller's command."""

    value: Any


class Tell(Struct, frozen=True):
    """End a caller's call with an outcome; each call is told exactly once."""

    call_id: str
    outcome: Evaluation | CommandResult | DialogReceipt | Exception


Effect: TypeAlias = Send | Forget | Arm | Disarm | Dial | HangUp | Tell
Effects: TypeAlias = tuple[Effect, ...]
