r"""URL patterns as CDP has them: `*` is any text, `?` one character, and `\` takes the next character literally."""

from __future__ import annotations

import re

__all__ = ["matches"]


def matches(pattern: str, url: str) -> bool:
    """Whether the whole of the URL has this pattern."""
    return re.fullmatch(_regex(pattern), url, re.DOTALL) is not None


def _regex(pattern: str) -> str:
    texts = [""]
    for number, part in enumerate(re.split(r"(\\.|[*?])", pattern, flags=re.DOTALL)):
        if part == "*":
            texts.append("")
        else:
            texts[-1] += "." if part == "?" else re.escape(part[-1] if number % 2 else part)
    if len(texts) == 1:
        return texts[0]
    # Text between two stars is matched at its first place, without backtracking: a later one would match no more.
    first, *between, last = texts
    return f"{first}{''.join(f'(?>.*?{text})' for text in between)}.*{last}"
