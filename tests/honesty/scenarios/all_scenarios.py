"""All scenarios, by name."""

from __future__ import annotations

from tests.honesty.scenarios import cookies, dialogs, frames, leaving, network, runtime, windows
from tests.honesty.scenarios.registry import FATAL, SCENARIOS

__all__ = ["FATAL", "MODULES", "SCENARIOS"]

MODULES = (cookies, dialogs, frames, leaving, network, runtime, windows)
