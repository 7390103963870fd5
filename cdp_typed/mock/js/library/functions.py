"""Global functions, those of `Object`, `Array`, `Math` and `Number`, and the methods of numbers."""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final
from urllib.parse import quote, unquote_to_bytes

from cdp_typed.mock.js.library.given_arguments import Arguments, Call, argument, whole
from cdp_typed.mock.js.library.json_functions import parse_json, stringify
from cdp_typed.mock.js.library.strings import units
from cdp_typed.mock.js.numbers import SPACE, leading_float, leading_int, narrow, number_text
from cdp_typed.mock.js.operators import to_number
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import NAVIGATOR, is_dict, is_list, is_truthy, ordered, text

_Function = Callable[[Arguments, Call], Any]
CONSTANTS: Final = {"Math.PI": math.pi, "Math.E": math.e, "Number.MAX_SAFE_INTEGER": 2**53 - 1}


def call_function(path: str, arguments: Arguments, call: Call) -> Any:
    """Call one of `FUNCTIONS`. Raises `Unsupported`."""
    return FUNCTIONS[path](arguments, call)


def number_method(value: float, name: str, arguments: Arguments) -> Any:
    """Return `value.name(arguments)`. Raises `Unsupported`."""
    if name == "toFixed" and abs(value) < 1e21:
        digits = whole(arguments, 0, 0)
        if 0 <= digits <= 100:
            shown = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
            return f"{abs(shown) if value == 0 else shown:f}"
    base = whole(arguments, 0, 10)
    if name == "toString" and base == 10:
        return number_text(value)
    if name == "toString" and 2 <= base <= 36 and isinstance(value, int):
        return ("-" if value < 0 else "") + _in_base(abs(value), base)
    if name == "valueOf":
        return value
    raise Unsupported(f"a call of {name} on a number")


def _in_base(value: int, base: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, base)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"


def _entries(arguments: Arguments) -> list[tuple[str, Any]]:
    value = argument(arguments, 0)
    if is_dict(value):
        return list(value.items())
    if isinstance(value, str):
        return [(str(index), unit) for index, unit in enumerate(units(value))]
    if is_list(value):
        return [(str(index), item) for index, item in enumerate(value)]
    raise Unsupported("the keys of anything but an object of the script")


def _own_names(value: Any) -> list[str]:
    if value != NAVIGATOR and not is_dict(value):
        raise Unsupported("the property names of anything but an object of the script")
    return list(value) if is_dict(value) else []


def _from_entries(arguments: Arguments) -> dict[str, Any]:
    pairs: Any = argument(arguments, 0)
    if not is_list(pairs) or not all(is_list(pair) and len(pair) >= 2 for pair in pairs):
        raise Unsupported("Object.fromEntries of anything but pairs")
    return ordered({text(pair[0]): pair[1] for pair in pairs})


def _array_from(arguments: Arguments, call: Call) -> list[Any]:
    source, function = argument(arguments, 0), argument(arguments, 1)
    if isinstance(source, str):
        items: list[Any] = list(source)
    elif is_dict(source) and set(source) == {"length"} and source["length"] in range(_LONGEST):
        items = [argument([], 0)] * source["length"]
    elif is_list(source):
        items = list(source)
    else:
        raise Unsupported("Array.from of anything but a list, a text or a length")
    return [call(function, [item, index]) for index, item in enumerate(items)] if len(arguments) > 1 else items


def _math(function: Callable[[float], float]) -> _Function:
    def apply(arguments: Arguments, _: Call) -> float:
        number = to_number(argument(arguments, 0))
        return narrow(function(number)) if math.isfinite(number) else number

    return apply


def _extreme(pick: Callable[[list[float]], float], empty: float) -> _Function:
    def apply(arguments: Arguments, _: Call) -> float:
        numbers = [to_number(each) for each in arguments]
        if any(math.isnan(number) for number in numbers):
            return math.nan
        return narrow(pick(numbers)) if numbers else empty

    return apply


def _rounded(number: float) -> float:
    below = math.floor(number)
    nearest = float(below if number - below < 0.5 else below + 1)
    return math.copysign(nearest, number) if nearest == 0 else nearest


def _sign(number: float) -> float:
    return number if number == 0 else math.copysign(1, number)


