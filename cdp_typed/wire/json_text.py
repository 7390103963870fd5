"""Reads JSON text that msgspec refuses, without losing any of its values.

Real browsers send text that strict parsers reject: `console.log("\\ud800")` arrives as a lone surrogate escape.
`repair` makes such text strict JSON; `load` reads what is still not strict (`NaN`, numbers without end).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeGuard

# One backslash escape at a time, so that an escaped backslash never lends its "u" to what follows.
_ESCAPE = re.compile(
    rb"\\(?:"
    rb"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a proper pair
    rb"|(?P<lone>u[dD][89abAB-Fc-f][0-9a-fA-F]{2})"
    rb"|.)",
    re.DOTALL,
)
# CPython refuses to read longer integers (sys.int_info.default_max_str_digits).
_MAX_DIGITS = 4300


def repair(raw: bytes) -> bytes:
    """Return the same JSON text as valid UTF-8 without lone surrogates.

    A lone surrogate becomes the six visible characters of its escape (`\\ud800`), so that encoding the decoded string
    can never fail later; bytes that are not UTF-8 become U+FFFD. The very same object is returned when there is
    nothing to repair.
    """
    repaired = _ESCAPE.sub(_visible, raw) if b"\\u" in raw else raw
    if not repaired.isascii():
        repaired = repaired.decode("utf-8", "replace").encode()
    return raw if repaired == raw else repaired


def load(raw: bytes, odd: Callable[[str], None]) -> Any:
    """Read JSON as Python does; call `odd` with each number that is no JSON (`NaN`) or has too many digits.

    Raises `ValueError` for text that is not JSON and `RecursionError` for text nested too deeply.
    """

    import json  # here and in `dump`, because a client seldom needs it

    def constant(text: str) -> float:
        odd(text)
        return float(text)

    def integer(text: str) -> int | float:
        if len(text) <= _MAX_DIGITS:
            return int(text)
        odd(f"an integer of {len(text)} digits")
        return float(text)

    return json.loads(raw, parse_constant=constant, parse_int=integer)


def dump(value: Any) -> bytes:
    """Write JSON as Python does: in ASCII, lone surrogates as their escapes."""
    import json

    return json.dumps(value).encode()


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Return True if a value that `load` returned is a JSON object."""
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """Return True if a value that `load` returned is a JSON array."""
    return isinstance(value, list)


def _visible(match: re.Match[bytes]) -> bytes:
    return b"\\" + match[0] if match["lone"] else match[0]
