"""Small schemas for codegen tests."""

from __future__ import annotations

from typing import Any

import msgspec

from codegen.model import Protocol


def protocol(*domains: dict[str, Any]) -> Protocol:
    """A protocol of these domains, each as the schema's own JSON."""
    return msgspec.convert({"version": {"major": "1", "minor": "3"}, "domains": domains}, Protocol)
