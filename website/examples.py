"""The example call of each command: its smallest form, as Python."""

from __future__ import annotations

from importlib import import_module
from json import dumps
from typing import Any, NewType, get_type_hints

import msgspec
from msgspec import Struct

from cdp_typed.mock import sample
from codegen.model import Command
from codegen.names import class_name, module_name

_TEXTS = {
    "url": "https://example.com/",
    "expression": "document.title",
    "function_declaration": "function () { return this }",
    "selector": "h1",
    "name": "name",
    "origin": "https://example.com",
    "storage_key": "https://example.com/",
    "path": "example.txt",
}
"""The example of a required text of that name; any other is the first word of its name."""


def example(domain: str, command: Command) -> str:
    """Return a call of the command with the parameters that it needs."""
    module = module_name(domain)
    method = import_module(f"cdp_typed.protocol.{module}")
    value = sample(getattr(method, class_name(command.name)))
    modules = {module}
    call = f"session.send({_written(value, modules)})"
    imports = ", ".join(sorted(modules))
    return f"from cdp_typed.protocol import {imports}\n\n{'result = ' if command.returns else ''}await {call}\n"


def _written(value: Struct, modules: set[str]) -> str:
    """The call that makes a value, with the fields that it cannot do without."""
    arguments: list[str] = []
    hints = get_type_hints(type(value))
    for field in msgspec.structs.fields(value):
        if field.required:
            literal = _literal(getattr(value, field.name), field.name, modules)
            arguments.append(f"{field.name}={_typed(literal, hints[field.name], modules)}")
    owner = type(value).__module__.rpartition(".")[2]
    modules.add(owner)
    return f"{owner}.{type(value).__name__}({', '.join(arguments)})"


def _typed(literal: str, hint: object, modules: set[str]) -> str:
    """The literal as a value with its own type, where the protocol has one for it."""
    if not isinstance(hint, NewType):
        return literal
    owner = hint.__module__.rpartition(".")[2]
    modules.add(owner)
    return f"{owner}.{hint.__name__}({literal})"


def _literal(value: Any, name: str, modules: set[str]) -> str:
    match value:
        case Struct():
            return _written(value, modules)
        case "text":
            return dumps(_TEXTS.get(name, name.partition("_")[0]))
        case str():
            return dumps(value)
        case _:
            return repr(value)
