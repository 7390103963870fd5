"""Decodes results and events even where they do not match the bindings, and records every difference.

The fast path is one cached `msgspec` decoder per class. Only a message that it refuses is read again, leniently,
along the class's own type information.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct, inspect

from cdp_typed.conversions import decoder_of
from cdp_typed.errors import SchemaMismatch
from cdp_typed.wire.json_text import is_array, is_object, load, repair

S = TypeVar("S", bound=Struct)

REFUSED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The exceptions that a `decoder` raises."""
_UNREADABLE = (ValueError, RecursionError)
_MAX_TEXT = 80
_ABSENT = object()

_NAMES: dict[type[inspect.Type], str] = {
    inspect.StructType: "object",
    inspect.DictType: "object",
    inspect.ListType: "array",
    inspect.VarTupleType: "array",
    inspect.StrType: "string",
    inspect.IntType: "integer",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}


class SchemaDrift(Struct, frozen=True):
    """One place where a message differed from the bindings; the message was delivered all the same.

    `method` is the command or event, `path` the place inside its result or parameters (`frame.childFrames[0].id`,
    empty for the whole), `expected` and `got` are short descriptions. `got` may quote text of the page: untrusted.
    """

    method: str
    path: str
    expected: str
    got: str


@cache
def decoder(cls: type[Struct]) -> Callable[[bytes | msgspec.Raw], Any]:
    """Return the fast path of `decode`, for code that reads many values of one class. It raises one of `REFUSED`."""
    return decoder_of(cls).decode


def decode(
    cls: type[S],
    raw: bytes | msgspec.Raw,
    *,
    method: str,
    drift: Callable[[SchemaDrift], None],
    strict: bool = False,
) -> S:
    """Read `raw`, the JSON of a result or of an event's parameters, as a `cls`; empty text counts as `{}`.

    `drift` is called with every difference from the bindings. An unknown enum value is kept. Every other field has the
    type that it declares: a number in place of a string becomes a string; a value that is missing, null or of another
    shape becomes a neutral value, or None where the field may be absent. Lone surrogates are no difference; bytes that
    are not UTF-8 are one, with U+FFFD in their place.
    Raises `SchemaMismatch` when nothing can be delivered, or with `strict` at the first difference.
    """
    raw = raw or b"{}"
    read: Callable[[bytes | msgspec.Raw], S] = decoder(cls)
    try:
        return read(raw)
    except REFUSED:
        data = bytes(raw)
    garbled = not _is_utf8(data)
    if garbled and strict:
        raise SchemaMismatch(f"{method}: text that is not UTF-8")
    repaired = repair(data)
    try:
        value = read(repaired)
    except REFUSED as refused:
        if strict:
            raise SchemaMismatch(f"{method}: {_short(str(refused))}") from None
        value = _decode_leniently(cls, repaired, method, drift)
    if garbled:
        drift(SchemaDrift(method, "", "text in UTF-8", "bytes that are not"))
    return value


def decode_any(raw: bytes | msgspec.Raw, *, method: str) -> dict[str, Any]:
    """Read `raw` as a plain object; empty text counts as `{}`. Raises `SchemaMismatch` if it is no object."""
    try:
        value = load(repair(bytes(raw)) or b"{}", lambda _: None)
    except _UNREADABLE as unreadable:
        raise SchemaMismatch(f"{method}: {_short(str(unreadable))}") from None
    if not is_object(value):
        raise SchemaMismatch(f"{method}: expected an object, got {_describe(value)}")
    return value


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decode_leniently(cls: type[S], raw: bytes, method: str, drift: Callable[[SchemaDrift], None]) -> S:
    differences: list[SchemaDrift] = []
    fit = _LenientDecoder(method, differences.append)
    try:
        value = load(raw, lambda text: fit.differs("", "a JSON number", text))
        result = fit.whole(cls, value)
    except _UNREADABLE as unreadable:
        raise SchemaMismatch(f"{method}: {_short(str(unreadable))}") from None
    for difference in differences:
        drift(difference)
    return result


@cache
def _shape(cls: type[Struct]) -> inspect.StructType:
    return cast("inspect.StructType", inspect.type_info(cls))