def _encode(kept: str) -> _Function:
    def apply(arguments: Arguments, _: Call) -> str:
        plain = text(argument(arguments, 0))
        try:
            return quote(plain, safe=kept)
        except UnicodeEncodeError:
            raise Unsupported("the percent-encoding of half a character") from None

    return apply


def _decode_component(arguments: Arguments, _: Call) -> str:
    encoded = text(argument(arguments, 0))
    try:
        if not _NO_CODE.search(encoded):
            return unquote_to_bytes(encoded).decode()
    except UnicodeError:
        pass
    raise Unsupported("decodeURIComponent of what is not encoded")


def _to_base64(arguments: Arguments, _: Call) -> str:
    try:
        return b64encode(text(argument(arguments, 0)).encode("latin-1")).decode()
    except UnicodeEncodeError:
        raise Unsupported("btoa of characters beyond Latin-1") from None


def _from_base64(arguments: Arguments, _: Call) -> str:
    try:
        return b64decode(text(argument(arguments, 0)), validate=True).decode("latin-1")
    except ValueError:
        raise Unsupported("atob of what is not base64") from None


def _is_whole(arguments: Arguments, _: Call) -> bool:
    value = argument(arguments, 0)
    return (
        isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value == int(value)
    )


_LONGEST: Final = 1_000_000
_COMPONENT: Final = "-_.!~*'()"
_NO_CODE: Final = re.compile(r"%(?![0-9a-fA-F]{2})")
FUNCTIONS: Final[dict[str, _Function]] = {
    "Array.from": _array_from,
    "Array.isArray": lambda arguments, _: is_list(argument(arguments, 0)),
    "Array.of": lambda arguments, _: list(arguments),
    "Boolean": lambda arguments, _: is_truthy(argument(arguments, 0)),
    "JSON.parse": lambda arguments, _: parse_json(arguments),
    "JSON.stringify": lambda arguments, _: stringify(arguments),
    "Math.abs": _math(abs),
    "Math.ceil": _math(lambda number: math.copysign(math.ceil(number), number)),
    "Math.floor": _math(lambda number: math.copysign(math.floor(number), number)),
    "Math.max": _extreme(max, -math.inf),
    "Math.min": _extreme(min, math.inf),
    "Math.round": _math(_rounded),
    "Math.sign": _math(_sign),
    "Math.sqrt": _math(lambda number: math.sqrt(number) if number >= 0 else math.nan),
    "Math.trunc": _math(lambda number: math.copysign(math.trunc(number), number)),
    "Number": lambda arguments, _: narrow(to_number(arguments[0])) if arguments else 0,
    "Number.isFinite": lambda arguments, _: _is_number(arguments) and math.isfinite(arguments[0]),
    "Number.isInteger": _is_whole,
    "Number.isNaN": lambda arguments, _: _is_number(arguments) and math.isnan(arguments[0]),
    "Object.entries": lambda arguments, _: [[key, item] for key, item in _entries(arguments)],
    "Object.fromEntries": lambda arguments, _: _from_entries(arguments),
    "Object.getOwnPropertyNames": lambda arguments, _: _own_names(argument(arguments, 0)),
    "Object.keys": lambda arguments, _: [key for key, _ in _entries(arguments)],
    "Object.values": lambda arguments, _: [item for _, item in _entries(arguments)],
    "String": lambda arguments, _: text(arguments[0]) if arguments else "",
    "atob": _from_base64,
    "btoa": _to_base64,
    "decodeURIComponent": _decode_component,
    "encodeURI": _encode(f"{_COMPONENT};,/?:@&=+$#"),
    "encodeURIComponent": _encode(_COMPONENT),
    "isFinite": lambda arguments, _: math.isfinite(to_number(argument(arguments, 0))),
    "isNaN": lambda arguments, _: math.isnan(to_number(argument(arguments, 0))),
    "parseFloat": lambda arguments, _: leading_float(text(argument(arguments, 0)).lstrip(SPACE)),
    "parseInt": lambda arguments, _: leading_int(text(argument(arguments, 0)).lstrip(SPACE), whole(arguments, 1, 0)),
}


def _is_number(arguments: Arguments) -> bool:
    value = argument(arguments, 0)
    return isinstance(value, (int, float)) and not isinstance(value, bool)
