"""Values of JavaScript as plain Python, and plain Python as arguments of a function."""

from __future__ import annotations

import math
from typing import Any, cast

import msgspec

from cdp_typed.conversions import convert
from cdp_typed.errors import JavaScriptError, WrongType
from cdp_typed.printable import visible
from cdp_typed.protocol import runtime
from cdp_typed.wire.json_text import is_object

COPY = runtime.SerializationOptions(serialization="deep")
"""Values come with their types: as plain JSON, NaN would be null and a Date an empty object, without a word."""

_SAFE_INTEGER = 2**53 - 1

_QUOTED = 200

_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}

_ADVICE = {
    "node": "return what is needed of it, such as its textContent",
    "nodelist": "return what is needed of its elements, such as Array.from(list, e => e.textContent)",
    "htmlcollection": "return what is needed of its elements, such as Array.from(list, e => e.textContent)",
    "map": "return Object.fromEntries(map), or Array.from(map)",
    "set": "return Array.from(set)",
    "typedarray": "return Array.from(array)",
    "error": "throw it, or return its message",
    "regexp": "return its source",
}


def as_argument(value: Any) -> runtime.CallArgument:
    """Return an argument for a function of the page. Raises `TypeError` for a value that JSON cannot carry."""
    match value:
        case runtime.RemoteObject(object_id=str() as object_id):
            return runtime.CallArgument(object_id=object_id)
        case float() if (text := _unserializable(value)) is not None:
            return runtime.CallArgument(unserializable_value=runtime.UnserializableValue(text))
        case int() if abs(value) > _SAFE_INTEGER:
            return runtime.CallArgument(unserializable_value=runtime.UnserializableValue(f"{value}n"))
        case _:
            _require_json(value)
            return runtime.CallArgument(value=value)


def _unserializable(value: float) -> str | None:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "-0" if value == 0 and math.copysign(1, value) < 0 else None


def _require_json(value: Any) -> None:
    match value:
        case None | str():
            return
        case float() if math.isfinite(value):
            return
        case int() if abs(value) <= _SAFE_INTEGER:
            return
        case float() | int():
            raise TypeError(f"{value} inside of a list or dict cannot be sent; pass it as a separate argument")
        case list() | tuple():
            for item in cast("list[Any]", value):
                _require_json(item)
        case _ if is_object(value):
            for key, item in value.items():
                if type(key) is not str:
                    raise TypeError(f"a key of an object is a str, not {type(key).__name__}")
                _require_json(item)
        case _:
            raise TypeError(f"a value of type {type(value).__name__} cannot be sent to the page; give JSON")


def raise_thrown(details: runtime.ExceptionDetails | None) -> None:
    """Raise what the page has thrown as `JavaScriptError`."""
    if details is None:
        return
    thrown = details.exception
    text = details.text
    stack = None
    if thrown is not None and thrown.subtype == "error" and thrown.description:
        stack = thrown.description
        text = stack.partition("\n    at ")[0]
    elif thrown is not None:
        text = str(thrown.value if isinstance(thrown.value, str) else thrown.description or thrown.type)
    raise JavaScriptError(
        text, stack=stack, line=details.line_number + 1, column=details.column_number + 1, url=details.url
    )


def is_copied(value: runtime.RemoteObject) -> bool:
    """Return True unless the browser is too old to copy values with their types, and sent a handle alone."""
    return value.deep_serialized_value is not None or value.object_id is None


def as_value(remote: runtime.RemoteObject) -> Any:
    """Return the value. Raises `TypeError` for one that cannot be copied."""
    if remote.unserializable_value is not None:
        text = remote.unserializable_value
        return int(text.removesuffix("n")) if text.endswith("n") else _NUMBERS[text]
    copied = remote.deep_serialized_value
    if copied is None or copied.type in {"string", "boolean", "number", "null", "undefined"}:
        return remote.value
    reference = copied.weak_local_object_reference
    return _plain({"type": copied.type, "value": copied.value, "weakLocalObjectReference": reference}, {})


def as_type(value: Any, expected: Any) -> Any:
    """Return the value as this type. Raises `WrongType` for a value that has another one, with the place in it."""
    if expected is Any:
        return value
    try:
        return convert(value, expected)
    except msgspec.ValidationError as error:
        name = expected.__name__ if type(expected) is type else str(expected)
        raise WrongType(f"the value is not of type {name}: {visible(str(error), _QUOTED)}") from None


_OPEN = object()
"""A placeholder for an object whose contents are being copied."""


def _plain(copied: dict[str, Any], known: dict[Any, Any]) -> Any:
    """Return a value as Python has it; `known` are the objects that are in it more than once, by their numbers."""
    kind: str = copied["type"]
    value: Any = copied.get("value")
    reference: Any = copied.get("weakLocalObjectReference")
    if kind in {"object", "array"} and value is None:
        if known[reference] is _OPEN:
            raise TypeError("the value contains itself and cannot be copied")
        return known[reference]
    known[reference] = _OPEN
    match kind:
        case "object":
            plain: Any = {key: _plain(item, known) for key, item in value}
        case "array":
            plain = [_plain(item, known) for item in value]
        case "number":
            plain = _NUMBERS[value] if isinstance(value, str) else value
        case "bigint":
            plain = int(value)
        case "string" | "boolean" | "date" | "null" | "undefined":
            plain = value
        case _:
            advice = _ADVICE.get(kind, "return something made of objects, lists and primitive values")
            raise TypeError(f"a value of type {kind} cannot be copied; {advice}")
    known[reference] = plain
    return plain
