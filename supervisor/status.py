"""The state of a supervisor itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from cdp_typed import Counters

from .core.vocabulary.values import ConnectionPhase
from .driver.driver import Driver


class Status(Struct, frozen=True, kw_only=True):
    """One look at a supervisor."""

    state: ConnectionPhase | Literal["not started"]
    reason: str = ""
    """The reason for the state `waiting_for_person`, `reconnecting`, `lost` or `stopped`; empty otherwise."""
    reconnects: int = 0
    """The number of times that the connection was lost and opened again."""
    uptime_s: float = 0.0
    """Seconds since the connection that is in use was opened."""
    round_trip_s: float | None = None
    """The seconds that the browser took for the last command without a session; `None` before the first."""
    pages: int = 0
    sessions: int = 0
    """Pages and out-of-process iframes."""
    frames: int = 0
    open_dialogs: int = 0
    pending_calls: int = 0
    """Calls of callers that have not ended."""
    waiting_inputs: int = 0
    """The number of inputs that wait to be stepped through; more than a few mean that this machine is too slow."""
    timers: int = 0
    left_out: Mapping[str, int] = {}
    """Events of the browser that could not be taken in, by method: how many."""
    counters: Counters = Counters()
    """Counters of the connection in use: messages, events, drift, drops."""


def status(driver: Driver | None) -> Status:
    """The status of a driver; from any thread."""
    if driver is None:
        return Status(state="not started")
    world, calls = driver.state.world, driver.state.world.calls
    return Status(
        state=world.connection.state,
        reason=world.connection.reason,
        reconnects=max(0, world.connection.epoch - 1),
        uptime_s=driver.uptime_s,
        round_trip_s=driver.round_trip_s,
        pages=sum(1 for _ in world.targets.pages()),
        sessions=len(world.targets.sessions),
        frames=len(world.frames.nodes),
        open_dialogs=len(world.dialogs.open),
        pending_calls=len(calls.pending),
        waiting_inputs=driver.waiting_inputs,
        timers=driver.timers,
        left_out={name: mishap.count for name, mishap in driver.state.rejected.items()},
        counters=driver.counters,
    )
