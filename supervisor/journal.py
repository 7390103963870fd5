"""Inputs of the core as plain JSON and back, so that what happened to a supervisor can be stepped through again.

A struct is `{"$": name, ...its fields}`, an exception `{"!": name, "!args": [...], ...}` with its attributes; the names
are those of `recorded_names`. Credentials and typed texts are left out.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard, cast

import msgspec
from msgspec import UNSET, Struct

from cdp_typed.recording.traffic_log import REDACTED
from cdp_typed.wire.json_text import is_array, is_object

from .config import FORMER, Config
from .core.state.world import State
from .core.step import step
from .core.vocabulary.effects import Effects
from .core.vocabulary.errors import InvalidConfig
from .core.vocabulary.inputs import Input
from .recorded_names import class_of, current_fields, name_of

SECRET = frozenset({"prompt_text", "promptText", "user_input", "userInput", "username", "password", "body"})
"""The fields that hold typed texts: their names here and on the wire. A `body` answers a dialog of the bridge."""

NOT_KEPT = frozenset({"cdp_url", "headers", "proxy", "ssl", "record_to", "record_screenshots"})
"""The settings of the connection. They may be secret, and no step of the core depends on them."""


def encode(value: Any) -> Any:
    """Return an input, or any part of one, as plain JSON without secrets."""
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        return {"$": name_of(type(value)), **_fields(fields)}
    if isinstance(value, BaseException):
        return {
            "!": name_of(type(value)),
            "!args": [str(argument) for argument in value.args],
            **_fields(value.__dict__),
        }
    if _is_mapping(value):
        return {"{": {str(key): encode(item) for key, item in value.items()}}
    if isinstance(value, list | tuple | set | frozenset):
        members = cast("Collection[Any]", value)
        return {type(members).__name__: [encode(item) for item in members]}
    return value if value is None or isinstance(value, bool | int | float | str) else f"<{type(value).__name__}>"


def _is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def decode(value: Any) -> Any:
    """The same back. Raises `ValueError` for what `encode` did not write."""
    if not is_object(value):
        return value
    kind, content = next(iter(value.items()), ("", None))
    if kind == "{" and is_object(content):
        return {key: decode(item) for key, item in content.items()}
    if kind in ("list", "tuple", "set", "frozenset") and is_array(content):
        return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](map(decode, content))
    fields = {key: decode(item) for key, item in value.items() if key not in ("$", "!", "!args")}
    if kind == "$":
        found = class_of(content, Struct)
        return found(**current_fields(found, fields))
    if kind == "!":
        return _error(class_of(content, Exception), value.get("!args", ()), fields)
    raise ValueError(f"nothing that a journal holds: {kind!r}")


def _error(kind: type[Exception], arguments: Iterable[str], attributes: Mapping[str, Any]) -> Exception:
    """Not by its constructor: what that was called with is not known."""
    error = kind.__new__(kind, *arguments)
    error.args = tuple(arguments)
    error.__dict__.update(attributes)
    return error


def without_secrets(value: Any) -> Any:
    """Plain data without texts that a person or an agent typed."""
    if is_array(value):
        return [without_secrets(item) for item in value]
    if is_object(value):
        return {key: REDACTED if key in SECRET and item else without_secrets(item) for key, item in value.items()}
    return value


def settings(config: Config) -> dict[str, Any]:
    """Return the settings that the core depends on."""
    return {name: encode(getattr(config, name)) for name in config.__struct_fields__ if name not in NOT_KEPT}


class Beginning(Struct, frozen=True):
    """The first line: the settings of the supervisor, and the state that has seen nothing yet."""

    config: Config
    state: State
    version: str
    """Of the library that wrote the recording; empty where the recording does not say."""


class RecordedStep(Struct, frozen=True):
    """A recorded input, and the state and effects that the core derives from it."""

    received: Input
    now: float
    """Seconds since the epoch."""
    state: State
    effects: Effects


class Remark(Struct, frozen=True):
    """A line that is about no input: a message on the wire, a picture, a tool's call."""

    entry: Mapping[str, Any]


LATEST = 1e11
"""No input is taken in after this time, in seconds since the epoch."""


def flight(path: str | Path) -> Iterator[Beginning | RecordedStep | Remark]:
    """What a flight recording holds, line by line; a state is made by stepping the core again.

    Raises `InvalidConfig` with the number of a line that is none of a flight recording.
    """
    state: State | None = None
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry = _read(line)
                made = _beginning(entry) if "settings" in entry else _taken_in(entry, state)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise InvalidConfig(
                    "recording", f"{Path(path).name}:{number}", f"a line of a flight recording ({error})"
                ) from None
            if not isinstance(made, Remark):
                state = made.state
            yield made


def replay(path: str | Path) -> Iterator[State]:
    """The states that a supervisor went through, from its flight recording; the last one is how it ended.

    Raises `InvalidConfig` with the number of a line that is none of a flight recording.
    """
    return (part.state for part in flight(path) if not isinstance(part, Remark))


def _read(line: bytes) -> dict[str, Any]:
    try:
        entry = msgspec.json.decode(line)
    except msgspec.MsgspecError:  # half of a character of two, say, which Python takes and gives back as it was
        entry = json.loads(line)
    if not is_object(entry):
        raise TypeError("not an object")
    return entry


def _beginning(entry: Mapping[str, Any]) -> Beginning:
    kept = {name: decode(value) for name, value in entry["settings"].items() if name not in FORMER}
    config = Config(cdp_url="recorded", **kept)
    return Beginning(config, config.beginning(entry.get("bridge")), str(entry.get("version", "")))


def _taken_in(entry: Mapping[str, Any], state: State | None) -> RecordedStep | Remark:
    if "input" not in entry or state is None:
        return Remark(entry)
    received, now = cast("Input", decode(entry["input"])), entry["at"]
    if not isinstance(now, int | float) or not 0 <= now <= LATEST:
        raise ValueError(f"'at' is no time: {now!r}")
    return RecordedStep(received, now, *step(state, received, now))


def _fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in fields.items() if value is not UNSET}
    return {name: REDACTED if name in SECRET and value else encode(value) for name, value in shown.items()}
