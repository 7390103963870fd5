"""The values of settings: their types, and the errors about a value that does not fit."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

import msgspec
from msgspec import Meta, inspect

from .core.vocabulary.errors import InvalidConfig
from .core.vocabulary.known_names import SECRET

PREFIX = "CDP_SUPERVISOR_"
"""The prefix of environment variables: `CDP_SUPERVISOR_CDP_URL`, `CDP_SUPERVISOR_DIALOG_POLICY`, ..."""

Seconds: TypeAlias = Annotated[float, Meta(gt=0)]
Count: TypeAlias = Annotated[int, Meta(ge=0)]

ProxyServer: TypeAlias = Annotated[str, Meta(pattern=r"^(https?|socks[45])://[^/@\s]+:\d+$")]
"""Chromium takes no name and no password there."""


def check(key: str, value: object, kind: Any) -> None:
    """Refuse a value that is not of this (annotated) type: `InvalidConfig`."""
    convert(key, value, kind, strict=True)


def check_seconds(key: str, value: object) -> None:
    """Refuse what is not a positive, finite number of seconds (`InvalidConfig`)."""
    check(key, value, Seconds)


def convert(key: str, value: Any, kind: Any, *, strict: bool) -> Any:
    """Return a value as this (annotated) type, or refuse it: `InvalidConfig`. Without `strict` a text may hold JSON."""
    try:
        if not strict and isinstance(value, str) and value[:1] in ("[", "{"):
            value = msgspec.json.decode(value)
        converted = msgspec.convert(value, kind, strict=strict)
    except msgspec.MsgspecError:
        raise _refusal(key, value, kind) from None
    if isinstance(converted, float) and not math.isfinite(converted):
        raise _refusal(key, value, kind)
    return converted


def _refusal(key: str, value: Any, kind: Any) -> InvalidConfig:
    shown = f"a {type(value).__name__}" if key.rpartition(".")[2].removeprefix(PREFIX).lower() in SECRET else value
    if get_origin(kind) is Literal:
        return InvalidConfig.not_one_of(key, shown, get_args(kind))
    return InvalidConfig(key, shown, _allowed(inspect.type_info(kind)))


def _allowed(kind: inspect.Type) -> str:
    match kind:
        case inspect.FloatType():
            return "a positive number of seconds"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.DictType():
            return "names with texts"
        case inspect.UnionType(types):
            return " or ".join(_allowed(member) for member in types)
        case inspect.StrType(pattern=str(pattern)):
            return f"a text of the form {pattern}"
        case inspect.StrType():
            return "a text"
        case inspect.NoneType():
            return "nothing"
        case _:
            return "a value as the documentation describes it"
