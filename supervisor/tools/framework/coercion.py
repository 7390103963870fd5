"""Converts what models send into a tool's typed arguments; an error names the argument."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct, inspect

from cdp_typed.conversions import convert
from cdp_typed.spelling import closest, did_you_mean
from cdp_typed.wire.json_text import is_array, is_object

from .tool_errors import InvalidArgument

_PLAIN_WORD = re.compile(r"[a-z][a-z0-9_-]{0,23}", re.ASCII | re.IGNORECASE)
_SYNONYMS = {"new": "open", "create": "open", "switch": "select", "activate": "select"}
"""Words for a choice that other tools for browsers use."""

WHOLE = "arguments"
"""The name in an error about the arguments as a whole."""


def read(given: object, kind: type[Struct]) -> Struct:
    """The arguments as `kind`, from an object, from its JSON text, or from nothing.

    A text means a list of one, or of the numbers between its commas. Numbers and booleans may be texts, an object or a
    list may be JSON text, and null means the default. Raises `InvalidArgument`.
    """
    values = _object(given)
    fields, hints = _fields(kind)
    for name in values:
        if name not in fields:
            meant = did_you_mean(str(name), fields, 1) or f"; the tool takes {', '.join(fields) or 'no arguments'}"
            raise InvalidArgument(str(name), f"unknown{meant}")
    converted = dict[str, Any]()
    for name, field in fields.items():
        value = values.get(name)
        if (value is None and not _takes_null(field.type)) or name not in values:
            if field.required:
                raise InvalidArgument(name, f"missing; expected {expected(field.type)}")
            continue
        converted[field.name] = _convert(name, value, field.type, hints[field.name])
    try:
        return kind(**converted)
    except ValueError as error:  # a rule over several arguments, in the struct's own `__post_init__`
        raise InvalidArgument(WHOLE, str(error)) from None


def without_foreign(given: object, kind: type[Struct], kind_of: Callable[[str], type[Struct] | None]) -> object:
    """The arguments without those that a host adds to every tool: any whose name resembles none of the tool's.

    `kind_of` gives the arguments of the tool that a step of `steps` names, which are freed of them, too.
    """
    try:
        values, fields = _object(given), _fields(kind)[0]
    except InvalidArgument:
        return given
    known = {name: value for name, value in values.items() if name in fields or closest(str(name), fields)}
    steps = _coerce(known["steps"], fields["steps"].type) if "steps" in known and "steps" in fields else None
    return {**known, "steps": [_own_step(step, kind_of) for step in steps]} if is_array(steps) else known


def _own_step(step: object, kind_of: Callable[[str], type[Struct] | None]) -> object:
    step = _json_or(step, step) if isinstance(step, str) else step
    kind = kind_of(str(step.get("tool"))) if is_object(step) and "arguments" in step else None
    return (
        {**step, "arguments": without_foreign(step["arguments"], kind, kind_of)} if is_object(step) and kind else step
    )


@lru_cache(maxsize=256)
def _fields(kind: type[Struct]) -> tuple[dict[str, inspect.Field], dict[str, Any]]:
    """The fields by their names on the wire, and the types of all by their names in Python."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field for field in info.fields}, get_type_hints(kind, include_extras=True)


def _object(given: object) -> dict[str, Any]:
    if isinstance(given, (str, bytes)):
        try:
            given = json.loads(given) if given.strip() else {}
        except ValueError:
            raise InvalidArgument(WHOLE, "not JSON") from None
    given = {} if given is None else given
    if not is_object(given):
        raise InvalidArgument(WHOLE, "expected a JSON object")
    return given


def _convert(name: str, value: Any, info: inspect.Type, hint: Any) -> Any:
    value = _coerce(value, info)
    try:
        converted = convert(value, hint, strict=False)
    except (msgspec.ValidationError, OverflowError):
        choices = [choice for kind in _members(info) if isinstance(kind, inspect.LiteralType) for choice in kind.values]
        if isinstance(value, str) and choices:
            spelled = {_plain(str(choice)): choice for choice in choices}
            if _plain(value) in spelled:
                return spelled[_plain(value)]
            raise not_one_of(name, value, map(str, choices)) from None
        raise InvalidArgument(name, f"expected {expected(info)}, got {_kind(value)}") from None
    if isinstance(converted, float) and converted - converted != 0:
        raise InvalidArgument(name, f"expected {expected(info)}, got a number without end")
    return converted


def _plain(choice: str) -> str:
    """A choice without case and separators: "Fast 3G" is written `fast-3g`, too."""
    return re.sub(r"[\W_]+", "", choice).casefold()


