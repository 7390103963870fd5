"""`JSON.stringify` and `JSON.parse`."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from msgspec import UNSET

from cdp_typed.mock.js.library.given_arguments import Arguments, argument
from cdp_typed.mock.js.numbers import narrow, number_text
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import is_dict, is_list, ordered, type_name


def stringify(arguments: Arguments) -> Any:
    """Return `JSON.stringify(value, null, indent)`."""
    value, replacer, indent = (argument(arguments, index) for index in range(3))
    if replacer is not None and replacer is not UNSET:
        raise Unsupported("JSON.stringify with a replacer")
    if isinstance(indent, (int, float)) and not isinstance(indent, bool):
        gap = " " * min(int(indent), 10)
    else:
        gap = indent[:10] if isinstance(indent, str) else ""
    return _written(value, gap, "\n")


def _written(value: Any, gap: str, line: str) -> Any:
    """Return the text of a value, or `undefined` for one that JSON does not have."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number_text(value) if math.isfinite(value) else "null"
    if isinstance(value, str):
        return _quoted(value)
    if is_list(value):
        items = [_written(item, gap, line + gap) for item in value]
        return _wrapped("[]", ["null" if item is UNSET else item for item in items], gap, line)
    if is_dict(value):
        written = ((key, _written(item, gap, line + gap)) for key, item in value.items())
        between = ": " if gap else ":"
        return _wrapped(
            "{}", [f"{_quoted(key)}{between}{item}" for key, item in written if item is not UNSET], gap, line
        )
    if type_name(value) in ("undefined", "function"):
        return UNSET
    raise Unsupported("JSON.stringify of an object of the browser")


def _wrapped(brackets: str, items: list[str], gap: str, line: str) -> str:
    if not gap or not items:
        return brackets[0] + ",".join(items) + brackets[1]
    inner = line + gap
    return brackets[0] + inner + f",{inner}".join(items) + line + brackets[1]


def _quoted(value: str) -> str:
    whole = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return "".join(
        f"\\u{ord(one):04x}" if 0xD800 <= ord(one) < 0xE000 else one for one in json.dumps(whole, ensure_ascii=False)
    )


def parse_json(arguments: Arguments) -> Any:
    """Return `JSON.parse(text)`. Raises `Unsupported` for what is no JSON, because its error's text is Chromium's."""
    source = argument(arguments, 0)
    if len(arguments) != 1 or not isinstance(source, str):
        raise Unsupported("JSON.parse of anything but a text")
    try:
        return json.loads(
            source, parse_int=_number, parse_float=_number, parse_constant=_refuse, object_pairs_hook=_object
        )
    except ValueError:
        raise Unsupported("JSON.parse of a text that is no JSON") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if any(key == "__proto__" for key, _ in pairs):
        raise Unsupported("__proto__")
    return ordered(dict(pairs))


def _number(digits: str) -> float:
    return narrow(float(digits))


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)
