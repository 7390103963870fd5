"""Untrusted page text, made safe to show in a terminal."""

from __future__ import annotations

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def visible(text: str, limit: int = 200) -> str:
    """Return the text on one line, with control, bidi, zero-width and tag characters and lone surrogates as escapes.

    At most `limit` characters of it are shown, with the number of those that are cut.
    """
    shown = "".join(
        _escape(character) if unicodedata.category(character) in _HIDDEN else character for character in text[:limit]
    )
    return shown if len(text) <= limit else f"{shown}... ({len(text) - limit} more characters)"


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
