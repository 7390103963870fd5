"""Values of any class with every field filled, also those that have a default."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast, get_type_hints

from msgspec import Struct
from msgspec import inspect as types

T = TypeVar("T")

_DEEPEST = 5
"""What is optional, and an array's items, is left out below."""

_PLAIN: dict[type, Any] = {
    types.AnyType: {"any": [1, None]},
    types.BoolType: True,
    types.BytesType: b"\x00bytes",
    types.FloatType: 2.5,
    types.IntType: 7,
    types.NoneType: None,
    types.StrType: "text \udc80 \U0001f600",
}


def filled(cls: type[T], **given: Any) -> T:
    """Call a class with a value for each of its parameters, but for those that are given."""
    hints = get_type_hints(cls if issubclass(cls, Struct) else cls.__init__)
    args: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in inspect.signature(cast("Callable[..., T]", cls)).parameters.items():
        value = given[name] if name in given else _of(hints.get(name, str))
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            args.append(value)
    return cast("Callable[..., T]", cls)(*args, **named)


def _of(hint: Any) -> Any:
    return _value(types.type_info(hint), 0)


def _value(kind: types.Type, depth: int) -> Any:
    match kind:
        case types.Metadata(type=inner):
            return _value(inner, depth)
        case types.LiteralType(values=values):
            return values[-1]
        case types.UnionType(types=choices):
            # None where it is allowed, deep down; else the member that says most
            empty = [choice for choice in choices if isinstance(choice, types.NoneType)]
            rest = [choice for choice in choices if choice not in empty]
            return _value(empty[0] if empty and depth > _DEEPEST else rest[-1], depth + 1)
        case types.TupleType(item_types=items):
            return tuple(_value(item, depth + 1) for item in items)
        case types.VarTupleType(item_type=item):
            return () if depth > _DEEPEST else (_value(item, depth + 1),)
        case types.CollectionType(item_type=item):
            return [] if depth > _DEEPEST else [_value(item, depth + 1)]
        case types.DictType(value_type=value):
            return {} if depth > _DEEPEST else {"key": _value(value, depth + 1)}
        case types.StructType(cls=cls, fields=fields):
            return cls(**{field.name: _value(field.type, depth + 1) for field in fields})
        case types.CustomType(cls=cls) if cls is object:
            return {"any": [1, None]}
        case types.CustomType(cls=cls):
            return cast("object", filled(cls))
        case _:
            return _PLAIN[type(kind)]
