"""The texts that a person protects, such as passwords of logins: hidden wherever this process writes, until it ends."""

from __future__ import annotations

PROTECTED: set[str] = set()
"""The texts for which `protect` was called."""
SHORTEST = 4
"""Characters of a text that is hidden wherever it comes: a shorter one is part of too many others."""


def protect(secret: str) -> None:
    """Hide a text in all recordings, live views and results of tools of this process, whichever of its characters are
    escaped. Nothing that a page does makes room for it: the list of what pages call secrets is another one."""
    if len(secret) >= SHORTEST:
        PROTECTED.add(secret)
