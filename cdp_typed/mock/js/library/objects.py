"""What all objects of a script can do: methods, `object[key]`, `...object`, `in` and `instanceof`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from msgspec import UNSET

from cdp_typed.mock.js.library.arrays import array_method
from cdp_typed.mock.js.library.functions import number_method
from cdp_typed.mock.js.library.given_arguments import Arguments, Call
from cdp_typed.mock.js.library.strings import joined, string_method, units
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import Failure, NeverSettledPromise, PromiseValue, is_dict, is_list, text, type_name

_OF_EVERY_OBJECT: Final = frozenset(
    {"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString"}
    | {"valueOf", "__proto__"}
)


def is_plain(value: Any) -> bool:
    """Return whether `method` calls the methods of the value."""
    return isinstance(value, (str, int, float, list, dict))


def method(holder: Any, name: str, arguments: Arguments, call: Call) -> Any:
    """Return `holder.name(arguments)` for a text, a number, a boolean, an array or a plain object."""
    if isinstance(holder, str):
        return string_method(holder, name, arguments, call)
    if isinstance(holder, bool) and name == "toString":
        return text(holder)
    if isinstance(holder, (int, float)) and not isinstance(holder, bool):
        return number_method(holder, name, arguments)
    if is_list(holder):
        return array_method(holder, name, arguments, call)
    if is_dict(holder) and name == "hasOwnProperty" and name not in holder and len(arguments) == 1:
        return text(arguments[0]) in holder
    raise Unsupported(f"a call of {name}")


def missing_property(holder: Any, name: str) -> bool:
    """Return whether it is certain that the object has no property of this name, which is `undefined` then."""
    return is_dict(holder) and name not in _OF_EVERY_OBJECT


def item(holder: Any, key: Any) -> Any:
    """Return `holder[key]` for an array, a text or a plain object."""
    if isinstance(key, (int, float)) and not isinstance(key, bool) and isinstance(holder, (str, list)):
        items = units(holder) if isinstance(holder, str) else cast("Sequence[Any]", holder)
        return items[int(key)] if 0 <= key < len(items) and key == int(key) else UNSET
    name = text(key)
    if is_dict(holder) and not isinstance(key, dict) and (name in holder or missing_property(holder, name)):
        return holder.get(name, UNSET)
    raise Unsupported(f"[{name}] of this")


def spread(value: Any) -> list[Any]:
    """Return the values of `...value` in a list."""
    if is_list(value):
        return value
    if isinstance(value, str):
        return list(joined(value))
    raise Unsupported("... before anything but an array or a text")


def has_key(holder: Any, key: Any) -> bool:
    """Return `key in holder`."""
    if is_dict(holder) and text(key) not in _OF_EVERY_OBJECT:
        return text(key) in holder
    if is_list(holder) and isinstance(key, int) and not isinstance(key, bool):
        return 0 <= key < len(holder)
    raise Unsupported("in with anything but an object of the script")


def is_instance(value: Any, class_name: str) -> bool:
    """Return `value instanceof class_name` for the classes that the mock knows."""
    if not isinstance(value, (list, dict, Failure, PromiseValue, NeverSettledPromise)) and type_name(value) not in (
        "object",
        "function",
    ):
        return False
    match class_name:
        case "Array":
            return is_list(cast("Any", value))
        case "Promise":
            return isinstance(value, (PromiseValue, NeverSettledPromise))
        case "Error":
            return isinstance(value, Failure)
        case "Object" if value is not None:
            return True
        case _:
            raise Unsupported(f"instanceof {class_name}")
