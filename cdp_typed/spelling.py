"""Finds the known name that a misspelt one resembles, for error messages."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, known: Iterable[str], limit: int = 1, *, cutoff: float = 0.7) -> list[str]:
    """Return at most `limit` known names that resemble `word`, nearest first. Case and underscores do not count.

    `cutoff` is the least likeness, from 0 to 1 (the same name).
    """
    import difflib  # few programs make a mistake, and importing it takes a millisecond

    spelt = {_folded(name): name for name in sorted(known)}
    return [spelt[name] for name in difflib.get_close_matches(_folded(word), spelt, limit, cutoff)]


def did_you_mean(word: str, known: Iterable[str], limit: int = 3) -> str:
    """Return `; did you mean 'a' or 'b'?` with the names that resemble `word`, or an empty text."""
    names = closest(word, known, limit)
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
