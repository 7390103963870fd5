"""The names of a fleet's actors in Ray."""

from __future__ import annotations

from typing import Any

NAMESPACE = "cdp-typed-fleet"
"""The namespace of the actors in Ray."""


def directory_name(fleet: str) -> str:
    """The name of a fleet's directory in Ray."""
    return f"{fleet}/directory"


def host_name(fleet: str, host_id: str) -> str:
    """The name of a host in Ray."""
    return f"{fleet}/host/{host_id}"


def in_namespace(actor: Any) -> bool:
    """Whether a named actor is one of a fleet."""
    return bool(actor["namespace"] == NAMESPACE)
