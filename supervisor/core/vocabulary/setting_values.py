"""The values of settings: their types, and the errors about a value that does not fit."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, inspect

from cdp_typed import conversions

from .errors import InvalidConfig
from .known_names import SECRET

PREFIX = "CDP_SUPERVISOR_"
"""The prefix of environment variables: `CDP_SUPERVISOR_CDP_URL`, `CDP_SUPERVISOR_DIALOG_POLICY`, ..."""

Seconds: TypeAlias = Annotated[float, Meta(gt=0)]
Count: TypeAlias = Annotated[int, Meta(ge=0)]

ProxyServer: TypeAlias = Annotated[str, Meta(pattern=r"^(https?|socks[45])://[^/@\s]+:\d+$")]
"""Chromium takes no name and no password there."""


def check(key: str, value: object, kind: Any) -> None:
    """Refuse a value that is not of this (annotated) type: `InvalidConfig`."""
    convert(key, value, kind, strict=True)


def check_fields(value: Struct, within: str = "") -> None:
    """Refuse a field whose value is not of its type (`InvalidConfig`): a struct made in Python checks none."""
    for name, kind in _kinds(type(value)).items():
        check(f"{within}{name}", getattr(value, name), kind)


@cache
def _kinds(kind: type[Struct]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def check_seconds(key: str, value: object) -> None:
    """Refuse what is not a positive, finite number of seconds (`InvalidConfig`)."""
    check(key, value, Seconds)


def convert(key: str, value: Any, kind: Any, *, strict: bool) -> Any:
    """Return a value as this (annotated) type, or refuse it: `InvalidConfig`. Without `strict` a text may hold JSON."""
    try:
        converted = _converted(value, kind, strict)
    except (ValueError, RecursionError) as error:
        raise _refusal(key, value, kind, error) from None
    if isinstance(converted, float) and not math.isfinite(converted):
        raise _refusal(key, value, kind)
    return converted


def _converted(value: Any, kind: Any, strict: bool) -> Any:
    try:
        return conversions.convert(value, kind, strict=strict)
    except msgspec.MsgspecError:
        if strict or not isinstance(value, str) or value[:1] not in ("[", "{"):
            raise
        return conversions.convert(json.loads(value, object_pairs_hook=once), kind, strict=False)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object. Raises `ValueError` for a name that is given twice: one of its values would be lost."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name is given twice")
    return members


def _refusal(key: str, value: Any, kind: Any, error: Exception | None = None) -> InvalidConfig:
    shown = f"a {type(value).__name__}" if key.rpartition(".")[2].removeprefix(PREFIX).lower() in SECRET else value
    if get_origin(kind) is Literal:
        return InvalidConfig.not_one_of(key, shown, get_args(kind))
    allowed = _allowed(inspect.type_info(kind))
    why = "" if allowed or shown is not value else f" ({error})"
    return InvalidConfig(key, shown, allowed or f"a value as the documentation describes it{why}")


def _allowed(kind: inspect.Type) -> str:
    match kind:
        case inspect.FloatType():
            return "a positive number of seconds"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least}" + ("" if most is None else f" to {most}")
        case inspect.BoolType():
            return "true or false"
        case inspect.DictType():
            return "names with texts"
        case inspect.UnionType(types):
            return " or ".join(_allowed(member) for member in types)
        case inspect.LiteralType(values):
            return " or ".join(map(str, values))
        case inspect.VarTupleType(inspect.StrType()):
            return "a list of texts"
        case inspect.StrType(pattern=str(pattern)):
            return f"a text of the form {pattern}"
        case inspect.StrType():
            return "a text"
        case inspect.NoneType():
            return "nothing"
        case _:
            return ""
