"""Selects the settings and the features that are played."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest

from evals.web_platform.features.resources import downloads

__all__ = ["IS_WHOLE", "SUPERVISED", "selected_names"]

IS_WHOLE = os.environ.get("CDP_TYPED_WEB_PLATFORM") == "whole"
SUPERVISED = (
    ("agent_page", "opened_tab", "opened_in_front", "all_toolsets", "bridge_always", "restricted", "after_stop")
    if IS_WHOLE
    else ("agent_page", "opened_tab", "opened_in_front")
)
"""The settings that are compared with the run without a client."""


def selected_names(items: Iterable[pytest.Item]) -> set[str]:
    """The features that tests of this folder ask about by name; those that ask about none need the downloads."""
    names: set[str] = set()
    for item in items:
        if isinstance(item, pytest.Function) and "played" in item.fixturenames:
            named = item.callspec.params.get("name") if hasattr(item, "callspec") else None
            names |= {feature.name for feature in downloads.FEATURES} if named is None else {str(named)}
    return names
