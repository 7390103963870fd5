"""All scenarios, by name."""

from __future__ import annotations

from tests.honesty.scenarios import (
    addresses,
    cookies,
    dialogs,
    frames,
    leaving,
    leaving_twice,
    network,
    runtime,
    scripts,
    sessions,
    windows,
)
from tests.honesty.scenarios.registry import FATAL, SCENARIOS

__all__ = ["FATAL", "MODULES", "SCENARIOS"]

MODULES = (addresses, cookies, dialogs, frames, leaving, leaving_twice, network, runtime, scripts, sessions, windows)
