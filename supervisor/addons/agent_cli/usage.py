"""Commands made from the schemas of tools: their words become arguments, and their help is the schema's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from cdp_typed.cli.arguments import UsageError
from cdp_typed.spelling import did_you_mean
from cdp_typed.wire.json_text import is_array
from supervisor.tools import Tool
from supervisor.tools.framework.schemas import arguments as arguments_schema

_VERB = "action"
"""An optional field that comes first all the same: what to do."""
_PATHS = ("path", "paths", "file", "files")
"""Fields that hold files of the caller, which may be relative to its folder."""
_SHOWS = "snapshot"
"""Always on: a command reports what changed."""


class Parsed(Struct, frozen=True):
    """The words of a command, taken apart."""

    positional: list[str]
    options: dict[str, str | bool | list[str]]


class Parameters(Struct, frozen=True):
    """The arguments of a tool's command."""

    positional: tuple[str, ...]
    """Fields in the order of their words; words that are left belong to the last one if it is a list."""
    fields: Mapping[str, Mapping[str, Any]]
    """The schema of each field."""


def parameters_of(tool: Tool, first: Sequence[str] = ()) -> Parameters:
    """The command of a tool: required fields are words, in the order of the schema, the others are options.

    `first` names optional fields that are words, too, after the required ones.
    """
    schema = arguments_schema(tool, str)
    fields: dict[str, Any] = schema["properties"]
    required = [name for name in fields if name in schema.get("required", ())]
    verb = [name for name in (_VERB,) if name in fields and name not in required]
    more = [name for name in first if name in fields and name not in required and name not in verb]
    return Parameters((*verb, *required, *more), fields)


def is_list(field: Mapping[str, Any]) -> bool:
    """Whether a field takes several values."""
    kinds = [field.get("type"), *(choice.get("type") for choice in field.get("anyOf", ()))]
    return "array" in kinds


def is_switch(field: Mapping[str, Any]) -> bool:
    """Whether a field is true or false."""
    return field.get("type") == "boolean"


def split(words: Sequence[str], fields: Mapping[str, Mapping[str, Any]]) -> Parsed:
    """Take options out of the words. `--name VALUE`, `--name=VALUE`, `--switch`, `--no-switch`; `--` ends them.

    Raises `UsageError` for an option that is none of the fields.
    """
    positional: list[str] = []
    options: dict[str, str | bool | list[str]] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            positional += left
            break
        if not word.startswith("--"):
            positional.append(word)
            continue
        flag, equals, value = word.partition("=")
        name = flag[2:].replace("-", "_")
        if name.startswith("no_") and name not in fields and is_switch(fields.get(name[3:], {})):
            options[name[3:]] = False
            continue
        if name not in fields:
            known = [option_name(field) for field in fields if field != _SHOWS]
            raise UsageError(f"unknown option {flag}{did_you_mean(flag, known, 1)}")
        if is_switch(fields[name]) and not equals:
            options[name] = True
            continue
        if not equals:
            if not left:
                raise UsageError(f"{flag} needs a value")
            value = left.pop(0)
        before = options.get(name)
        if before is None or not is_list(fields[name]):
            options[name] = value  # one value of a list stays a text, which other fields take, too
        else:
            options[name] = [*(before if is_array(before) else [str(before)]), value]
    return Parsed(positional, options)


def option_name(field: str) -> str:
    """The option of a field."""
    return "--" + field.replace("_", "-")


def arguments_of(command: str, words: Sequence[str], parameters: Parameters, folder: str) -> dict[str, Any]:
    """The tool's arguments for the words of a command. Raises `UsageError`.

    Values stay texts: the tool converts them. Files are relative to `folder`.
    """
    parsed = split(words, parameters.fields)
    arguments: dict[str, Any] = dict(parsed.options)
    wanted = [name for name in parameters.positional if name not in arguments]
    given = parsed.positional
    for at, name in enumerate(wanted):
        if not given:
            break
        is_rest = at == len(wanted) - 1 and is_list(parameters.fields[name])
        if is_rest:
            arguments[name], given = (given[0] if len(given) == 1 else given), []
        else:
            arguments[name], given = given[0], given[1:]
    if given:
        raise UsageError(f"{command} takes no further word {given[0]!r}: {synopsis(command, parameters)}")
    for name in _PATHS:
        if name in arguments:
            arguments[name] = _absolute(arguments[name], folder)
    if _SHOWS in parameters.fields:
        arguments.setdefault(_SHOWS, True)
    return arguments


def synopsis(command: str, parameters: Parameters) -> str:
    """One line: the command, its words, its options."""
    words: list[str] = []
    for name in parameters.positional:
        field = parameters.fields[name]
        shown = "|".join(field["enum"]) if "enum" in field else name.upper()
        words.append(f"{shown}..." if is_list(field) else shown)
    options = [
        f"[{option_name(name)}{'' if is_switch(field) else ' ' + name.upper()}]"
        for name, field in parameters.fields.items()
        if name not in parameters.positional and name not in (_SHOWS, "timeout")
    ]
    return " ".join([command, *words, *options])


def described(command: str, tool: Tool, parameters: Parameters) -> str:
    """The help of a command, from its tool."""
    lines = [f"usage: cdp-agent {synopsis(command, parameters)}", "", tool.description]
    for name, field in parameters.fields.items():
        if name not in (_SHOWS, "timeout"):
            shown = name.upper() if name in parameters.positional else option_name(name)
            choices = f" ({', '.join(map(str, field['enum']))})" if "enum" in field else ""
            lines.append(f"  {shown:18}{field.get('description', '')}{choices}".rstrip())
    return "\n".join(lines) + "\n"


def _absolute(value: Any, folder: str) -> Any:
    if is_array(value):
        return [_absolute(item, folder) for item in value]
    return str(Path(folder, value)) if isinstance(value, str) else value
