"""A supervisor's settings, checked once."""

from __future__ import annotations

import math
from typing import get_args

from msgspec import Struct

from .core.errors import InvalidConfig
from .core.values import DialogPolicy


class Config(Struct, frozen=True, kw_only=True):
    """Validated when it is made: `InvalidConfig` names the key, the value and what is allowed."""

    cdp_url: str
    """`ws://`, `wss://`, `http://host:port` or `host:port`."""
    dialog_policy: DialogPolicy = "must_respond"
    dialog_timeout_s: float = 300.0
    """After so many seconds the watchdog dismisses a dialog that nobody answered."""
    call_timeout_s: float = 30.0
    """The deadline of a call that names none of its own, in seconds."""

    def __post_init__(self) -> None:
        policies = get_args(DialogPolicy)
        if self.dialog_policy not in policies:
            raise InvalidConfig("dialog_policy", self.dialog_policy, "one of " + ", ".join(policies))
        for key in ("dialog_timeout_s", "call_timeout_s"):
            check_seconds(key, getattr(self, key))


def check_seconds(key: str, value: object) -> None:
    """Refuse what is not a positive, finite number of seconds (`InvalidConfig`)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        raise InvalidConfig(key, value, "a positive number of seconds")
