"""Output on stdout: JSON and tables that are safe for any terminal and any pipe."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from cdp_typed.printable import visible

# Everything that `visible` would escape can only be inside a string of the JSON; line ends of the layout are not.
_MAYBE_HIDDEN = re.compile(r"[^\x20-\x7e\n]")

_SPACES = re.compile(r"\s{2,}")


def write(text: str) -> None:
    """Print one or more whole lines, and flush. A character that standard output cannot encode becomes an escape."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"  # a console of Windows may have cp1252
    sys.stdout.write(f"{text.encode(encoding, 'backslashreplace').decode(encoding)}\n")
    sys.stdout.flush()


def plain(value: Any) -> Any:
    """Return a typed value as plain JSON values, with wire names and without absent fields."""
    return msgspec.to_builtins(value)


def json_text(value: Any) -> str:
    """Return a plain value as indented JSON."""
    return _for_stdout(json.dumps(value, indent=2, ensure_ascii=not _shows_unicode()))


def json_line(value: Any) -> str:
    """Return a plain value as JSON on one line."""
    return _for_stdout(json.dumps(value, ensure_ascii=not _shows_unicode()))


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows with aligned columns; control characters of page text become escapes.

    Spaces in a row become one, because two end a column.
    """
    shown = [[_SPACES.sub(" ", visible(cell)) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in shown) for at in range(len(shown[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in shown
    )


def _shows_unicode() -> bool:
    return sys.stdout.isatty() and sys.stdout.encoding.lower().replace("-", "") == "utf8"


def _for_stdout(text: str) -> str:
    return _MAYBE_HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    """Return the JSON escape of a character that could control a terminal; other characters stay."""
    character = match[0]
    return character if visible(character) == character else json.dumps(character)[1:-1]
