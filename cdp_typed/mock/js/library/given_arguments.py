"""What all functions of the library read their arguments with."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from cdp_typed.mock.js.operators import to_number

Arguments = list[Any]
Call = Callable[[Any, Arguments], Any]
"""Calls a function of the page; throws for a value that is none."""


def argument(arguments: Arguments, index: int) -> Any:
    """Return the argument at the index, or `undefined`."""
    return arguments[index] if index < len(arguments) else UNSET


def whole(arguments: Arguments, index: int, default: int) -> int:
    """Return the argument at the index as a whole number, as `ToIntegerOrInfinity` does."""
    value = argument(arguments, index)
    if value is UNSET:
        return default
    number = to_number(value)
    if math.isnan(number):
        return 0
    return int(number) if math.isfinite(number) else int(math.copysign(2**53, number))


def slice_bounds(arguments: Arguments, length: int) -> tuple[int, int]:
    """Return start and end of `slice(start, end)`; negative ones count from the end."""
    bounds = [whole(arguments, 0, 0), whole(arguments, 1, length)]
    start, end = (max(length + bound, 0) if bound < 0 else min(bound, length) for bound in bounds)
    return start, end
