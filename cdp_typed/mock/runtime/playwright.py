"""Playwright's evaluation: it injects a script and calls that, with values in its own format.

The mock does not run the script. It recognises it by its class, returns an object for it, and does what its `evaluate`
would.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct

from cdp_typed.mock.js.shown.remote_values import NotByValue
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import DOCUMENT, WINDOW, HostObject, OpaqueObject

UTILITY_SCRIPT: Final = OpaqueObject("UtilityScript")
_CALL: Final = "(utilityScript, ...args) => utilityScript.evaluate(...args)"
_WORDS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}


class UtilityCall(Struct, frozen=True):
    """The arguments of `evaluate(isFunction, returnByValue, expression, argumentCount, ...arguments)`.

    `is_function` is None if Playwright does not know: an expression whose value is a function is then called.
    """

    is_function: bool | None
    by_value: bool
    expression: str
    arguments: tuple[Any, ...]


def is_injection(source: str) -> bool:
    """Return whether the text is the script that Playwright injects into a world before its first call there."""
    return "module.exports.UtilityScript" in source


def utility_call(declaration: str, arguments: Sequence[Mapping[str, Any]]) -> UtilityCall | None:
    """Return Playwright's call, or None for other functions."""
    if declaration != _CALL:
        return None
    values = [argument.get("value", UNSET) for argument in arguments[1:]]
    if not (len(values) >= 4 and isinstance(values[2], str) and isinstance(values[3], int)):
        raise Unsupported("these arguments of Playwright's utility script")
    given = tuple(decoded(value) for value in values[4 : 4 + values[3]])
    is_function = values[0] if isinstance(values[0], bool) else None
    return UtilityCall(is_function, values[1] is True, values[2], given)


def decoded(value: Any) -> Any:
    """Decode an argument from Playwright's format."""
    match value:
        case {"v": "undefined"}:
            return UNSET
        case {"v": "null"}:
            return None
        case {"v": str(word)} if word in _WORDS:
            return _WORDS[word]
        case {"a": [*items]}:
            return [decoded(item) for item in items]
        case {"o": [*pairs]}:
            return {pair["k"]: decoded(pair["v"]) for pair in pairs}
        case str() | bool() | int() | float():
            return value
        case _:
            raise Unsupported(f"the argument {value} of Playwright's utility script")


def encoded(value: Any) -> Any:
    """Encode a result in Playwright's format; its ids are not needed for values without circular references.

    Raises `NotByValue`.
    """
    match value:
        case bool() | str():
            return value
        case int() | float() if value == 0 and math.copysign(1, value) < 0:
            return {"v": "-0"}
        case int() | float() if math.isfinite(value):
            return value
        case int() | float():
            return {"v": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
        case None:
            return {"v": "null"}
        case [*items]:
            return {"a": [encoded(item) for item in items], "id": 1}
        case {**fields}:
            return {"o": [{"k": key, "v": encoded(item)} for key, item in fields.items()], "id": 1}
        case HostObject(node=node):
            name = {WINDOW: "Window", DOCUMENT: "Document"}.get(value, "Node" if node else "")
            if not name:
                raise NotByValue(f"cdp_typed.mock does not know what Playwright makes of a {value.class_name}")
            return f"ref: <{name}>"
        case _:
            return {"v": "undefined"}
