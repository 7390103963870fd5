"""The commands of PyCDP (`chrome-devtools-protocol` on PyPI, imported as `cdp`), called with plain JSON values."""

from __future__ import annotations

import builtins
import inspect
import keyword
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import msgspec

from cdp_typed.protocol import registry

__all__ = ["Unsayable", "call", "commands", "required"]


class Unsayable(Exception):
    """PyCDP's own classes cannot hold the value."""


def commands() -> Iterator[str]:
    """The wire names of the commands that PyCDP and the bindings both know."""
    for method in registry.COMMANDS:
        if _function(method) is not None:
            yield method


def call(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The request that PyCDP makes of those parameters (by wire name) that it knows. Raises `Unsayable`."""
    function = _function(method)
    assert function is not None
    hints = typing.get_type_hints(function, vars(_module(method)))
    arguments = {
        python: _value(hints[python], params[wire])
        for wire, python in _names(method).items()
        if wire in params and python in hints
    }
    return dict(next(function(**arguments)))


def required(method: str) -> frozenset[str]:
    """The wire names of the parameters that PyCDP's function cannot do without."""
    function = _function(method)
    assert function is not None
    known = inspect.signature(function).parameters
    return frozenset(
        wire
        for wire, python in _names(method).items()
        if python in known and known[python].default is inspect.Parameter.empty
    )


def _names(method: str) -> dict[str, str]:
    fields = msgspec.structs.fields(registry.command_class(method))
    return {field.encode_name: _snake(field.encode_name) for field in fields}


def _module(method: str) -> ModuleType:
    return import_module(f"cdp.{_snake(method.partition('.')[0])}")


def _function(method: str) -> Callable[..., Any] | None:
    try:
        module = _module(method)
    except ModuleNotFoundError:
        return None
    function = getattr(module, _snake(method.partition(".")[2]), None)
    return function if inspect.isgeneratorfunction(function) else None


def _snake(name: str) -> str:
    words = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    snake = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", words).lower()
    return f"{snake}_" if keyword.iskeyword(snake) or hasattr(builtins, snake) else snake


def _value(hint: Any, value: Any) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:
        return _value(next(argument for argument in inner if argument is not type(None)), value)
    if origin is list:
        return [_value(inner[0], item) for item in value]
    if hasattr(hint, "from_json"):
        try:
            return hint.from_json(value)
        except (ValueError, KeyError, TypeError) as problem:
            raise Unsayable(f"{hint.__name__}: {problem!r}") from None
    return value
