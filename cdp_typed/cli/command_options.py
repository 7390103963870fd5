"""The parameters of a CDP command as options of a command line, made from its types."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from cdp_typed import Command
from cdp_typed.cli.arguments import UsageError
from cdp_typed.conversions import convert, decode
from cdp_typed.protocol.registry import command_class
from cdp_typed.schema import Property, TypeDef, load_schema
from cdp_typed.spelling import did_you_mean
from cdp_typed.wire.json_text import is_array, is_object

_MANY = 12
"""The number of enum values up to which the help lists them."""


class Option(Struct, frozen=True):
    """The option of one parameter: `--return-by-value` (or as on the wire, `--returnByValue`)."""

    flag: str
    wire: str
    kind: str
    """`string`, `integer`, `number`, `boolean`, or `JSON` for objects and arrays of objects."""
    values: tuple[str, ...]
    """The values of an enum; empty for other parameters."""
    many: bool
    required: bool
    experimental: bool

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        flags = [self.flag] if self.flag == f"--{self.wire}" else [self.flag, f"--{self.wire}"]
        nargs = "*" if self.many else "?" if self.kind == "boolean" else None
        parser.add_argument(
            *flags,
            dest=self.wire,
            nargs=nargs,
            const=True if nargs == "?" else None,
            type=self._convert(),
            default=argparse.SUPPRESS,
            metavar=self._metavar(),
            help=self._help(),
        )

    def _convert(self) -> Callable[[str], Any]:
        if self.values:
            return self._value
        return {"integer": _integer, "number": _number, "boolean": _boolean, "JSON": read_json}.get(self.kind, str)

    def _value(self, text: str) -> str:
        if text not in self.values:
            listed = f"; it is one of {', '.join(self.values)}" if len(self.values) <= _MANY else ""
            raise argparse.ArgumentTypeError(f"{text!r} is no value of it{listed or did_you_mean(text, self.values)}")
        return text

    def _metavar(self) -> str:
        return "VALUE" if self.values else {"boolean": "true|false", "string": "TEXT"}.get(self.kind, self.kind.upper())

    def _help(self) -> str:
        marks = ["required" if self.required else "", "experimental" if self.experimental else ""]
        listed = f"one of {', '.join(self.values)}" if 0 < len(self.values) <= _MANY else ""
        return "; ".join(part for part in (listed, *marks) if part)


def options_of(method: str) -> tuple[Option, ...]:
    """Return the options for the parameters of the command `method`, in the schema's order. Raises `UnknownMethod`."""
    names = {field.encode_name: field.name for field in fields(command_class(method))}
    return tuple(_option(parameter, names[parameter.name]) for parameter in load_schema().commands[method].parameters)


def _option(parameter: Property, name: str) -> Option:
    shape, many = _resolved(parameter), False
    if shape.items is not None:
        item = _resolved(Property(name="", type=shape.items.type, ref=shape.items.ref))
        if _kind(item) != "JSON":
            shape, many = item, True
    return Option(
        flag="--" + name.strip("_").replace("_", "-"),
        wire=parameter.name,
        kind=_kind(shape),
        values=shape.enum or (),
        many=many,
        required=not parameter.optional,
        experimental=parameter.experimental,
    )


def _resolved(item: Property) -> Property | TypeDef:
    return item if item.ref is None else load_schema().types[item.ref]


def _kind(shape: Property | TypeDef) -> str:
    if shape.type in ("integer", "number", "boolean", "string"):
        return shape.type
    return "string" if shape.type == "binary" else "JSON"


def read_json(text: str) -> Any:
    """Parse a JSON value. Raises `argparse.ArgumentTypeError`."""
    try:
        return decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"no JSON: {error}") from None


def build(method: str, given: dict[str, Any]) -> Command[Any]:
    """Return the command with these parameters, given by their wire names.

    Raises `UsageError` for a parameter that is missing, unknown, at whatever depth, or of another type.
    """
    options = options_of(method)
    wires = [option.wire for option in options]
    for name in given:
        if name not in wires:
            raise UsageError(f"{method} has no parameter {name!r}{did_you_mean(name, wires)}")
    missing = [option.flag for option in options if option.required and option.wire not in given]
    if missing:
        raise UsageError(f"{method} needs {', '.join(missing)}")
    try:
        command: Command[Any] = convert(given, command_class(method))
    except msgspec.ValidationError as error:
        raise UsageError(f"{method}: {error}") from None
    for path in _dropped(given, msgspec.to_builtins(command), ""):
        raise UsageError(f"{method}: the protocol has no {path}")
    return command


def _dropped(given: Any, kept: Any, path: str) -> Iterator[str]:
    """Yield the paths of the keys in `given` that the command's types do not have, and that `kept` therefore lacks."""
    if is_object(given) and is_object(kept):
        for key, value in given.items():
            where = f"{path}.{key}" if path else key
            if key not in kept:
                yield where
            else:
                yield from _dropped(value, kept[key], where)
    elif is_array(given) and is_array(kept):
        for at, (value, other) in enumerate(zip(given, kept, strict=True)):
            yield from _dropped(value, other, f"{path}[{at}]")


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"an integer is expected, not {text!r}") from None


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"a number is expected, not {text!r}")
    return value


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"true or false is expected, not {text!r}")
    return text == "true"
