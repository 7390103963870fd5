"""The page's side of the dialog bridge: `bridge.js`, as text."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def script() -> str:
    """A JavaScript function that replaces `alert`, `confirm` and `prompt`; see the file for what it takes."""
    return (Path(__file__).parent / "bridge.js").read_text("utf-8")
