"""The methods of arrays that change nothing: scripts of the mock run again from their start after a dialog."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any, Final

from msgspec import UNSET

from cdp_typed.mock.js.library.given_arguments import Arguments, Call, argument, slice_bounds, whole
from cdp_typed.mock.js.operators import identical, to_number
from cdp_typed.mock.js.syntax import syntax_tree as ast
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import is_list, is_truthy, text

_Method = Callable[[list[Any], Arguments, Call], Any]


def array_method(value: list[Any], name: str, arguments: Arguments, call: Call) -> Any:
    """Return `value.name(arguments)`. Raises `Unsupported`."""
    method = _METHODS.get(name)
    if method is None:
        raise Unsupported(f"a call of {name} on an array")
    return method(value, arguments, call)


def _mapped(value: list[Any], arguments: Arguments, call: Call) -> list[Any]:
    function = argument(arguments, 0)
    return [call(function, [item, index, value]) for index, item in enumerate(value)]


def _first(value: list[Any], arguments: Arguments, call: Call) -> tuple[int, Any]:
    function = argument(arguments, 0)
    found = ((index, item) for index, item in enumerate(value) if is_truthy(call(function, [item, index, value])))
    return next(found, (-1, UNSET))


def _filtered(value: list[Any], arguments: Arguments, call: Call) -> list[Any]:
    function = argument(arguments, 0)
    return [item for index, item in enumerate(value) if is_truthy(call(function, [item, index, value]))]


def _every(value: list[Any], arguments: Arguments, call: Call) -> bool:
    function = argument(arguments, 0)
    return all(is_truthy(call(function, [item, index, value])) for index, item in enumerate(value))


def _reduced(value: list[Any], arguments: Arguments, call: Call) -> Any:
    items = list(enumerate(value))
    if len(arguments) > 1:
        result = arguments[1]
    elif items:
        result = items.pop(0)[1]
    else:
        raise Unsupported("reduce of an empty array without a first value")
    for index, item in items:
        result = call(argument(arguments, 0), [result, item, index, value])
    return result


def _for_each(value: list[Any], arguments: Arguments, call: Call) -> Any:
    _mapped(value, arguments, call)
    return UNSET


def _joined(value: list[Any], arguments: Arguments, _: Call) -> str:
    separator = argument(arguments, 0)
    between = "," if separator is UNSET else text(separator)
    return between.join("" if item is None or item is UNSET else text(item) for item in value)


def _index_of(value: list[Any], arguments: Arguments, _: Call) -> int:
    wanted = argument(arguments, 0)
    start, end = slice_bounds(arguments[1:2], len(value))
    return next((index for index in range(start, end) if identical(value[index], wanted)), -1)


def _includes(value: list[Any], arguments: Arguments, call: Call) -> bool:
    wanted = argument(arguments, 0)
    is_nan = isinstance(wanted, float) and wanted != wanted
    found = any(isinstance(item, float) and item != item for item in value) if is_nan else False
    return found or _index_of(value, arguments, call) >= 0


def _flat(value: list[Any], depth: int) -> list[Any]:
    flat: list[Any] = []
    for item in value:
        flat += _flat(item, depth - 1) if depth > 0 and is_list(item) else [item]
    return flat


def _sliced(value: list[Any], arguments: Arguments, _: Call) -> list[Any]:
    start, end = slice_bounds(arguments, len(value))
    return value[start:end]


def _sorted(value: list[Any], arguments: Arguments, call: Call) -> list[Any]:
    """Sort as `sort` does: `undefined` last, by the function, or by the texts in units of UTF-16."""
    function = argument(arguments, 0)
    given = [item for item in value if item is not UNSET]
    if function is UNSET:
        given.sort(key=lambda item: text(item).encode("utf-16-be", "surrogatepass"))
    else:
        given.sort(key=cmp_to_key(lambda left, right: _sign(to_number(call(function, [left, right])))))
    return [*given, *[UNSET] * (len(value) - len(given))]


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def is_fresh(node: ast.Expression) -> bool:
    """Return whether no other name can mean the array that the expression gives."""
    if isinstance(node, ast.CallExpression):
        function = node.function
        return isinstance(function, ast.MemberExpression) and function.name in _MAKING
    return isinstance(node, ast.ArrayExpression)


def _at(value: list[Any], arguments: Arguments, _: Call) -> Any:
    index = whole(arguments, 0, 0)
    return value[index] if -len(value) <= index < len(value) else UNSET


SORTING: Final = frozenset({"reverse", "sort"})
"""The methods that change their array; they are supported on an array that has no name."""
_MAKING: Final = frozenset(
    ["concat", "entries", "filter", "flat", "flatMap", "from", "keys", "map", "slice", "split", "values"]
)
_METHODS: Final[dict[str, _Method]] = {
    "at": _at,
    "concat": lambda value, arguments, _: [*value, *_flat(arguments, 1)],
    "every": _every,
    "filter": _filtered,
    "find": lambda value, arguments, call: _first(value, arguments, call)[1],
    "findIndex": lambda value, arguments, call: _first(value, arguments, call)[0],
    "flat": lambda value, arguments, _: _flat(value, whole(arguments, 0, 1)),
    "flatMap": lambda value, arguments, call: _flat(_mapped(value, arguments, call), 1),
    "forEach": _for_each,
    "includes": _includes,
    "indexOf": _index_of,
    "join": _joined,
    "map": _mapped,
    "reduce": _reduced,
    "reverse": lambda value, _, __: value[::-1],
    "slice": _sliced,
    "sort": _sorted,
    "some": lambda value, arguments, call: _first(value, arguments, call)[0] >= 0,
    "toReversed": lambda value, _, __: value[::-1],
    "toSorted": _sorted,
    "toString": lambda value, _, call: _joined(value, [], call),
}
