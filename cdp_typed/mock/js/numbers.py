"""Numbers as JavaScript parses, stores and prints them: as 64-bit floats.

A whole number up to 2**53 is an `int` in Python, so that it is sent without a decimal point, and any other one a
`float`.
"""

from __future__ import annotations

import math
import re
from typing import Final

SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_DECIMAL: Final = re.compile(r"[+-]?(?:Infinity|(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)")
_PREFIXED: Final = re.compile(r"0(?:[xX][0-9a-fA-F]+|[bB][01]+|[oO][0-7]+)")


def narrow(value: float) -> float:
    """Round a number to a 64-bit float."""
    try:
        exact = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    negative_zero = exact == 0 and math.copysign(1, exact) < 0
    whole = abs(exact) <= 2**53 and exact == int(exact) and not negative_zero
    return int(exact) if whole else exact


def number_of(text: str) -> float:
    """Return `Number(text)`."""
    plain = text.strip(SPACE)
    if not plain:
        return 0
    if _DECIMAL.fullmatch(plain):
        return narrow(float(plain))
    return narrow(int(plain, 0)) if _PREFIXED.fullmatch(plain) else math.nan


def leading_float(text: str) -> float:
    """Return `parseFloat` of a text without blanks in front."""
    match = _DECIMAL.match(text)
    return narrow(float(match.group())) if match else math.nan


def leading_int(text: str, base: int) -> float:
    """Return `parseInt(text, base)` of a text without blanks in front; 0 is the base that the text has."""
    sign = -1 if text.startswith("-") else 1
    digits = text[1:] if text[:1] in ("+", "-") else text
    if base in (0, 16) and digits[:2].lower() == "0x":
        digits, base = digits[2:], 16
    base = base or 10
    if not 2 <= base <= 36:
        return math.nan
    valid = "0123456789abcdefghijklmnopqrstuvwxyz"[:base]
    length = next((index for index, one in enumerate(digits.lower()) if one not in valid), len(digits))
    return narrow(sign * int(digits[:length], base)) if length and digits[:length].isascii() else math.nan


def number_text(value: float) -> str:
    """Return `String(value)`: the shortest digits, with an exponent for very large and very small numbers."""
    number = float(narrow(value))
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)
    digits = digits.rstrip("0")
    return sign + _placed(digits, point)


def _placed(digits: str, point: int) -> str:
    """Return the digits with the decimal point behind the `point`-th of them."""
    if 0 < point <= 21:
        return digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"


def remainder(a: float, b: float) -> float:
    """Return `a % b`."""
    return math.nan if b == 0 or math.isinf(a) else math.fmod(a, b)


def power(a: float, b: float) -> float:
    """Return `a ** b`."""
    if abs(a) == 1 and not math.isfinite(b):
        return math.nan
    odd = b % 2 == 1
    try:
        result: object = a**b
    except (OverflowError, ZeroDivisionError):
        return -math.inf if odd and math.copysign(1, a) < 0 else math.inf
    return result if isinstance(result, float) else math.nan
