"""Untrusted page text, made safe to show: what cannot be seen, or acts on a terminal, is an escape."""

from __future__ import annotations

import re

# Default_Ignorable_Code_Point of Unicode 17.0, as `\p{DI}` of a JavaScript engine lists it: what is not drawn where a
# font does not know it, letters (U+3164) and marks included, and the code points that are kept for more of the kind.
# The blank pattern of Braille (U+2800) is a sign by rights, and is drawn as nothing.
# Variation selectors are among them: one after an emoji is harmless, but in a row they carry any text unseen.
# Compiled when it is first searched for, by `re`: that takes a while, and few programs need it.
_IGNORABLE = (
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control and format characters, lone surrogates, private use, code points that are not assigned, other line ends."""


def visible(text: str, limit: int = 200) -> str:
    """Return the text on one line, with every character that cannot be seen as an escape.

    Those are control, format (bidi, zero-width, tags), private use and unassigned ones, lone surrogates, line ends, and
    what Unicode says to be ignorable by default. At most `limit` characters of the text are shown, with the number of
    those that are cut.
    """
    kept = text[:limit]
    if not is_plain(kept):
        kept = "".join(_escape(character) if is_hidden(character) else character for character in kept)
    return kept if len(text) <= limit else f"{kept}... ({len(text) - limit} more characters)"


def in_quotes(text: str, limit: int = 200) -> str:
    """Return the text as `visible` does, in double quotes that it cannot leave: those in it follow a backslash."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{visible(safe, limit)}"'


def is_hidden(character: str) -> bool:
    """Return True for a character that `visible` shows as an escape."""
    if character.isprintable():
        return re.match(_IGNORABLE, character) is not None
    import unicodedata  # here, because a client seldom needs it

    return unicodedata.category(character) in _HIDDEN


def is_plain(text: str) -> bool:
    """Return True for a text that `visible` leaves unchanged; False may be said of one with an unusual space, too."""
    return text.isprintable() and (text.isascii() or re.search(_IGNORABLE, text) is None)


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
