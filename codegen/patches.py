"""Named corrections to upstream, each with its reason; one that no longer applies stops the build."""

from __future__ import annotations

from .model import Protocol

__all__ = ["apply"]


def apply(protocol: Protocol) -> Protocol:
    """The corrected protocol."""
    return protocol
