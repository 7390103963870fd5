"""How fast a server's messages go out, and with which addresses it may be dialled."""

from __future__ import annotations

import random
import time

from cdp_typed.mock.personality import Personality

__all__ = ["Gate", "Pace"]


class Pace:
    """When each message goes out: in order, after the personality's latency and jitter."""

    def __init__(self, personality: Personality) -> None:
        self._latency = personality.latency_s
        self._jitter = personality.jitter_s
        self._chance = random.Random(personality.seed)
        self._last = 0.0

    def due(self, now: float) -> float:
        """When the next message goes out, on the clock of `now`; 0 for at once."""
        if not self._latency and not self._jitter:
            return 0.0
        self._last = max(self._last, now + self._latency + self._chance.random() * self._jitter)
        return self._last


class Gate:
    """Tokens in addresses, each good for a while; with `expire_s` None there are none, and everybody is let in."""

    def __init__(self, expire_s: float | None) -> None:
        self._expire_s = expire_s
        self._issued: dict[str, float] = {}

    def token(self) -> str:
        """The query of a fresh address."""
        if self._expire_s is None:
            return ""
        name = f"?token={len(self._issued) + 1}"
        self._issued[name] = time.monotonic()
        return name

    def lets_in(self, path: str) -> bool:
        """Whether this address may be dialled now."""
        if self._expire_s is None:
            return True
        issued = self._issued.get(path[path.find("?") :])
        return issued is not None and time.monotonic() - issued < self._expire_s