class _LenientDecoder:
    """Fits plain JSON values into the types that a struct declares, and reports every difference."""

    def __init__(self, method: str, drift: Callable[[SchemaDrift], None]) -> None:
        self._method = method
        self._drift = drift

    def differs(self, path: str, expected: str, got: str) -> None:
        self._drift(SchemaDrift(self._method, path, expected, got))

    def whole(self, cls: type[S], value: Any) -> S:
        if value is None:
            self.differs("", "object", "null")
            value = {}
        if not is_object(value):
            raise SchemaMismatch(f"{self._method}: expected an object, got {_describe(value)}")
        return cast("S", self._object(_shape(cls), value, ""))

    def _value(self, kind: inspect.Type, value: Any, path: str) -> Any:
        match kind:
            case inspect.StructType() if is_object(value):
                return self._object(kind, value, path)
            case inspect.ListType() | inspect.VarTupleType() if is_array(value):
                items = [self._value(kind.item_type, item, f"{path}[{at}]") for at, item in enumerate(value)]
                return items if isinstance(kind, inspect.ListType) else tuple(items)
            case inspect.DictType() if is_object(value):
                return {key: self._value(kind.value_type, item, f"{path}.{key}") for key, item in value.items()}
            case inspect.UnionType():
                return self._member(kind, value, path)
            case _:
                return value if _conforms(kind, value) else self._misfit(kind, value, path)

    def _object(self, kind: inspect.StructType, value: dict[str, Any], path: str) -> Struct:
        fields: dict[str, Any] = {}
        for field in kind.fields:
            where = f"{path}.{field.encode_name}" if path else field.encode_name
            item = value.get(field.encode_name, _ABSENT)
            if item is not _ABSENT:
                fields[field.name] = self._value(field.type, item, where)
            elif field.required:
                self.differs(where, _expected(field.type), "nothing")
                fields[field.name] = _neutral(field.type)
        return kind.cls(**fields)

    def _member(self, kind: inspect.UnionType, value: Any, path: str) -> Any:
        members = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
        if value is None and len(members) < len(kind.types):
            return None
        if len(members) == 1:
            if _has_shape(members[0], value):
                return self._value(members[0], value, path)
            self.differs(path, _expected(members[0]), _describe(value))
            return None
        # Generated code has no union of two types; in a class that a user wrote, the value is kept as it came.
        if not any(_conforms(member, value) for member in members):
            self.differs(path, _expected(kind), _describe(value))
        return value

    def _misfit(self, kind: inspect.Type, value: Any, path: str) -> Any:
        self.differs(path, _expected(kind), _describe(value))
        return _coerced(kind, value) if _has_shape(kind, value) else _neutral(kind)


def _has_shape(kind: inspect.Type, value: Any) -> bool:
    """Return True if the value, or a conversion of it, can be kept in a field of this type."""
    match kind:
        case inspect.StructType() | inspect.DictType():
            return is_object(value)
        case inspect.ListType() | inspect.VarTupleType():
            return is_array(value)
        case inspect.StrType() | inspect.LiteralType():
            return isinstance(value, str | int | float) and not isinstance(value, bool)
        case inspect.IntType() | inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        case _:
            return _conforms(kind, value)


def _coerced(kind: inspect.Type, value: Any) -> Any:
    match kind:
        case inspect.StrType() | inspect.LiteralType():
            return str(value)
        case inspect.IntType():
            return int(value)
        case inspect.FloatType():
            return float(value)
        case _:
            return value


def _conforms(kind: inspect.Type, value: Any) -> bool:
    match kind:
        case inspect.AnyType() | inspect.RawType():
            return True
        case inspect.LiteralType():
            return isinstance(value, str | int) and value in kind.values
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case _:
            return False


def _neutral(kind: inspect.Type) -> Any:
    match kind:
        case inspect.StructType():
            return kind.cls(**{field.name: _neutral(field.type) for field in kind.fields if field.required})
        case inspect.ListType():
            return []
        case inspect.VarTupleType():
            return ()
        case inspect.DictType():
            return {}
        case inspect.StrType() | inspect.LiteralType():
            return ""
        case inspect.BoolType():
            return False
        case inspect.IntType():
            return 0
        case inspect.FloatType():
            return 0.0
        case _:
            return None


def _expected(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return _short("one of " + ", ".join(str(value) for value in kind.values))
    if isinstance(kind, inspect.UnionType):
        return " or ".join(_expected(member) for member in kind.types)
    return _NAMES.get(type(kind), "any")


def _describe(value: Any) -> str:
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return _short(repr(value[: _MAX_TEXT + 1]) if isinstance(value, str) else str(value))


def _short(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 3] + "..."
