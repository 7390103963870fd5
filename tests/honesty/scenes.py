"""All scenarios, by name."""

from __future__ import annotations

from tests.honesty import scenes_dialogs, scenes_frames, scenes_network, scenes_runtime
from tests.honesty.registry import SCENES

__all__ = ["MODULES", "SCENES"]

MODULES = (scenes_dialogs, scenes_frames, scenes_network, scenes_runtime)
