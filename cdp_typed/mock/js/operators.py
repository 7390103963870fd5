"""JavaScript's operators on the values of the mock's pages, without conversion of objects."""

from __future__ import annotations

import math
from typing import Any

from msgspec import UNSET

from cdp_typed.mock.js.numbers import narrow, number_of, power, remainder
from cdp_typed.mock.js.syntax_tree import Unsupported
from cdp_typed.mock.js.values import is_truthy, text, type_name


def unary(op: str, value: Any) -> Any:
    """Return `-value`, `+value`, `!value` or `typeof value`."""
    if op == "!":
        return not is_truthy(value)
    if op == "typeof":
        return type_name(value)
    number = _number(value)
    return narrow(-number if op == "-" else number)


def binary(op: str, left: Any, right: Any) -> Any:
    """Return `left op right` for the arithmetic operators, and `+` on strings."""
    if op == "+" and (isinstance(left, (str, list, dict)) or isinstance(right, (str, list, dict))):
        return text(left) + text(right)
    a, b = _number(left), _number(right)
    match op:
        case "+":
            return narrow(a + b)
        case "-":
            return narrow(a - b)
        case "*":
            return narrow(a * b)
        case "/":
            return narrow(_divide(a, b))
        case "%":
            return narrow(remainder(a, b))
        case "**":
            return narrow(power(a, b))
        case _:
            raise Unsupported(f"operator {op}")


def compare_or_none(op: str, left: Any, right: Any) -> bool | None:
    """Return `left op right` for a comparison; None for any other operator."""
    match op:
        case "===" | "!==":
            return _identical(left, right) == (op == "===")
        case "==" | "!=":
            empty = (None, UNSET)
            loosely = _identical(left, right) or (left in empty and right in empty)
            if not loosely and type_name(left) != type_name(right) and left not in empty and right not in empty:
                raise Unsupported(f"{op} between different types")
            return loosely == (op == "==")
        case "<" | ">" | "<=" | ">=":
            if isinstance(left, str) and isinstance(right, str):
                return _ordered(op, (left > right) - (left < right))
            a, b = _number(left), _number(right)
            return False if math.isnan(a) or math.isnan(b) else _ordered(op, (a > b) - (a < b))
        case _:
            return None


def _ordered(op: str, sign: int) -> bool:
    return {"<": sign < 0, ">": sign > 0, "<=": sign <= 0, ">=": sign >= 0}[op]


def _identical(left: Any, right: Any) -> bool:
    if type_name(left) != type_name(right):
        return False
    if isinstance(left, (list, dict)):
        return left is right
    return bool(left == right)


def _number(value: Any) -> float:
    match value:
        case bool():
            return float(value)
        case int() | float():
            return float(narrow(value))
        case None:
            return 0.0
        case str():
            return float(number_of(value))
        case _ if value is UNSET:
            return math.nan
        case _:
            raise Unsupported("an object in arithmetic")


def _divide(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.inf if (a > 0) == (math.copysign(1, b) > 0) else -math.inf
