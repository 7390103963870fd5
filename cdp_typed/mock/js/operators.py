"""JavaScript's operators on the values of the mock's pages, without conversion of objects."""

from __future__ import annotations

import math
from typing import Any

from msgspec import UNSET

from cdp_typed.mock.js.numbers import narrow, number_of, power, remainder
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import is_truthy, text, type_name


def unary(op: str, value: Any) -> Any:
    """Return `-value`, `+value`, `!value`, `typeof value` or `void value`."""
    if op == "!":
        return not is_truthy(value)
    if op == "typeof":
        return type_name(value)
    if op == "void":
        return UNSET
    number = to_number(value)
    return narrow(-number if op == "-" else number)


def binary(op: str, left: Any, right: Any) -> Any:
    """Return `left op right` for the arithmetic operators, and `+` on strings."""
    if op == "+" and (isinstance(left, (str, list, dict)) or isinstance(right, (str, list, dict))):
        return text(left) + text(right)
    a, b = to_number(left), to_number(right)
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
            return identical(left, right) == (op == "===")
        case "==" | "!=":
            return _loosely_equal(left, right) == (op == "==")
        case "<" | ">" | "<=" | ">=":
            if isinstance(left, str) and isinstance(right, str):
                return _ordered(op, (left > right) - (left < right))
            a, b = to_number(left), to_number(right)
            return False if math.isnan(a) or math.isnan(b) else _ordered(op, (a > b) - (a < b))
        case _:
            return None


def _ordered(op: str, sign: int) -> bool:
    return {"<": sign < 0, ">": sign > 0, "<=": sign <= 0, ">=": sign >= 0}[op]


def _loosely_equal(left: Any, right: Any) -> bool:
    kinds = {type_name(left), type_name(right)}
    if left is None or left is UNSET or right is None or right is UNSET:
        return left in (None, UNSET) and right in (None, UNSET)
    if len(kinds) == 1:
        return identical(left, right)
    if kinds - {"number", "string", "boolean"}:
        raise Unsupported("== between an object and a text or a number")
    return to_number(left) == to_number(right)


def identical(left: Any, right: Any) -> bool:
    """Return `left === right`."""
    if type_name(left) != type_name(right):
        return False
    if isinstance(left, (list, dict)):
        return left is right
    return bool(left == right)


def to_number(value: Any) -> float:
    """Return `Number(value)`."""
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
