"""File names made of the names of fleets and tasks."""

from __future__ import annotations

import hashlib

LONGEST = 100
"""Letters of a name."""


def plain_name(text: str) -> str:
    """Return a unique file name for a text: special characters are replaced, and a digest is added."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_" for letter in text)
    if plain == text and 0 < len(text) <= LONGEST:
        return text
    return f"{plain[:LONGEST]}.{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"
