"""The tasks that our tools cannot do today, each with its reason."""

from __future__ import annotations

__all__ = ["RED"]

RED: dict[str, str] = {}
"""Never done: one that is done all the same is an error, and must go from here."""
