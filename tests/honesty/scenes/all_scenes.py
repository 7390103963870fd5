"""All scenarios, by name."""

from __future__ import annotations

from tests.honesty.scenes import cookies, dialogs, frames, leaving, network, runtime, windows
from tests.honesty.scenes.registry import FATAL, SCENES

__all__ = ["FATAL", "MODULES", "SCENES"]

MODULES = (cookies, dialogs, frames, leaving, network, runtime, windows)
