"""Deadlines that tests give to calls."""

from __future__ import annotations

LATE_S = 300.0
"""Seconds that a call must not wait: a test ends before (`timeout` in pyproject.toml)."""
