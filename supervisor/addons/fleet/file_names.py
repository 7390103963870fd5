"""The names of the files of fleets and tasks."""

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


def recording_order(name: str) -> tuple[int, ...]:
    """Return what grows from each recording of a task to the next, whatever the clocks of their machines say: the
    number of the task's place and that of the start there. The name begins with the id of a host, as `host-1-a3f`."""
    return tuple(int(part) for part in name.partition(".")[0].split("-")[3:] if part.isdecimal())
