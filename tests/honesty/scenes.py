"""All scenarios, by name."""

from __future__ import annotations

from tests.honesty import (
    scenes_cookies,
    scenes_dialogs,
    scenes_frames,
    scenes_leaving,
    scenes_network,
    scenes_runtime,
    scenes_windows,
)
from tests.honesty.registry import FATAL, SCENES

__all__ = ["FATAL", "MODULES", "SCENES"]

MODULES = (
    scenes_cookies,
    scenes_dialogs,
    scenes_frames,
    scenes_leaving,
    scenes_network,
    scenes_runtime,
    scenes_windows,
)
