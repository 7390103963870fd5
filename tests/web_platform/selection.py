"""How much of the suite is played."""

from __future__ import annotations

import os

__all__ = ["IS_WHOLE", "SUPERVISED"]

IS_WHOLE = os.environ.get("CDP_TYPED_WEB_PLATFORM") == "whole"
SUPERVISED = (
    ("agent_page", "opened_tab", "opened_in_front", "bridge_always", "restricted", "after_stop")
    if IS_WHOLE
    else ("agent_page", "opened_tab", "opened_in_front")
)
"""The settings that are compared with the run without a client."""
