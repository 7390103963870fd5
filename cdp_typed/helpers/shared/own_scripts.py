"""Marks the scripts that this library runs in pages, so that profiles and traces can leave them out."""

from __future__ import annotations

OWN_SCRIPT = "cdp-typed:script"
"""The URL of such a script, as profiles, traces and the developer tools show it."""


def own(source: str) -> str:
    """Return the source of an expression or a function with this URL."""
    return f"{source}\n//# sourceURL={OWN_SCRIPT}\n"
