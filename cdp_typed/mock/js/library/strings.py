"""The methods of strings that change nothing and need no regular expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from msgspec import UNSET

from cdp_typed.mock.js.library.given_arguments import Arguments, Call, slice_bounds, whole
from cdp_typed.mock.js.numbers import SPACE
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import text


def units(value: str) -> str:
    """Return the text with each character beyond 16 bits as two, as JavaScript counts."""
    wide = value.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, memoryview(wide).cast("H"))) if len(wide) != 2 * len(value) else value


def joined(value: str) -> str:
    """Return the text that `units` has split."""
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def string_method(value: str, name: str, arguments: Arguments, call: Call) -> Any:
    """Return `value.name(arguments)`. Raises `Unsupported`."""
    if name in ("replace", "replaceAll"):
        return _replaced(value, arguments, call, everywhere=name == "replaceAll")
    method = _METHODS.get(name)
    if method is None or any(isinstance(argument, dict) for argument in arguments):
        raise Unsupported(f"a call of {name} on a string")
    result: Any = method(units(value), arguments)
    if isinstance(result, str):
        return joined(result)
    return [joined(part) for part in cast("list[str]", result)] if isinstance(result, list) else result


def _text(arguments: Arguments, index: int, default: str = "undefined") -> str:
    if len(arguments) <= index or arguments[index] is UNSET:
        return default
    return units(text(arguments[index]))


def _replaced(value: str, arguments: Arguments, call: Call, *, everywhere: bool) -> str:
    wanted, by = (*arguments, UNSET, UNSET)[:2]
    if not isinstance(wanted, str) or not wanted or (isinstance(by, str) and "$" in by):
        raise Unsupported("a replacement of anything but a plain text")
    if isinstance(by, str):
        return value.replace(wanted, by, -1 if everywhere else 1)
    if everywhere or wanted not in value:
        raise Unsupported("a replacement by a function")
    before, _, after = value.partition(wanted)
    return before + text(call(by, [wanted, len(units(before)), value])) + after


def _split(value: str, arguments: Arguments) -> list[str]:
    if not arguments or arguments[0] is UNSET:
        return [value]
    separator = _text(arguments, 0)
    parts = value.split(separator) if separator else list(value)
    return parts[: whole(arguments, 1, len(parts))]


def _padded(value: str, arguments: Arguments, *, at_start: bool) -> str:
    missing = whole(arguments, 0, 0) - len(value)
    filler = _text(arguments, 1, " ")
    if missing <= 0 or not filler:
        return value
    if missing > _LONGEST:
        raise Unsupported(f"a text of more than {_LONGEST} characters")
    added = (filler * (missing // len(filler) + 1))[:missing]
    return added + value if at_start else value + added


def _substring(value: str, arguments: Arguments) -> str:
    ends = [min(max(whole(arguments, index, default), 0), len(value)) for index, default in ((0, 0), (1, len(value)))]
    return value[min(ends) : max(ends)]


def _substr(value: str, arguments: Arguments) -> str:
    start, _ = slice_bounds(arguments[:1], len(value))
    return value[start : start + max(whole(arguments, 1, len(value)), 0)]


def _sliced(value: str, arguments: Arguments) -> str:
    start, end = slice_bounds(arguments, len(value))
    return value[start:end]


def _char_at(value: str, arguments: Arguments) -> str:
    index = whole(arguments, 0, 0)
    return value[index] if 0 <= index < len(value) else ""


def _char_code_at(value: str, arguments: Arguments) -> float:
    character = _char_at(value, arguments)
    return ord(character) if character else float("nan")


def _at(value: str, arguments: Arguments) -> Any:
    index = whole(arguments, 0, 0)
    return value[index] if -len(value) <= index < len(value) else UNSET


def _index_of(value: str, arguments: Arguments) -> int:
    return value.find(_text(arguments, 0), min(max(whole(arguments, 1, 0), 0), len(value)))


def _repeat(value: str, arguments: Arguments) -> str:
    count = whole(arguments, 0, 0)
    if not 0 <= count * max(len(value), 1) <= _LONGEST:
        raise Unsupported(f"repeat for a text of more than {_LONGEST} characters, or less than 0 times")
    return value * count


def _starts_with(value: str, arguments: Arguments) -> bool:
    return value.startswith(_text(arguments, 0), min(max(whole(arguments, 1, 0), 0), len(value)))


def _ends_with(value: str, arguments: Arguments) -> bool:
    return value[: max(whole(arguments, 1, len(value)), 0)].endswith(_text(arguments, 0))


_LONGEST: Final = 1_000_000
_METHODS: Final[dict[str, Callable[[str, Arguments], Any]]] = {
    "at": _at,
    "charAt": _char_at,
    "charCodeAt": _char_code_at,
    "concat": lambda value, arguments: value + "".join(units(text(argument)) for argument in arguments),
    "endsWith": _ends_with,
    "includes": lambda value, arguments: _index_of(value, arguments) >= 0,
    "indexOf": _index_of,
    "lastIndexOf": lambda value, arguments: value.rfind(_text(arguments[:1], 0)),
    "padEnd": lambda value, arguments: _padded(value, arguments, at_start=False),
    "padStart": lambda value, arguments: _padded(value, arguments, at_start=True),
    "repeat": _repeat,
    "slice": _sliced,
    "split": _split,
    "startsWith": _starts_with,
    "substr": _substr,
    "substring": _substring,
    "toLowerCase": lambda value, _: value.lower(),
    "toString": lambda value, _: value,
    "toUpperCase": lambda value, _: value.upper(),
    "trim": lambda value, _: value.strip(SPACE),
    "trimEnd": lambda value, _: value.rstrip(SPACE),
    "trimStart": lambda value, _: value.lstrip(SPACE),
    "valueOf": lambda value, _: value,
}