def not_one_of(name: str, value: str, choices: Iterable[str]) -> InvalidArgument:
    """Return the error for a text that is none of these choices; it names the one that was probably meant.

    It quotes the text only where that is a plain word: a longer one may come from a page, or be a secret.
    """
    listed = list(choices)
    shown = f'"{value}"' if _PLAIN_WORD.fullmatch(value) else "this text"
    meant = _SYNONYMS.get(value, value)
    hint = f"; did you mean {meant!r}?" if meant in listed else did_you_mean(value, listed, 1)
    return InvalidArgument(name, f"{shown} is not one of {', '.join(listed)}{hint}")


def chosen(name: str, given: Iterable[str], choices: Iterable[str]) -> tuple[str, ...]:
    """Return the choices that a filter names, whatever their case; one of its texts may have several, with commas.

    Raises `InvalidArgument` for one that is none of them, which would find nothing.
    """
    meant = {choice.lower(): choice for choice in choices}
    words = [word.strip() for text in given for word in text.split(",")]
    for word in words:
        if word.lower() not in meant:
            raise not_one_of(name, word, meant.values())
    return tuple(dict.fromkeys(meant[word.lower()] for word in words))


def _coerce(value: Any, info: inspect.Type) -> Any:
    kinds = _members(info)
    if is_array(value):
        items = [kind.item_type for kind in kinds if isinstance(kind, inspect.VarTupleType)]
        structs = [kind for item in items for kind in _members(item) if isinstance(kind, inspect.StructType)]
        return [_fields_coerced(each, structs[0]) if is_object(each) else each for each in value] if structs else value
    if any(isinstance(kind, inspect.StrType) for kind in kinds):
        if isinstance(value, bool):
            return value if any(isinstance(kind, inspect.BoolType) for kind in kinds) else json.dumps(value)
        takes_numbers = any(isinstance(kind, (inspect.IntType, inspect.FloatType)) for kind in kinds)
        return str(value) if isinstance(value, (int, float)) and not takes_numbers else value
    if isinstance(value, str):
        if any(isinstance(kind, (inspect.DictType, inspect.StructType, inspect.AnyType)) for kind in kinds):
            return _json_or(value, value)
        lists = [kind for kind in kinds if isinstance(kind, inspect.CollectionType)]
        if lists:
            listed = _json_or(value, value)
            if is_array(listed):
                return _coerce(listed, info)
            return [each.strip() for each in value.split(",")] if _has_numbers(lists) else [value]
        if value.strip().lower() in ("true", "false", "null", "none", "yes", "no"):
            return {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().lower())
        return value.strip()
    if isinstance(value, float) and value.is_integer() and any(isinstance(kind, inspect.IntType) for kind in kinds):
        return int(value)
    return value


def _has_numbers(lists: Iterable[inspect.CollectionType]) -> bool:
    """Whether all items are numbers, which a shell gives as `48.1,11.5`."""
    return all(isinstance(each.item_type, (inspect.IntType, inspect.FloatType)) for each in lists)


def _fields_coerced(given: dict[str, Any], struct: inspect.StructType) -> dict[str, Any]:
    """The fields of an object in a list, each coerced; null means the default."""
    fields = {field.encode_name: field.type for field in struct.fields}
    return {
        name: _coerce(value, fields[name]) if name in fields else value
        for name, value in given.items()
        if value is not None or name not in fields or _takes_null(fields[name])
    }


def _json_or(text: str, otherwise: Any) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return otherwise


def _members(info: inspect.Type) -> tuple[inspect.Type, ...]:
    match info:
        case inspect.Metadata(type=inner):
            return _members(inner)
        case inspect.UnionType(types=types):
            return tuple(member for choice in types for member in _members(choice))
        case _:
            return (info,)


def _takes_null(info: inspect.Type) -> bool:
    return any(isinstance(member, (inspect.NoneType, inspect.AnyType)) for member in _members(info))


def expected(info: inspect.Type) -> str:
    """Describe a type in words."""
    words = [_word(member) for member in _members(info) if not isinstance(member, inspect.NoneType)]
    return " or ".join(dict.fromkeys(words)) or "nothing"


def _word(info: inspect.Type) -> str:
    match info:
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(str(value) for value in values)
        case inspect.StrType():
            return "a text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least, le=most):
            return "a whole number" + _range(least, most)
        case inspect.FloatType(gt=above, le=most):
            return "a number" + (f" above {above:g}" if above is not None else "") + _range(None, most)
        case inspect.CollectionType(item_type=inner):
            return f"a list of {expected(inner)}"
        case inspect.DictType() | inspect.StructType():
            return "an object"
        case _:
            return "a JSON value"


def _range(least: float | None, most: float | None) -> str:
    return (f" from {least:g}" if least is not None else "") + (f" up to {most:g}" if most is not None else "")


def _kind(value: Any) -> str:
    kinds: dict[type[Any], str] = {
        bool: "a boolean",
        str: "a text",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return next((word for kind, word in kinds.items() if isinstance(value, kind)), "null")
