"""How many bytes Chrome's CBOR form of a JSON value takes: its error texts name offsets in that form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

__all__ = ["ENVELOPE", "encoded_size"]

ENVELOPE: Final = 8
"""Tag, length and start byte before the first entry of a map or an array."""
_STOP: Final = 1
_DOUBLE: Final = 9


def encoded_size(value: Any) -> int:
    """The size of `value`, read from the offsets that Chromium 156 names."""
    match value:
        case None | bool():
            return 1
        case str():
            # Text outside ASCII travels as bytes of UTF-16.
            size = len(value) if value.isascii() else len(value.encode("utf-16-le", "surrogatepass"))
            return _head(size) + size
        case int() | float():
            whole = value == value // 1 and -(2**31) <= value < 2**31
            return _head(int(value) if value >= 0 else -1 - int(value)) if whole else _DOUBLE
        case Mapping():
            entries = cast("Mapping[str, Any]", value)
            return ENVELOPE + sum(encoded_size(key) + encoded_size(item) for key, item in entries.items()) + _STOP
        case _:
            items = cast("Sequence[Any]", value)
            return ENVELOPE + sum(encoded_size(item) for item in items) + _STOP


def _head(number: int) -> int:
    if number < 24:
        return 1
    return 2 if number < 2**8 else 3 if number < 2**16 else 5
