"""On which stages scenarios are played: `CDP_TYPED_STAGES` names others than the mock and this machine's Chromium."""

from __future__ import annotations

import os

STAGES = tuple(os.environ.get("CDP_TYPED_STAGES", "mock,chromium").split(","))
"""`mock`, `chromium`, and names of browsers in `evals.browsers.catalogue`."""

REAL_STAGES = tuple(stage for stage in STAGES if stage != "mock")

FURTHER_STAGES = frozenset(STAGES) - {"mock", "chromium"} if {"mock", "chromium"} <= {*STAGES} else frozenset[str]()
"""Browsers that are played beside the mock and this machine's Chromium: each scenario once. Its other parameters are
played on those two, and on any browser that is played alone, as `make browsers` does."""
