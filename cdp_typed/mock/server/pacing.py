"""Delays of messages to clients, and throttled reading from their sockets."""

from __future__ import annotations

import asyncio
import math
import random

from cdp_typed.mock.personality import Personality


class MessagePacing:
    """Times outgoing messages: in order, with the personality's latency and jitter."""

    def __init__(self, personality: Personality) -> None:
        self._latency = personality.latency_s
        self._jitter = personality.jitter_s
        self._chance = random.Random(personality.seed)
        self._last = -math.inf

    def due(self, now: float) -> float | None:
        """Return when the next message goes out, on the clock of `now`; None for at once."""
        if not self._latency and not self._jitter:
            return None
        self._last = max(self._last, now + self._latency + self._chance.random() * self._jitter)
        return self._last


class ReadThrottle:
    """Throttles or stops reading from a transport, so that its sender has to wait."""

    def __init__(self, transport: asyncio.ReadTransport) -> None:
        self._transport = transport
        self._bytes_per_s: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def slow_down(self, bytes_per_s: float) -> None:
        """Limit the average number of bytes read per second."""
        self._bytes_per_s = bytes_per_s

    def took(self, size: int) -> None:
        """Pause reading after this many bytes."""
        if self._bytes_per_s is not None:
            self._transport.pause_reading()
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(size / self._bytes_per_s, self._transport.resume_reading)

    def stop(self) -> None:
        """Stop reading."""
        self.end()
        self._transport.pause_reading()

    def end(self) -> None:
        """Cancel the timer; the transport is closed or has stopped."""
        if self._timer is not None:
            self._timer.cancel()
